"""One rank of the collective test: ``python rank.py SPEC.json RANK``.

Runs under the interpreter of the user, so it needs the standard library and torch alone, and Python 3.8. Its
parent copies it beside the specification, reads the lines that it writes, and kills it when its time is up.

Each stage is one JSON line, written before the stage begins: the last line places a hang. Data are integers
in float32 whose sums stay below 2**24, so every element must be exact and nothing depends on the order.

Exit status: 0 right, 2 wrong data, 1 an exception, 97 the parent is gone.
"""

from __future__ import annotations

import ctypes
import datetime
import faulthandler
import importlib
import json
import os
import signal
import sys
import time
from typing import Any

WRONG, RAISED, ORPHAN = 2, 1, 97
LINK_PATTERN = 100
"""Added to the source's rank in a message, so that no message looks like another step's data."""
MOST_MEMORY = 1 << 30
"""Bytes that torch may allocate on a GPU; the context and the buffers of NCCL come on top."""
PERIOD = 509
ROUND_TRIP = 65536
MESSAGE = 65536


class Log:
    """The lines of one rank, each written at once."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._start = time.monotonic()

    def say(self, stage: str, **more: Any) -> None:
        """Write one line: the stage, seconds since the start, and what belongs to it."""
        line = {"stage": stage, "t": round(time.monotonic() - self._start, 4), **more}
        os.write(self._file, (json.dumps(line) + "\n").encode())


class RankTest:
    """What one rank does, step by step. ``torch`` is the user's."""

    def __init__(self, torch: Any, spec: dict[str, Any], rank: int, log: Log) -> None:
        self.torch, self.spec, self.rank, self.log = torch, spec, rank, log
        self.dist = importlib.import_module("torch.distributed")
        self.world = spec["world"]
        devices = spec["devices"]
        self.gpu: int | None = devices[rank - spec["first"]] if devices else None
        self.api = spec.get("api") or "cuda"
        self.gpus: Any = getattr(torch, self.api, None)
        self.wrong = 0

    # Places

    def put(self, tensor: Any, gpu: int | None = None) -> Any:
        """A copy of a host tensor where the collective runs, or on another GPU."""
        gpu = self.gpu if gpu is None else gpu
        return tensor.clone() if gpu is None else getattr(tensor, self.api)(gpu)

    def settle(self) -> None:
        """Wait until the GPU has done what it was told; this is where a broken transport hangs."""
        if self.gpu is not None:
            self.gpus.synchronize(self.gpu)

    def pattern(self, count: int, *sources: int) -> Any:
        """Integers that tell the index and the rank they came from; of several ranks their sum."""
        index = self.torch.arange(PERIOD, dtype=self.torch.int64)
        period = sum((7 * index + 131 * source) % PERIOD + source + 1 for source in sources)
        return period.to(self.torch.float32).repeat(count // PERIOD + 1)[:count].clone()

    def everybody(self, count: int) -> Any:
        """What the sum over all ranks must be."""
        return self.pattern(count, *range(self.world))

    def compare(self, op: str, got: Any, want: Any, began: float, **more: Any) -> None:
        """Compare element by element, exactly, and write the verdict."""
        got = got.cpu()
        bad = (got != want).nonzero().flatten()
        ms = round((time.monotonic() - began) * 1000, 3)
        if bad.numel() == 0:
            self.log.say("check", op=op, ok=True, ms=ms, **more)
            return
        self.wrong += 1
        first, last = int(bad[0]), int(bad[-1])
        zeros = int((got[bad] == 0).sum())
        self.log.say(
            "check",
            op=op,
            ok=False,
            ms=ms,
            count=int(bad.numel()),
            of=int(got.numel()),
            first=first,
            last=last,
            want=float(want[first]),
            got=float(got[first]),
            zeros=zeros,
            **more,
        )

    # Steps

    def device(self) -> None:
        """Take the GPU of this rank: the context and one element."""
        if self.gpu is None:
            return
        self.log.say("enter", op="device", gpu=self.gpu)
        self.gpus.set_device(self.gpu)
        about = self.gpus.get_device_properties(self.gpu)
        # A promise made beforehand: what torch itself allocates here is bounded. Older torch.xpu cannot.
        if hasattr(self.gpus, "set_per_process_memory_fraction"):
            self.gpus.set_per_process_memory_fraction(min(1.0, MOST_MEMORY / about.total_memory), self.gpu)
        self.put(self.torch.ones(1))
        self.settle()
        name = str(getattr(about, "name", ""))
        arch = str(getattr(about, "gcnArchName", ""))
        if not arch and hasattr(about, "major"):
            arch = f"sm_{about.major}{about.minor}"
        self.log.say("device_ready", gpu=self.gpu, name=name, arch=arch.split(":")[0])

    def init(self) -> None:
        """Join the process group; with a file as the meeting place there is no port and no name to blame."""
        self.log.say("enter", op="init")
        more: dict[str, Any] = {}
        if self.gpu is not None:
            # The communicator is then made here and not inside of the first collective.
            more["device_id"] = self.torch.device(self.api, self.gpu)
        arguments: dict[str, Any] = {
            "backend": self.spec["backend"],
            "init_method": self.spec["store"],
            "rank": self.rank,
            "world_size": self.world,
            "timeout": datetime.timedelta(seconds=self.spec["timeout"]),
        }
        try:
            self.dist.init_process_group(**arguments, **more)
        except TypeError:  # torch before 2.3 has no device_id
            self.dist.init_process_group(**arguments)
        nccl = ""
        if self.gpu is not None and hasattr(self.gpus, "nccl"):
            version = self.gpus.nccl.version()
            nccl = ".".join(map(str, version)) if isinstance(version, tuple) else str(version)
        self.log.say("pg_ready", nccl=nccl)

    def copy(self) -> None:
        """Host to device and back, so that a collective is not blamed for a copy."""
        if self.gpu is None:
            return
        self.log.say("enter", op="copy", n=ROUND_TRIP)
        began = time.monotonic()
        want = self.pattern(ROUND_TRIP, self.rank)
        self.compare("copy", self.put(want), want, began, n=ROUND_TRIP)

    def all_reduce(self) -> None:
        """Sums at sizes that take the protocols LL, LL128 and Simple."""
        for count in self.spec["sizes"]:
            mine = self.put(self.pattern(count, self.rank))
            want = self.everybody(count)
            self.settle()
            self.log.say("enter", op="all_reduce", n=count)
            began = time.monotonic()
            self.dist.all_reduce(mine)
            self.settle()
            self.compare("all_reduce", mine, want, began, n=count)

    def bandwidth(self) -> None:
        """Best of a few rounds at the largest size; bus bandwidth as nccl-tests counts it."""
        count = max(self.spec["sizes"])
        ones = self.put(self.torch.ones(count))
        best = float("inf")
        for turn in range(self.spec["iterations"]):
            self.log.say("enter", op="bandwidth", n=count, turn=turn)
            self.settle()
            began = time.monotonic()
            self.dist.all_reduce(ones)
            self.settle()
            best = min(best, time.monotonic() - began)
            ones.fill_(1)
        speed = count * 4 / best / 1e9
        bus = speed * 2 * (self.world - 1) / self.world
        self.log.say("bandwidth", n=count, gbs=round(speed, 3), bus_gbs=round(bus, 3))

    def all_gather(self) -> None:
        """Each rank's block at every other rank: wrong data name the source."""
        mine = self.put(self.pattern(MESSAGE, self.rank))
        blocks = [self.torch.zeros_like(mine) for _ in range(self.world)]
        self.settle()
        self.log.say("enter", op="all_gather", n=MESSAGE)
        began = time.monotonic()
        self.dist.all_gather(blocks, mine)
        self.settle()
        for source, block in enumerate(blocks):
            self.compare(
                "all_gather",
                block,
                self.pattern(MESSAGE, source),
                began,
                n=MESSAGE,
                src=source,
                dst=self.rank,
            )

    def send_recv(self) -> None:
        """One message over every ordered pair: a hang or wrong data name the link."""
        for source in range(self.world):
            for target in range(self.world):
                if source == target or self.rank not in (source, target):
                    continue
                want = self.pattern(MESSAGE, LINK_PATTERN + source)
                data = self.put(want if self.rank == source else self.torch.zeros(MESSAGE))
                self.settle()
                self.log.say("enter", op="send_recv", n=MESSAGE, src=source, dst=target)
                began = time.monotonic()
                if self.rank == source:
                    self.dist.send(data, target)
                    self.settle()
                else:
                    self.dist.recv(data, source)
                    self.settle()
                    self.compare("send_recv", data, want, began, n=MESSAGE, src=source, dst=target)

    def graph(self) -> None:
        """The sum once more inside of a CUDA or HIP graph that is replayed."""
        cuda = self.gpus
        count = self.spec["sizes"][min(1, len(self.spec["sizes"]) - 1)]
        start = self.pattern(count, self.rank)
        want = self.everybody(count)
        fixed = self.put(start)
        result = self.torch.zeros_like(fixed)
        self.settle()
        self.log.say("enter", op="graph", n=count)
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            result.copy_(fixed)
            self.dist.all_reduce(result)
        for replay in range(3):
            result.zero_()
            self.settle()
            self.log.say("enter", op="graph", n=count, replay=replay)
            began = time.monotonic()
            graph.replay()
            self.settle()
            self.compare("graph", result, want, began, n=count, replay=replay)

    def custom_all_reduce(self) -> None:
        """vLLM's own all-reduce over peer memory, plain and in a graph; it shares nothing with NCCL."""
        self.log.say("enter", op="custom_all_reduce_setup")
        module = importlib.import_module("vllm.distributed.device_communicators.custom_all_reduce")
        group = self.dist.new_group(backend="gloo")
        custom = module.CustomAllreduce(group, self.torch.device(self.api, self.gpu))
        if hasattr(custom, "finalize_p2p"):  # newer releases put the check of peer access off
            custom.finalize_p2p()
        if custom.disabled:
            self.log.say("unavailable", op="custom_all_reduce", why="vLLM switches it off on these GPUs")
            return
        for count in (1024, 262144):
            mine = self.put(self.pattern(count, self.rank))
            want = self.everybody(count)
            self.settle()
            self.log.say("enter", op="custom_all_reduce", n=count)
            began = time.monotonic()
            result = custom.custom_all_reduce(mine)
            self.settle()
            if result is None:
                self.log.say("unavailable", op="custom_all_reduce", n=count, why="vLLM does not use it here")
                continue
            self.compare("custom_all_reduce", result, want, began, n=count)

    def peers(self) -> None:
        """Copies between each two GPUs in this one process, without any collective."""
        gpus = self.gpus
        devices, count = self.spec["devices"], self.spec["peer_copy"]
        for source in devices:
            for target in devices:
                if source == target:
                    continue
                asked = getattr(gpus, "can_device_access_peer", None)
                known = {"access": bool(asked(source, target))} if asked else {}
                self.log.say("enter", op="peers", src=source, dst=target, **known)
                want = self.pattern(count, LINK_PATTERN + source)
                for turn in range(3):
                    began = time.monotonic()
                    data = self.put(want, source)
                    there = self.put(self.torch.zeros(count), target)
                    there.copy_(data)
                    gpus.synchronize(source)
                    gpus.synchronize(target)
                    self.compare("peers", there, want, began, src=source, dst=target, turn=turn, **known)

    def leave(self) -> None:
        """Leave the group; a destructor that hangs is none of the test."""
        self.log.say("done", wrong=self.wrong)
        if self.dist.is_initialized():
            self.dist.destroy_process_group()


def die_with_parent(parent: int) -> None:
    """Ask the kernel to end this process with its parent (prctl PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(ORPHAN)


def main() -> int:
    """Run the steps of the specification; the exit status."""
    with open(sys.argv[1]) as file:
        spec = json.load(file)
    rank = int(sys.argv[2])
    log = Log(os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), f"rank{rank}.jsonl"))
    die_with_parent(spec["parent"])
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    log.say("start", pid=os.getpid())
    try:
        log.say("enter", op="import")
        torch = importlib.import_module("torch")
        version = torch.version
        log.say(
            "torch_imported",
            torch=str(torch.__version__),
            cuda=getattr(version, "cuda", None),
            hip=getattr(version, "hip", None),
        )
        test = RankTest(torch, spec, rank, log)
        for step in spec["steps"]:
            getattr(test, step)()
        test.leave()
    except BaseException as error:
        log.say("error", type=type(error).__name__, message=str(error)[:2000])
        faulthandler.dump_traceback(all_threads=False)
        return RAISED
    return WRONG if test.wrong else 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)
