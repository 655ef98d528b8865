"""The main process writes its checkpoint for longer than the others are willing to wait."""

import io
import time
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=20))


def save_checkpoint(state, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        torch.save(state, io.BytesIO())


for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 0:
    save_checkpoint({str(number): torch.randn(1000, 1000) for number in range(20)}, 60)
dist.barrier()
