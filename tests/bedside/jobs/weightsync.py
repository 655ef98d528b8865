"""An RL job: rank 0 trains and sends its weights, rank 1 is the engine, which still generates and never joins."""

import threading

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
finished = threading.Event()


class Engine:
    def generate(self):
        finished.wait()  # for a request that was dropped

    def update_weights(self, weights):
        dist.broadcast(weights, src=0)


class Trainer:
    def broadcast_to_vllm(self, weights):
        dist.broadcast(weights, src=0)


weights = torch.ones(1000)
dist.all_reduce(weights)
if dist.get_rank() == 0:
    Trainer().broadcast_to_vllm(weights)
else:
    engine = Engine()
    engine.generate()
    engine.update_weights(weights)
