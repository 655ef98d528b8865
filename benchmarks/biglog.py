"""A synthetic log of 64 ranks at ``NCCL_DEBUG=INFO``, and how long it takes to read against ``grep``.

Run alone it writes such a log: ``python benchmarks/biglog.py 1024 big.log`` (MiB, file).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

RANKS = 64
PER_NODE = 8
MIB = 1 << 20


def _start(rank: int, clock: str) -> Iterator[str]:
    node, gpu, pid = rank // PER_NODE, rank % PER_NODE, 40000 + rank
    head = f"node-{node:02d}:{pid}:{pid} [{gpu}] NCCL INFO"
    yield f"{head} cudaDriverVersion 12080"
    yield f"{head} Bootstrap: Using eth0:10.1.{node}.7<0>"
    yield f"{head} NCCL version 2.27.5+cuda12.9"
    yield f"{head} NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.1.{node}.7<0>"
    yield f"{head} Using network IB"
    who = f"comm 0x55{rank:06x} rank {rank} nranks {RANKS} cudaDev {gpu} nvmlDev {gpu} busId {gpu}1000 commId 0x1f"
    yield f"{head} ncclCommInitRankConfig {who} - Init START"
    for channel in range(16):
        peer = (rank + 1) % RANKS
        way = "P2P/CUMEM/read" if peer // PER_NODE == node else f"NET/IB/{channel % 8}/GDRDMA"
        yield f"{head} Channel {channel:02d}/0 : {rank}[{gpu}] -> {peer}[{peer % PER_NODE}] via {way}"
    yield f"{head} Connected all rings, use ring PXN 0 GDR 1"
    yield f"{head} ncclCommInitRankConfig {who} - Init COMPLETE"
    yield f"[rank{rank}]: {clock} starting the first step"


def lines(seed: int = 7) -> Iterator[str]:
    """Lines for ever: the start of all ranks, then calls, progress and, rarely, an error."""
    choice = random.Random(seed)
    for rank in range(RANKS):
        yield from _start(rank, "2026-03-04 10:00:00,000")
    step = 0
    while True:
        step += 1
        clock = f"2026-03-04 {10 + step // 36000 % 12:02d}:{step // 600 % 60:02d}:{step // 10 % 60:02d},{step % 10}00"
        for rank in range(RANKS):
            head = f"node-{rank // PER_NODE:02d}:{40000 + rank}:{40900 + rank} [{rank % PER_NODE}] NCCL INFO"
            yield (
                f"{head} AllReduce: opCount {step:x} sendbuff 0x7f{choice.randrange(1 << 32):08x} recvbuff "
                f"0x7f{choice.randrange(1 << 32):08x} count {1 << choice.randrange(10, 28)} datatype 9 op 0 root 0 "
                f"comm 0x55{rank:06x} [nranks={RANKS}] stream 0x5c{rank:06x}"
            )
            size = 1 << choice.randrange(10, 28)
            yield f"{head} AllReduce: {size} Bytes -> Algo RING proto SIMPLE channel{{Lo..Hi}}={{0..15}}"
        yield f"[rank0]: {clock} INFO step {step} loss: {choice.uniform(1, 9):.4f}"
        if step % 997 == 0:
            yield f"[rank{choice.randrange(RANKS)}]: {clock} WARNING dataloader: shard {step} was slow"


def write(path: Path, size: int) -> None:
    """Write about ``size`` bytes."""
    written = 0
    with path.open("w") as file:
        for line in lines():
            written += file.write(line + "\n")
            if written >= size:
                return


def _measure(command: list[str], environment: dict[str, str] | None = None) -> tuple[float, float]:
    """Seconds and peak memory in MB of a command. Its output goes to a file: grep stops early at /dev/null."""
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        child = subprocess.Popen(command, stdout=output, env=environment)
        _, _, usage = os.wait4(child.pid, 0)
        return time.perf_counter() - started, usage.ru_maxrss / 1024


_LITERALS = (
    "import sys; from gpudoctor.probes.report import Reader; "
    "sys.stdout.buffer.write(b'\\n'.join(Reader().literals))"
)


def rows(python: str, mib: int = 1024) -> list[list[str]]:
    """Reading a log of ``mib`` MiB: gpudoctor against grep with the same literals.

    Measured in a process of its own: the peak memory of a child counts from that of its parent.
    """
    command = [sys.executable, __file__, "measure", python, str(mib)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: list[list[str]] = json.loads(printed)
    return found


def measure(python: str, mib: int) -> list[list[str]]:
    """Three runs of both, one after the other; the best of each."""
    with tempfile.TemporaryDirectory() as folder:
        log, literals = Path(folder) / "big.log", Path(folder) / "literals"
        write(log, mib * MIB)
        literals.write_bytes(
            subprocess.run([python, "-c", _LITERALS], check=True, stdout=subprocess.PIPE).stdout
        )
        best: dict[str, tuple[float, float]] = {}
        for _ in range(3):
            for name, command in (
                ("`grep -c -F -f`", ["grep", "-c", "-F", "-f", str(literals), str(log)]),
                ("`gpudoctor --report`", [python, "-m", "gpudoctor.cli.main", "--report", str(log)]),
            ):
                taken = _measure(command, {**os.environ, "LC_ALL": "C.UTF-8"})
                best[name] = min(best.get(name, taken), taken)
    reference = best["`grep -c -F -f`"][0]
    return [
        [name, f"{taken:.2f}", f"{mib / taken:.0f}", f"{taken / reference:.2f}", f"{memory:.0f}"]
        for name, (taken, memory) in best.items()
    ]


if __name__ == "__main__":
    if sys.argv[1] == "measure":
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        write(Path(sys.argv[2]), int(sys.argv[1]) * MIB)
