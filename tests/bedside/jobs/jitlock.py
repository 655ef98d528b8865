"""A build of an extension was killed earlier and has left its lock file."""

import os
import sys

import torch
import torch.distributed as dist
from torch.utils.file_baton import FileBaton

dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1000))
lock = os.path.join(sys.argv[1], "lock")
if dist.get_rank() == 0:
    open(lock, "w").close()
dist.barrier()
baton = FileBaton(lock)
if baton.try_acquire():
    baton.release()
else:
    baton.wait()
dist.barrier()
