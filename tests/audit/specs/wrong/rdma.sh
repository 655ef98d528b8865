# finds: rdma-without-memlock@3 bridge-across-nodes@2
docker run --gpus all --ipc=host \
  --device=/dev/infiniband/uverbs0 \
  trainer torchrun --nnodes=2 --nproc-per-node=8 --master-addr=10.0.0.1 train.py
