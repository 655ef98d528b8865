"""What ``gpudoctor run`` costs a job: its throughput, the delay of its output, and memory for a flood of lines.

Throughput is told by turns. A job that uses every processor works all the time; gpudoctor beside it is stopped every
other second (SIGSTOP), so that the same processes are measured with and without it, and what else runs on the machine
falls on both alike. Two runs one after the other scatter by 10 % on a shared machine. Stopped half of the time,
gpudoctor looks as often as the clock tells it to, so that a second of its turns has up to twice the looks of others.
"""

from __future__ import annotations

import mmap
import os
import resource
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gpudoctor.probes.janitor import descendants

ROUNDS = 7
STARTS, TURNS, TURN = 3, 40, 1.0
"""How often the job is started anew, the pairs of turns after each start, and the seconds of a turn."""
SHORT, LONG = 20.0, 80.0
"""Seconds of the two jobs whose difference tells what a second costs, without what a start costs."""
LINES = 10_000_000
# A job of two processes that compute and wait for each other, without torch, so that nothing but the job is measured.
# It works for so many seconds and rests half of them, as a job that waits for its GPU; or it never rests, and keeps
# the number of its steps in a file.
JOB = """
import mmap, multiprocessing, os, struct, sys, time
def work(rank, seconds, counter, here, there, loud):
    values = list(range(20_000))
    until = time.monotonic() + seconds
    step = 0
    kept = mmap.mmap(os.open(counter, os.O_RDWR), 8) if counter else None
    while rank or time.monotonic() < until:
        sum(value * value for value in values)
        if not counter:
            time.sleep(0.01)
        if rank == 0:
            there.send(step); here.recv()
        else:
            if here.recv() is None:
                break
            there.send(step)
        step += 1
        if kept and rank == 0:
            kept[:] = struct.pack("q", step)
        if loud and rank == 0 and step % 10 == 0:
            print("step", step, flush=True)
    if rank == 0:
        there.send(None)
if __name__ == "__main__":
    seconds, loud, counter = float(sys.argv[1]), sys.argv[2] == "loud", sys.argv[3]
    a, b = multiprocessing.Pipe()
    other = multiprocessing.Process(target=work, args=(1, seconds, counter, b, b, loud))
    other.start(); work(0, seconds, counter, a, a, loud); other.join()
    print("processor", sum(os.times()[:4]), flush=True)
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


class _Watched:
    """A job that works all the time, and the processes of gpudoctor beside it, which can be stopped."""

    def __init__(self, command: list[str], script: str, counter: Path) -> None:
        counter.write_bytes(bytes(8))
        with counter.open("r+b") as file:
            self._steps = mmap.mmap(file.fileno(), 8)
        self._script = script.encode()
        self._main = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _own(self) -> list[int]:
        """The processes that gpudoctor started for itself; those of the job have its script in their command line."""
        found = []
        for pid in descendants(self._main.pid):
            try:
                if self._script not in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
            except OSError:
                continue
        return found

    def send(self, number: signal.Signals, *, job: bool = False) -> None:
        """A signal to gpudoctor, first to the process that starts others; with the job, if that is meant too."""
        os.kill(self._main.pid, number)
        for pid in descendants(self._main.pid) if job else self._own():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def wait_for_step(self) -> None:
        """Until the job works and gpudoctor has started."""
        while not self._count():
            if self._main.poll() is not None:
                raise RuntimeError("the job has ended before its first step")
            time.sleep(0.05)
        time.sleep(5)

    def _count(self) -> int:
        return int(struct.unpack("q", self._steps[:])[0])

    def turn(self, *, beside: bool) -> float:
        """Steps of the job in a second, with gpudoctor beside it or stopped."""
        self.send(signal.SIGCONT if beside else signal.SIGSTOP)
        began, before = time.perf_counter(), self._count()
        time.sleep(TURN)
        return (self._count() - before) / (time.perf_counter() - began)

    def end(self) -> None:
        self.send(signal.SIGKILL, job=True)
        self._main.wait()


def _turns(python: str, folder: str, script: str, how: str) -> tuple[float, float, float, float]:
    """Steps in a second without and with gpudoctor, the difference in percent, and its standard error over pairs."""
    without, beside, differences = [], [], []
    for start in range(STARTS):
        counter = Path(folder, f"{how}-{start}")
        watched = _Watched(
            [*_under(python, folder), sys.executable, script, "3600", how, str(counter)], script, counter
        )
        try:
            watched.wait_for_step()
            for turn in range(TURNS):
                # In turns the one or the other goes first, so that a machine that slows down slows down both.
                pair = {
                    which: watched.turn(beside=which) for which in ((True, False), (False, True))[turn % 2]
                }
                without.append(pair[False])
                beside.append(pair[True])
                differences.append(100 * (pair[True] / pair[False] - 1))
        finally:
            watched.end()
    # The median, and its error from the middle half: in some turns something else has the machine for itself.
    low, middle, high = statistics.quantiles(differences, n=4)
    error = 1.2533 * (high - low) / 1.349 / len(differences) ** 0.5
    return statistics.median(without), statistics.median(beside), middle, error


def _own(python: str, folder: str, script: str, how: str) -> tuple[float, float]:
    """What gpudoctor and all that it starts use: percent of one processor while a job works, and seconds at a start."""
    found = []
    for seconds in (SHORT, LONG):
        job, whole, clock = _processor(
            [*_under(python, folder), sys.executable, script, str(seconds), how, ""]
        )
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
            bare, under, difference, error = _turns(python, folder, str(script), how)
            found.append(
                [
                    f"steps in a second of {words}",
                    f"{bare:.1f}",
                    f"{under:.1f}",
                    f"{difference:+.2f} % (standard error {error:.2f} %)",
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
