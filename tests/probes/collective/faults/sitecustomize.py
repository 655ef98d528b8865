"""Quiet faults for ranks: FAULT=RANK:KIND:STAGE. Python imports this before the rank's program.

Kinds: die, exit, raise, hang, stubborn (with children and shared memory), wrong, zero, slow.
Stages: import, init, all_reduce, all_gather,
send, recv; all_gather and recv may carry the source of the data to spoil, as in ``2:zero:recv0``.
"""

import importlib.util
import mmap
import os
import re
import signal
import subprocess
import sys
import time

_kept = []


def _mine(stage, source=None):
    rank, kind, where = os.environ["FAULT"].split(":")
    name, number = re.fullmatch(r"([a-z_]+?)(\d*)", where).groups()
    if sys.argv[2] != rank or name != stage or (number and source is not None and int(number) != source):
        return ""
    return kind


def _strike(kind):
    if kind == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif kind == "exit":
        os._exit(3)
    elif kind == "raise":
        raise RuntimeError("the fault that was asked for")
    elif kind == "hang":
        while True:
            time.sleep(1)
    elif kind == "slow":
        time.sleep(0.5)
    elif kind == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        # A child in a group of its own, which outlives whoever kills only the rank's group.
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
        subprocess.Popen(["sleep", "1000"])
        with open(f"/dev/shm/gpudoctor-test-{os.getpid()}", "w+b") as segment:
            segment.truncate(4096)
            _kept.append(mmap.mmap(segment.fileno(), 4096))
        while True:
            time.sleep(1)


def _spoil(kind, tensor):
    if kind == "wrong":
        tensor[tensor.numel() // 2] += 1
    elif kind == "zero":
        tensor[tensor.numel() // 2 :] = 0


def _patch(dist):
    def before(name, source=None):
        _strike(_mine(name, source))

    real = {n: getattr(dist, n) for n in ("init_process_group", "all_reduce", "all_gather", "send", "recv")}

    def init_process_group(*a, **k):
        before("init")
        return real["init_process_group"](*a, **k)

    def all_reduce(tensor, *a, **k):
        before("all_reduce")
        real["all_reduce"](tensor, *a, **k)
        _spoil(_mine("all_reduce"), tensor)

    def all_gather(blocks, mine, *a, **k):
        before("all_gather")
        real["all_gather"](blocks, mine, *a, **k)
        for source, block in enumerate(blocks):
            _spoil(_mine("all_gather", source), block)

    def send(tensor, target, *a, **k):
        before("send")
        real["send"](tensor, target, *a, **k)

    def recv(tensor, source, *a, **k):
        before("recv", source)
        real["recv"](tensor, source, *a, **k)
        _spoil(_mine("recv", source), tensor)

    for function in (init_process_group, all_reduce, all_gather, send, recv):
        setattr(dist, function.__name__, function)


class _Finder:
    """Stands before the import of torch once, and patches the module when it is there."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        _strike(_mine("import"))
        spec = importlib.util.find_spec("torch")
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            import torch.distributed

            _patch(torch.distributed)

        spec.loader.exec_module = exec_module
        return spec


if os.environ.get("FAULT"):
    sys.meta_path.insert(0, _Finder())
