"""A rank of a job that plain variables describe; the launcher gives the address and the number of ranks."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1000))
print("trained", flush=True)
