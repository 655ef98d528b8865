#!/bin/bash
IMAGE="$1"
docker run --entrypoint /bin/bash --network host --name node --shm-size 10.24g --gpus all \
    -v "$2:/root/.cache/huggingface" "${@:3}" "$IMAGE" -c "ray start --block --head --port=6379"
