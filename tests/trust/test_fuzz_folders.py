"""What fuzzing writes is gone when it ends, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from gpudoctor.probes.janitor import born

from ..conftest import ROOT

RUN = """
import os, time
from tests.fuzz.room import fork, room
(room() / "x").write_bytes(b"x")
child = fork()
if child:
    print(child, flush=True)
time.sleep(60)
"""


def gone(condition, seconds=15.0):
    """Whether something comes true in time."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


def runs(pid, start):
    """Whether it is still that process, and alive: who inherits it may leave a dead one lying for a while."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX" and born(pid) == start
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_folder_and_no_child(tmp_path, number):
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    run = subprocess.Popen([sys.executable, "-c", RUN], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=-3)
    with run, run.stdout:
        child = int(run.stdout.readline())
        start = born(child)
        assert start and len(os.listdir(tmp_path)) == 1
        run.send_signal(number)
        run.wait()
    assert gone(lambda: not os.listdir(tmp_path))
    assert gone(lambda: not runs(child, start))


def test_a_run_that_ends_leaves_no_folder(tmp_path):
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fuzz", "40", "hosts"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert gone(lambda: not os.listdir(tmp_path))
