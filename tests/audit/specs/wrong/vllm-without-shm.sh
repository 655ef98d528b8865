# finds: shm-left-at-default@6 env.NCCL_P2P_LEVL@4
docker run --gpus all \
    -p 8000:8000 \
    -e NCCL_P2P_LEVL=SYS \
    vllm/vllm-openai:v0.8.5 \
    --model MODEL --tensor-parallel-size 2
