"""Every way in which a rank can fail is named, in time, and leaves nothing behind (gloo)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from gpudoctor.probes.collective.nursery import Nursery
from gpudoctor.probes.collective.outcome import Outcome
from gpudoctor.probes.collective.runs import Ended, Setup, run
from gpudoctor.probes.janitor import MARK, marked

from .conftest import faulty

LATE = 2.0
"""Seconds that a job may take beyond its budget."""


class Case(NamedTuple):
    fault: str
    world: int = 2
    in_time: bool = False  # only the budget can end it
    stop: int | None = None  # rank that gets SIGSTOP from outside once it is connected


CASES = {
    "good": Case("9:none:none"),
    "slow": Case("1:slow:all_reduce"),
    "killed": Case("1:die:all_reduce"),
    "raises": Case("0:raise:all_gather"),
    "leaves before init": Case("1:exit:init"),
    "hangs in import": Case("0:hang:import", in_time=True),
    "hangs in init": Case("1:hang:init", in_time=True),
    "hangs in all_reduce": Case("1:hang:all_reduce"),
    "hangs in all_gather": Case("0:hang:all_gather"),
    "hangs in send": Case("0:hang:send"),
    "hangs in recv": Case("1:hang:recv"),
    "stopped": Case("1:slow:all_reduce", stop=1),
    "stubborn": Case("1:stubborn:all_reduce"),
    "one wrong element": Case("1:wrong:all_reduce"),
    "half a block lost": Case("1:zero:all_gather0"),
    "one link": Case("2:zero:recv0", world=3),
}


class Run(NamedTuple):
    ended: Ended
    budget: float
    left: list[int]
    segments: list[str]
    folder: Path


def _run(python: str, case: Case, budget: float, stall: float) -> Run:
    stopped = threading.Event()

    def progress(variant, rank, event):
        if case.stop == rank and event["stage"] == "pg_ready" and not stopped.is_set():
            stopped.set()
            os.kill(pids[rank], signal.SIGSTOP)
        if event["stage"] == "start":
            pids[rank] = event["pid"]

    pids: dict[int, int] = {}
    setup = Setup(python, "gloo", case.world, environment=faulty(case.fault), stall=stall)
    with Nursery() as nursery:
        ended = run(nursery, setup, "default", budget, progress=progress)
    return Run(ended, budget, marked(nursery.mark), segments(pids.values()), nursery.folder)


def segments(pids) -> list[str]:
    """Shared memory of these processes that is still there."""
    return [name for pid in pids if Path(name := f"/dev/shm/gpudoctor-test-{pid}").exists()]


@pytest.fixture(scope="module")
def runs(torch_python):
    """All cases, a few at a time; how long they may take follows from how long a good one takes here."""
    good = _run(torch_python, CASES["good"], 60, 60)
    takes = good.ended.end.seconds
    with ThreadPoolExecutor(3) as pool:
        waiting = {
            name: pool.submit(_run, torch_python, case, 4 * takes if case.in_time else 60, 1 + takes / 2)
            for name, case in CASES.items()
            if name != "good"
        }
        return {"good": good, **{name: future.result() for name, future in waiting.items()}}


@pytest.mark.parametrize("name", CASES)
def test_ends_in_time_and_leaves_nothing(runs, name):
    found = runs[name]
    assert found.ended.end.seconds <= found.budget + LATE
    assert found.left == found.segments == []
    assert not found.folder.exists()
    assert found.ended.outcome.abandoned == ()


def _outcome(runs, name) -> Outcome:
    return runs[name].ended.outcome


@pytest.mark.parametrize("name", ["good", "slow"])
def test_healthy(runs, name):
    outcome = _outcome(runs, name)
    assert outcome.value == "pass", outcome
    assert outcome.bus_gbs > 0
    checks = [e["op"] for e in runs[name].ended.end.ranks[0].events if e["stage"] == "check"]
    assert checks == ["all_reduce"] * 4 + ["all_gather"] * 2 + ["send_recv"]


@pytest.mark.parametrize(
    ("name", "value", "stage", "culprits", "words"),
    [
        ("killed", "error", "all_reduce", (1,), "SIGKILL"),
        ("raises", "error", "all_gather", (0,), "RuntimeError: the fault that was asked for"),
        ("leaves before init", "error", "init", (1,), "status 3"),
        ("hangs in import", "hang", "import", (0,), "waits for no other rank"),
        ("hangs in init", "hang", "init", (1,), "sitecustomize.py"),
        ("hangs in all_reduce", "hang", "all_reduce", (1,), "4 B"),
        ("hangs in all_gather", "hang", "all_gather", (0,), "_strike"),
        ("hangs in send", "hang", "send_recv", (0,), "0 -> 1"),
        ("hangs in recv", "hang", "send_recv", (1,), "0 -> 1"),
        ("stopped", "hang", "all_reduce", (1,), "stopped by a signal"),
        ("stubborn", "hang", "all_reduce", (1,), "_strike"),
        ("one wrong element", "wrong", "all_reduce", (1,), "1 of 1 elements"),
        ("half a block lost", "wrong", "all_gather", (0,), "writes were lost"),
    ],
)
def test_names_the_rank(runs, name, value, stage, culprits, words):
    outcome = _outcome(runs, name)
    assert (outcome.value, outcome.stage, outcome.culprits) == (value, stage, culprits), outcome
    assert words in outcome.text, outcome.text


def test_names_the_source_of_a_spoilt_block(runs):
    assert _outcome(runs, "half a block lost").source == 0
    assert "32768 of 65536" in _outcome(runs, "half a block lost").text


def test_names_the_link(runs):
    outcome = _outcome(runs, "one link")
    assert (outcome.value, outcome.link) == ("wrong", (0, 2))
    assert "the link 0 -> 2 carried wrong data" in outcome.text


def test_stacks_of_stuck_ranks_are_kept(runs):
    ranks = runs["hangs in all_reduce"].ended.end.ranks
    assert all(rank.late and "most recent call first" in rank.output for rank in ranks)
    assert "sitecustomize.py" in ranks[1].frame


PARENT = """
import os, sys
from gpudoctor.probes.collective.nursery import Nursery
from gpudoctor.probes.collective.runs import Setup, run
with Nursery() as nursery:
    print(nursery.mark, nursery.folder, flush=True)
    def progress(variant, rank, event):
        if event["stage"] == "enter" and event["op"] == "all_reduce":
            print("reached", rank, flush=True)
        if event["stage"] == "start":
            print("pid", event["pid"], flush=True)
    run(nursery, Setup(sys.executable, "gloo", 2), "default", 60, progress=progress)
"""


def test_a_killed_parent_leaves_nothing(torch_python):
    environment = faulty("1:stubborn:all_reduce")
    environment.pop(MARK, None)
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        mark, folder = parent.stdout.readline().split()
        pids = []
        while "reached 1" not in (line := parent.stdout.readline()):
            pids += [int(line.split()[1])] if line.startswith("pid") else []
        time.sleep(0.8)
        assert len(marked(mark)) >= 4  # two ranks and the two children of one
        assert segments(pids)
        parent.kill()
        killed = time.monotonic()
        while (marked(mark) or segments(pids) or Path(folder).exists()) and time.monotonic() < killed + LATE:
            time.sleep(0.02)
    assert marked(mark) == segments(pids) == []
    assert not Path(folder).exists()
