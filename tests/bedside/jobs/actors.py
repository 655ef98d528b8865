"""Ranks that are actors of Ray: ``actors.py HOW``, on a cluster of its own, or where HOW ends in + on the one there."""

import os
import subprocess
import sys
import time

import ray

how, there = sys.argv[1].rstrip("+"), sys.argv[1].endswith("+")
cluster = {} if there else {"address": "local", "num_cpus": 3, "include_dashboard": False}
ray.init(**cluster, log_to_driver=how == "killed")


@ray.remote
class Rank:
    def train(self, rank):
        import torch
        import torch.distributed as dist

        dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29519", rank=rank, world_size=2)
        batches = torch.randn(4 + 2 * (1 - rank) if how == "uneven" else 4, 8)
        for batch in batches:
            dist.all_reduce(batch)
        if how == "killed" and rank == 1:
            subprocess.Popen(["kill", "-KILL", str(os.getpid())])
            time.sleep(60)
        dist.barrier()


ranks = [Rank.remote() for _ in range(2)]
ray.get([actor.train.remote(number) for number, actor in enumerate(ranks)])
print("trained", flush=True)
