"""Each rank decides by a number of its own which collective comes next."""

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
loss = torch.tensor([0.1 + dist.get_rank()])
for _ in range(5):
    total = loss.clone()
    dist.all_reduce(total)
if loss.item() > 1.0:
    gathered = [torch.zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, loss)
else:
    dist.broadcast(loss, src=1)
    dist.barrier()
dist.all_reduce(loss)
print("trained", flush=True)
