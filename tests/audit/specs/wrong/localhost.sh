#!/bin/bash
# finds: rendezvous-on-localhost@4 interface-of-one-host@3 distributed-debug@5
export NCCL_SOCKET_IFNAME=lo
export MASTER_ADDR=localhost
export TORCH_DISTRIBUTED_DEBUG=DETAIL
torchrun --nnodes 2 --nproc_per_node 8 train.py
