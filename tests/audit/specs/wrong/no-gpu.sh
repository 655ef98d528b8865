# finds: gpu-not-requested@3
docker run --ipc host -p 80:8000 vllm/vllm-openai:latest \
  --model MODEL --tensor-parallel-size 4
