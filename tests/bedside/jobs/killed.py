"""A rank is killed from outside."""

import os
import subprocess
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 1:
    subprocess.Popen(["kill", "-KILL", str(os.getpid())])
    time.sleep(60)
dist.barrier()
