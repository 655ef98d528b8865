"""The ranks have different numbers of batches."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
weights = torch.ones(8)
batches = torch.randn(4 + 2 * (1 - dist.get_rank()), 8)
for batch in batches:
    gradient = batch * weights
    dist.all_reduce(gradient)
    weights -= 0.01 * gradient
dist.barrier()
print("trained", flush=True)
