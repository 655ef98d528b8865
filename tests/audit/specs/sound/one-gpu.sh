docker run --gpus '"device=0"' -p 8000:8000 vllm/vllm-openai:v0.9.1 --model MODEL
