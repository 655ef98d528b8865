"""Standard output and standard error that cannot be written: a failure in one sentence, with the right status."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ..conftest import ROOT

RUN = [sys.executable, "-m", "gpudoctor.cli.main"]
FACTS = str(ROOT / "tests" / "reports" / "mi300x-ray.facts.yaml")
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
UNBUFFERED = {**BUFFERED, "PYTHONUNBUFFERED": "1"}
COMMANDS = [
    ["--help"], ["run", "--help"], ["kb", "lint", "--help"], ["--version"], ["man"], ["completion", "bash"], ["schema"],
    ["explain", "disk-full"], ["search", "nccl"], ["kb", "list"], ["probe", "--list"], ["--facts", FACTS],
    ["--facts", FACTS, "--format", "json"], ["diff", FACTS, FACTS],
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("environment", [BUFFERED, UNBUFFERED], ids=["buffered", "unbuffered"])
def test_a_full_disk_behind_standard_output(command, environment):
    if environment is UNBUFFERED and command not in (["--help"], ["--version"], ["man"]):
        pytest.skip("tried with a buffer")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*RUN, *command], stdout=full, stderr=subprocess.PIPE, env=environment, check=False
        )
    if b"pip install" in done.stderr:
        pytest.skip("an extra is not installed")
    assert done.returncode == 2
    assert done.stderr == b"gpudoctor: standard output: cannot be written: No space left on device\n"


@pytest.mark.parametrize("command", [["--help"], ["--version"], ["--facts", FACTS]], ids=" ".join)
def test_a_reader_that_has_gone_is_no_word_worth(command):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*RUN, *command], stdout=writing, stderr=subprocess.PIPE, env=BUFFERED, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("command", "status"),
    [(["--facts", "nope"], 2), (["--facts", FACTS], 1), (["run", "--no-env", "--", "sh", "-c", "exit 0"], 0)],
    ids=["usage", "diagnosed", "run"],
)
def test_remarks_that_cannot_be_written_do_not_change_the_status(command, status):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*RUN, *command], stdout=subprocess.DEVNULL, stderr=full, check=False)
    assert done.returncode == status


@pytest.mark.parametrize(("script", "status"), [("echo hi", 2), ("echo hi; sleep 0.5; exit 3", 3)])
def test_a_job_whose_output_is_lost_has_not_succeeded(script, status, tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*RUN, "run", "--no-env", "--", "sh", "-c", script],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
    assert done.returncode == status
    assert "gpudoctor: standard output: cannot be written: No space left on device" in done.stderr
