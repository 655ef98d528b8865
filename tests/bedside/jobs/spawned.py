"""Ranks that torch.multiprocessing starts, without a launcher that sets variables."""

import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def train(rank, how):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29517", rank=rank, world_size=2)
    samples = list(range(6 if rank == 0 else 4)) if how == "uneven" else ["1", "2", "x" if rank else "3", "4"]
    for sample in samples:
        dist.all_reduce(torch.tensor([float(int(sample))]))
    dist.barrier()


if __name__ == "__main__":
    mp.spawn(train, args=(sys.argv[1],), nprocs=2)
