"""Rank 1 looks for a file that rank 0 wrote into its own folder, again and again."""

import os
import tempfile
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1000))
with tempfile.TemporaryDirectory() as folder:  # each rank has one of its own
    index = os.path.join(folder, "index.npy")
    if dist.get_rank() == 0:
        open(index, "w").close()
    while not os.path.exists(index):
        time.sleep(0.2)
    dist.barrier()
