"""A rank keeps all that it has seen, and the memory of its group has an end."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
kept = []
for _ in range(10_000):
    dist.all_reduce(torch.ones(1000))
    if dist.get_rank() == 1:
        kept.append(torch.ones(8 << 20))
