"""A thread beside the training matches an expression for ever, and gives the interpreter's lock to nobody."""

import re
import threading
import time

import torch
import torch.distributed as dist


def clean(text):
    return re.match(r"(?:\w+\s?)+$", text)


dist.init_process_group("gloo")
step = torch.ones(1000)
for number in range(100):
    if number == 20 and dist.get_rank() == 1:
        threading.Thread(target=clean, args=("word" * 20 + "!",), daemon=True).start()
    step = step.sigmoid()
    time.sleep(0.01)
    dist.all_reduce(step)
print("trained", flush=True)
