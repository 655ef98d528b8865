# finds: shm-set-too-small@2
docker run --gpus all --shm-size=256m vllm/vllm-openai --model MODEL -tp 4
