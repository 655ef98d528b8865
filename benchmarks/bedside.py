"""What ``gpudoctor run`` costs a job: its throughput, the delay of its output, and memory for a flood of lines.

Throughput is told by processor time: the job's own for the same work, and that of gpudoctor beside it. Where every
processor is in use, the job loses the sum of both; where one is free, the first only.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS, STEPS = 7, 6000
SHORT, LONG = 20.0, 80.0
"""Seconds of the two jobs whose difference tells what a second costs, without what a start costs."""
LINES = 10_000_000
# A job of two processes that compute and wait for each other, without torch, so that nothing but the job is measured.
# It does so many steps, or works for so many seconds and rests half of them, as a job that waits for its GPU.
JOB = """
import multiprocessing, os, sys, time
def work(rank, steps, seconds, here, there, loud):
    values = list(range(20_000))
    until = time.monotonic() + seconds
    step, warm = 0, 0.0
    while step < steps if steps else rank == 0 and time.monotonic() < until or rank:
        began = time.monotonic()
        sum(value * value for value in values)
        if not steps:
            time.sleep(0.01)
        if rank == 0:
            there.send(step); here.recv()
        else:
            if here.recv() is None:
                break
            there.send(step)
        step += 1
        if step == steps // 4:
            warm = time.process_time()
        if loud and rank == 0 and step % 10 == 0:
            print("step", step, flush=True)
    if rank == 0 and not steps:
        there.send(None)
    return time.process_time() - warm
if __name__ == "__main__":
    amount, loud = sys.argv[1], sys.argv[2] == "loud"
    steps, seconds = (0, float(amount[:-1])) if amount.endswith("s") else (int(amount), 0.0)
    a, b = multiprocessing.Pipe()
    other = multiprocessing.Process(target=work, args=(1, steps, seconds, b, b, loud))
    other.start(); used = work(0, steps, seconds, a, a, loud); other.join()
    print("processor", used if steps else sum(os.times()[:4]), flush=True)
"""
STAMPS = """
import time
for _ in range(300):
    print(time.monotonic(), flush=True)
    time.sleep(0.01)
"""


def _under(python: str, folder: str) -> list[str]:
    entry = "from gpudoctor.cli.main import entry; entry()"
    return [python, "-c", entry, "run", "--no-env", "--hang-after", "30", "--evidence", folder, "--"]


def _processor(command: list[str]) -> tuple[float, float, float]:
    """Seconds of processor time of the job by its own account, of all processes together, and by the clock."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return float(said.rsplit("processor", 1)[1]), whole, time.monotonic() - began


def _slower(python: str, folder: str, script: str, how: str) -> tuple[float, float]:
    """Processor time of the same steps without and with gpudoctor: the least of rounds in turns.

    The first quarter of the steps is left out: gpudoctor's start, which is told apart, shares a core with it.

    Processor time and not the clock, and the least: what else runs on the machine takes turns from both, and adds to
    the time of both by what it does to the caches, but never takes from it.
    """
    job = [sys.executable, script, str(STEPS), how]
    rounds = [(_processor(job)[0], _processor([*_under(python, folder), *job])[0]) for _ in range(ROUNDS)]
    return min(bare for bare, _ in rounds), min(under for _, under in rounds)


def _own(python: str, folder: str, script: str, how: str) -> tuple[float, float]:
    """What gpudoctor and all that it starts use: percent of one processor while a job works, and seconds at a start."""
    found = []
    for seconds in (SHORT, LONG):
        job, whole, clock = _processor([*_under(python, folder), sys.executable, script, f"{seconds}s", how])
        found.append((whole - job, clock))
    (less, short), (more, long) = found
    share = (more - less) / (long - short)
    return 100 * share, less - share * short


def _delays(command: list[str]) -> list[float]:
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout
    delays = [time.monotonic() - float(line) for line in child.stdout]
    child.wait()
    return sorted(1000 * delay for delay in delays)


def _flood(command: list[str]) -> tuple[float, float]:
    """Seconds and the peak memory in MB of the process itself, without the job below it."""
    began = time.monotonic()
    peak = 0
    with open(os.devnull, "wb") as nowhere:
        child = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        while child.poll() is None:
            try:
                with open(f"/proc/{child.pid}/status") as file:
                    peak = max([peak, *(int(line.split()[1]) for line in file if line.startswith("VmHWM"))])
            except OSError:
                pass
            time.sleep(0.05)
    return time.monotonic() - began, peak / 1024


def rows(python: str) -> list[list[str]]:
    """The table's rows: what, without, with, and the difference."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "job.py")
        script.write_text(JOB)
        found = []
        for how, words in (("loud", "a job that prints"), ("silent", "a job that prints nothing")):
            bare, under = _slower(python, folder, str(script), how)
            found.append(
                [
                    f"processor time of {words}, s",
                    f"{bare:.2f}",
                    f"{under:.2f}",
                    f"{100 * (under / bare - 1):+.1f} %",
                ]
            )
            percent, start = _own(python, folder, str(script), how)
            found.append([f"gpudoctor's own beside {words}, of one processor", "0", f"{percent:.2f} %",
                          f"and {start:.2f} s at the start"])  # fmt: skip
        stamps = [sys.executable, "-c", STAMPS]
        ways = (stamps, [*_under(python, folder), *stamps])
        measured = [[_delays(way) for way in ways] for _ in range(ROUNDS)]
        for name, at in (("median", 0.5), ("99 in 100", 0.99)):
            one, two = (
                statistics.median(both[way][int(at * len(both[way]))] for both in measured) for way in (0, 1)
            )
            found.append([f"delay of a line, {name}, ms", f"{one:.2f}", f"{two:.2f}", f"{two - one:+.2f} ms"])
        flood = ["seq", str(LINES)]
        bare_s, _ = _flood(flood)
        under_s, memory = _flood([*_under(python, folder), *flood])
        found.append(["ten million lines, s", f"{bare_s:.2f}", f"{under_s:.2f}", f"{memory:.0f} MB at most"])
    return found


if __name__ == "__main__":
    for row in rows(sys.executable):
        print(" | ".join(row))
