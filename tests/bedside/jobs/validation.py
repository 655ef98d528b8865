"""The main process validates for longer than the others are willing to wait."""

import time
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=20))


def validate(seconds):
    until = time.monotonic() + seconds
    score = torch.zeros(1)
    while time.monotonic() < until:
        score += torch.randn(200, 200).matmul(torch.randn(200, 200)).mean()
    return score


for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 0:
    print("score", validate(60).item(), flush=True)
dist.barrier()
