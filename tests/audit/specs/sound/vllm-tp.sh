docker run --gpus all --ipc=host --rm -p 8000:8000 \
    -v ~/.cache/huggingface:/root/.cache/huggingface \
    -e HF_TOKEN="$HF_TOKEN" \
    vllm/vllm-openai:latest --model MODEL --tensor-parallel-size 4
