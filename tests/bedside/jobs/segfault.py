"""A rank reads from address zero."""

import ctypes

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 1:
    ctypes.string_at(0)
dist.barrier()
