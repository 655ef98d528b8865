"""A rank spins for a lock that it holds itself, in a library and without the interpreter's lock."""

import ctypes

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for _ in range(5):
    dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 1:
    library, lock = ctypes.CDLL(None), ctypes.c_int()
    library.pthread_spin_init(ctypes.byref(lock), 0)
    library.pthread_spin_lock(ctypes.byref(lock))
    library.pthread_spin_lock(ctypes.byref(lock))
dist.barrier()
