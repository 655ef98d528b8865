# finds: fewer-gpus-than-tensor-ranks@3
docker run --ipc=host --gpus 2 image \
  vllm serve MODEL --tensor-parallel-size=4
