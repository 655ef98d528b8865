"""What fuzzing writes is gone when it ends, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from gpudoctor.probes.janitor import born

from ..conftest import ROOT
from ..probes.conftest import alive, soon

RUN = """
import os, time
from tests.fuzz.room import fork, room
(room() / "x").write_bytes(b"x")
child = fork()
if child:
    print(child, flush=True)
time.sleep(60)
"""


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
    assert soon(lambda: not os.listdir(tmp_path), 15)
    assert soon(lambda: not (alive(child) and born(child) == start), 15)


def test_a_run_that_ends_leaves_no_folder(tmp_path):
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.fuzz", "40", "hosts"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert soon(lambda: not os.listdir(tmp_path), 15)
