# finds: rdma-without-devices@2
docker run --gpus all --ipc=host --network=host -e NCCL_IB_HCA=mlx5_0,mlx5_1 trainer torchrun --nnodes 2 train.py
