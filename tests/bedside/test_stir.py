"""Whether a process has come further: another place counts, and processor time does not."""

import os
import subprocess
import sys
import time

import pytest

from gpudoctor.probes.bedside.gil import held
from gpudoctor.probes.bedside.places import place, telling
from gpudoctor.probes.bedside.processes import Process, below_program
from gpudoctor.probes.bedside.stacks import Frame, Stack, Thread
from gpudoctor.probes.bedside.stir import POLLS, SPINS, Sight, stirred

from .test_places import BARRIER, C10D, LOADER

TICKS = os.sysconf("SC_CLK_TCK")
SYNC = [("synchronize", "/x/site-packages/torch/cuda/__init__.py", 9), ("main", "/w/t.py", 3)]
OWN = [("match", "/usr/lib/python3.11/re/__init__.py", 166), ("clean", "/w/t.py", 3)]


def thread(calls, name="MainThread", number=1, gil=False):
    return Thread(name, number, True, gil, tuple(Frame(a, b, c) for a, b, c in calls))


def sight(at, calls, *others, gil=False, gpu=False, below=0, **changes):
    numbers = {
        "own_ticks": 0,
        "ticks": 0,
        "switches": 0,
        "faults": 0,
        "moved_bytes": 0,
        "state": "R",
        "wchan": "",
    }
    numbers.update(changes)
    process = Process(
        7, 1, "python", "", numbers["state"], numbers["wchan"], "1", numbers["ticks"], numbers["own_ticks"],
        numbers["switches"], numbers["faults"], numbers["moved_bytes"], 0, 2, True,
    )  # fmt: skip
    main = thread(calls, gil=gil)
    return Sight(at, process, Stack((main, *others)), place(main.frames), gpu, below)


def after(calls, *others, before=(), gil=False, gpu=False, **changes):
    return stirred(
        sight(0, calls, *(before or others), gil=gil, gpu=gpu),
        sight(5, calls, *others, gil=gil, gpu=gpu, **changes),
    )


FULL = {"own_ticks": 5 * TICKS, "ticks": 5 * TICKS}


def test_who_uses_the_processor_at_one_place_spins():
    assert after(OWN, **FULL) == (False, SPINS)
    assert after(SYNC, gpu=True, **FULL) == (False, SPINS), "CUDA spins while it waits"
    assert after(BARRIER, **FULL) == (False, ""), "a library may spin while it waits"


def test_who_sleeps_and_looks_polls():
    assert after(OWN, switches=50, wchan="hrtimer_nanosleep", state="S") == (False, POLLS)
    assert after(OWN, switches=1, wchan="futex_do_wait", state="S") == (False, "")


@pytest.mark.parametrize(
    "progress",
    [
        {"faults": 1000},
        {"moved_bytes": 4 << 20},
        {"switches": 9, "wchan": "sk_wait_data", "state": "S"},
        {"own_ticks": 0, "ticks": 4 * TICKS},
    ],
    ids=["memory", "files", "data from a network", "other threads compute"],
)
def test_what_shows_behind_one_place_is_progress(progress):
    assert after(OWN, **{**FULL, **progress})[0]


def test_another_line_is_progress_and_the_inside_of_a_wait_is_none():
    assert stirred(sight(0, OWN), sight(5, [OWN[0], ("clean", "/w/t.py", 4)]))[0]
    inside = [
        ("Queue.get", "/usr/lib/python3.11/queue.py", 180),
        ("_try_get_data", LOADER, 5),
        ("main", "/w/t.py", 3),
    ]
    deeper = [("Condition.wait", "/usr/lib/python3.11/threading.py", 331), *inside]
    assert stirred(sight(0, inside), sight(5, deeper)) == (False, "")
    assert stirred(sight(0, deeper), sight(5, [*deeper[:-1], ("main", "/w/t.py", 4)]))[0], "the next batch"


def test_threads_of_a_gpu_that_spin_are_no_progress():
    assert not after(OWN, gpu=True, own_ticks=0, ticks=5 * TICKS)[0]


def test_the_lock_of_the_interpreter_given_away_is_progress():
    one, two = sight(0, OWN, gil=True), sight(5, OWN, gil=False, **FULL)
    assert stirred(one, two)[0]
    assert stirred(one, sight(5, OWN, gil=True, **FULL)) == (False, SPINS)


def test_calls_of_libraries_that_change_are_progress_and_those_of_one_call_that_keeps_the_lock_are_none():
    assert stirred(sight(0, OWN, below=1), sight(5, OWN, below=2, **FULL))[0]
    assert stirred(sight(0, OWN, below=1), sight(5, OWN, below=2, own_ticks=3, ticks=3))[0], (
        "it hardly gets a turn"
    )
    assert stirred(sight(0, OWN, below=1), sight(5, OWN, below=1, **FULL)) == (False, SPINS)
    sleeps = {"switches": 50, "wchan": "hrtimer_nanosleep", "state": "S", "own_ticks": 3}
    assert stirred(sight(0, OWN, below=1), sight(5, OWN, below=2, **sleeps)) == (False, POLLS)
    assert stirred(sight(0, OWN, gil=True, below=1), sight(5, OWN, gil=True, below=2, **FULL)) == (
        False,
        SPINS,
    )


def test_what_is_on_a_stack_changes_while_somebody_works():
    loop = "while sys.argv[1] == 'works': sorted([3, 2, 1], key=repr)"
    script = f"import sys\nprint(flush=True)\n{loop}\nsys.stdin.read()"
    for how, changes in (("works", True), ("waits", False)):
        with subprocess.Popen([sys.executable, "-c", script, how], stdin=-1, stdout=-1) as job:
            job.stdout.readline()
            time.sleep(0.2)
            seen = set()
            for _ in range(5):
                seen.add(below_program(job.pid))
                time.sleep(0.1)
            job.kill()
        assert 0 not in seen and (len(seen) > 1) == changes
    assert below_program(job.pid) == 0, "it has ended"


def test_a_thread_that_keeps_the_lock_is_named():
    other = thread(OWN, "Thread-1", 2, gil=True)
    waits = [("Condition.wait", "/usr/lib/python3.11/threading.py", 327), ("main", "/w/t.py", 8)]
    one = sight(0, waits, other)
    two = sight(5, waits, other, ticks=5 * TICKS, switches=900, wchan="futex_do_wait", state="S")
    assert stirred(one, two) == (False, POLLS)
    assert held(one, two) == ("thread", "t.py:3")
    assert held(one, sight(5, waits, other._replace(gil=False))).by == ""


def test_another_thread_tells_where_the_main_one_only_waits_for_it():
    parked = thread([("Condition.wait", "/usr/lib/python3.11/threading.py", 327),
                     ("get", "/x/site-packages/ray/train/_internal/session.py", 9)])  # fmt: skip
    trains = thread([("all_reduce", C10D, 3), ("train", "/w/t.py", 3)], "RayTrainThread", 2)
    assert telling([parked, trains]) is trains
    works = thread([("step", "/w/t.py", 5)])
    assert telling([works, trains]) is works, "an asynchronous save waits beside it"
    assert telling([]) is None


def test_a_process_that_is_new_or_another_one_moves():
    assert stirred(None, sight(0, OWN))[0]
