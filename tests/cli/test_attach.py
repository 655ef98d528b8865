"""``gpudoctor attach`` on several jobs: one document that names each, and nothing lost when one has ended."""

import json
import os
import subprocess
import sys

import pytest

from gpudoctor.cli.commands import attach
from gpudoctor.cli.main import main


@pytest.fixture
def two_jobs(monkeypatch):
    """Two processes that hold a rank each and wait, as ``--all`` finds them."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(60)"],
            env={**os.environ, "RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": f"10.0.0.{number}"},
        )
        for number in (1, 2)
    ]
    monkeypatch.setattr(attach, "jobs", lambda: [[process.pid] for process in started])
    yield started
    for process in started:
        process.kill()
        process.wait()


def attached(tmp_path, form):
    return main(["attach", "--all", "--seconds", "1", "--evidence", str(tmp_path), "--format", form])


def test_several_jobs_are_one_document(two_jobs, tmp_path, capsys, fits):
    status = attached(tmp_path, "json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["schema"] == "gpudoctor/jobs/1"
    fits(shown)
    for job in shown["jobs"]:
        fits(job["diagnosis"])
    assert [job["pid"] for job in shown["jobs"]] == [process.pid for process in two_jobs]
    assert all(os.path.isfile(job["evidence"]) for job in shown["jobs"])
    assert (status == 1) == any(job["diagnosis"]["verdict"] == "diagnosed" for job in shown["jobs"])


def test_markdown_names_each_job(two_jobs, tmp_path, capsys):
    attached(tmp_path, "markdown")
    shown = capsys.readouterr().out
    assert [f"# Job {process.pid} " in shown for process in two_jobs] == [True, True]


def test_metrics_are_of_one_job(two_jobs, tmp_path, capsys):
    assert attached(tmp_path, "prometheus") == 2
    assert f"name one of {two_jobs[0].pid}, {two_jobs[1].pid}" in capsys.readouterr().err


def test_a_job_that_has_ended_is_named_and_the_other_is_shown(two_jobs, tmp_path, capsys):
    two_jobs[0].kill()
    two_jobs[0].wait()
    attached(tmp_path, "json")
    told = capsys.readouterr()
    assert f"JOB {two_jobs[0].pid} has ended" in told.err
    assert [job["pid"] for job in json.loads(told.out)["jobs"]] == [two_jobs[1].pid]
