"""What ``gpudoctor run`` costs a job: its throughput, the delay of its output, and memory for a flood of lines."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS, STEPS = 5, 1500
LINES = 10_000_000
# A job of two processes that compute and wait for each other, without torch, so that nothing but the job is measured.
JOB = """
import multiprocessing, os, sys, time
def work(rank, steps, here, there, loud):
    values = list(range(20_000))
    for step in range(steps):
        sum(value * value for value in values)
        there.send(step); here.recv()
        if loud and rank == 0 and step % 10 == 0:
            print("step", step, flush=True)
if __name__ == "__main__":
    steps, loud = int(sys.argv[1]), sys.argv[2] == "loud"
    a, b = multiprocessing.Pipe()
    began = time.monotonic()
    other = multiprocessing.Process(target=work, args=(1, steps, b, b, loud))
    other.start(); work(0, steps, a, a, loud); other.join()
    print("seconds", time.monotonic() - began, flush=True)
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


def _seconds(command: list[str]) -> float:
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(said.rsplit("seconds", 1)[1])


def _throughput(python: str, folder: str, script: str, how: str) -> tuple[float, float]:
    """Median seconds without and with, taken in turns."""
    job = [sys.executable, script, str(STEPS), how]
    rounds = [(_seconds(job), _seconds([*_under(python, folder), *job])) for _ in range(ROUNDS)]
    return statistics.median(r[0] for r in rounds), statistics.median(r[1] for r in rounds)


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
            bare, under = _throughput(python, folder, str(script), how)
            found.append([f"{words}, s", f"{bare:.2f}", f"{under:.2f}", f"{100 * (under / bare - 1):+.1f} %"])
        stamps = [sys.executable, "-c", STAMPS]
        bare_ms, under_ms = _delays(stamps), _delays([*_under(python, folder), *stamps])
        for name, at in (("median", 0.5), ("99 in 100", 0.99)):
            one, two = (delays[int(at * len(delays))] for delays in (bare_ms, under_ms))
            found.append([f"delay of a line, {name}, ms", f"{one:.2f}", f"{two:.2f}", f"{two - one:+.2f} ms"])
        flood = ["seq", str(LINES)]
        bare_s, _ = _flood(flood)
        under_s, memory = _flood([*_under(python, folder), *flood])
        found.append(["ten million lines, s", f"{bare_s:.2f}", f"{under_s:.2f}", f"{memory:.0f} MB at most"])
    return found


if __name__ == "__main__":
    for row in rows(sys.executable):
        print(" | ".join(row))
