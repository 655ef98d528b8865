"""A few of the real jobs with planted faults; ``make bedside`` runs all of them and the healthy ones."""

import importlib.util
import os
import signal
import subprocess
import sys
import time

import pytest

from gpudoctor.probes.bedside.stacks import tracer

from .wards import FAULTS, GPUDOCTOR, JOBS, TORCHRUN, watch

needs_stacks = pytest.mark.skipif(
    not tracer() or importlib.util.find_spec("torch") is None, reason="needs py-spy and torch"
)


@needs_stacks
@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.fast], ids=lambda fault: fault.name)
def test_the_right_incident_is_named_first(fault, tmp_path):
    outcome = watch(fault, tmp_path)
    assert outcome.first in fault.expected, outcome.text[-4000:]
    assert outcome.seconds < 60


@pytest.mark.skipif(not tracer(), reason="needs py-spy")
def test_attach_names_the_stopped_process_and_leaves_it_alone(tmp_path):
    env = {**os.environ, "RANK": "3", "WORLD_SIZE": "4"}
    job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], env=env)
    try:
        time.sleep(0.3)
        os.kill(job.pid, signal.SIGSTOP)
        result = subprocess.run(
            [*GPUDOCTOR, "attach", str(job.pid), "--seconds", "2", "--evidence", str(tmp_path)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert "rank 3 is stopped (state T)" in result.stdout, result.stderr
        assert "rank-stopped" in result.stdout and result.returncode == 1
        with open(f"/proc/{job.pid}/stat") as file:
            assert file.read().rpartition(")")[2].split()[0] == "T"
    finally:
        job.kill()
        job.wait()


def test_attach_refuses_what_is_not_there(tmp_path):
    def attach(*words):
        return subprocess.run(
            [*GPUDOCTOR, "attach", *words], capture_output=True, text=True, timeout=60, check=False
        )

    assert attach().returncode == 2 and attach("4194305").returncode == 2
    assert "name no process" in attach("--all", "1").stderr
    with subprocess.Popen(["sleep", "30"]) as other:
        assert "no Python runs" in attach(str(other.pid), "--seconds", "1").stderr
        other.kill()


def test_without_a_tracer_the_states_still_tell(tmp_path):
    """No py-spy: the reason is named, and what /proc shows is used."""
    env = {**os.environ, "RANK": "0", "WORLD_SIZE": "2"}
    job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], env=env)
    try:
        script = (
            "import gpudoctor.probes.bedside.stacks as s; s.tracer = lambda: ''\n"
            "from gpudoctor.cli.main import entry; entry()"
        )
        result = subprocess.run(
            [sys.executable, "-c", script, "attach", str(job.pid), "--seconds", "1", "--evidence", str(tmp_path)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert "pip install 'gpudoctor[bedside]'" in " ".join(result.stdout.split()), result.stderr
        assert "rank 0 is in state S" in result.stdout
    finally:
        job.kill()
        job.wait()


def test_every_job_that_is_named_is_there():
    assert len(FAULTS) >= 16 and TORCHRUN
    assert {"uneven.py", "healthy.py"} <= {path.name for path in JOBS.iterdir()}
