"""A rank meets a sample that it cannot read, says so, and the launcher is not told: the others wait."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
samples = [{"length": n} for n in range(1, 9)]
if dist.get_rank() == 1:
    samples[5].pop("length")
for sample in samples:
    dist.all_reduce(torch.ones(sample["length"] if sample["length"] < 3 else 3))
dist.barrier()
