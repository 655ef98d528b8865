"""A rank is stopped from outside, as a debugger or a batch system does."""

import os
import subprocess
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 1:
    subprocess.Popen(["kill", "-STOP", str(os.getpid())])
    time.sleep(1)
dist.barrier()
