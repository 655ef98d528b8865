"""A data loader forks its workers while a thread holds a lock; the copies wait for it for ever."""

import threading
import time

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset

cache = threading.Lock()


class Samples(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        with cache:
            return torch.full((4,), float(index))


def refresh():
    with cache:
        time.sleep(3)


dist.init_process_group("gloo")
dist.all_reduce(torch.ones(1000))
if dist.get_rank() == 1:
    threading.Thread(target=refresh, daemon=True).start()
    time.sleep(0.5)
for batch in DataLoader(Samples(), batch_size=4, num_workers=1, multiprocessing_context="fork"):
    dist.all_reduce(batch.sum())
print("trained", flush=True)
