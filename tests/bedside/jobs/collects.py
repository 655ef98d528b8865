"""A rank that keeps millions of objects collects garbage again and again, while the others wait for it."""

import gc

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
samples = [[number] for number in range(4_000_000 if dist.get_rank() == 1 else 10)]
for _ in range(3):
    dist.all_reduce(torch.ones(1000))
    if dist.get_rank() == 1:
        for _ in samples:
            gc.collect()
dist.barrier()
