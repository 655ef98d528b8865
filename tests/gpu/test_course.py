"""The course of the kit: its budget, its end before time, machines that lack something."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from . import base, children, report, surroundings
from .base import ROOT, Base, NoBase, prepare
from .checks import FAILED, PASSED, SKIPPED, Check, Course, Skip
from .conftest import START
from .run import FAILURES, NOTHING, Options, prove


def test_a_run_that_is_broken_off_leaves_its_report(pretend, tmp_path):
    environment = {**pretend(2), children.MARK: children.RUN}  # so that its children are known here
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom tests.gpu.base import Base\n"
        "from tests.gpu.run import Options, prove\n"
        f"options = Options(Path({str(tmp_path / 'out')!r}), sys.executable)\n"
        "tell = lambda line: print(line, flush=True)\n"
        f"sys.exit(prove(options, Base('installed'), dict(os.environ), tell, start={START!r}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as run:
        assert "machine: the knowledge base" in run.stdout.readline()
        time.sleep(0.3)
        run.send_signal(signal.SIGTERM)
        assert run.wait(20) == 130
    document = json.loads((tmp_path / "out" / report.JSON).read_text())
    assert not document["complete"] and document["ended"] == "broken off by SIGTERM"
    assert document["checks"][0]["name"] == "the knowledge base"
    assert "Not complete: broken off by SIGTERM." in (tmp_path / "out" / report.MARKDOWN).read_text()
    assert not children.living()


def test_a_course_keeps_its_budget_and_survives_its_checks():
    course = Course(10, lambda result: None)

    def skips():
        raise Skip("not here")

    def hangs():
        time.sleep(30)

    def breaks():
        raise KeyError("x")

    checks = [
        Check("good", 1, lambda: "well"),
        Check("not here", 1, skips),
        Check("long", 11, hangs),
        Check("hangs", -7.8, hangs),
        Check("breaks", 1, breaks),
    ]
    course.follow("group", checks)
    found = [(result.name, result.outcome, result.reason) for result in course.results]
    assert found[:2] == [("good", PASSED, "well"), ("not here", SKIPPED, "not here")]
    assert found[2][1:] == (SKIPPED, "10 s are left of the budget of 10 s, it may take 11")
    assert found[3][1] == FAILED and "did not end" in found[3][2]
    assert found[4][1:] == (FAILED, "the kit itself: KeyError: 'x'")


def test_where_there_is_no_gpu_nothing_is_proved(tmp_path, monkeypatch):
    if surroundings.no_gpu() == "":
        pytest.skip("this machine has GPUs")
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}
    status = prove(Options(tmp_path, "/bin/sh"), Base("installed"), environment, lambda line: None)
    document = json.loads((tmp_path / report.JSON).read_text())
    assert status in (NOTHING, FAILURES) and document["complete"]
    reasons = {check["group"]: check["reason"] for check in document["checks"]}
    assert "no interpreter with a torch that sees a GPU: /bin/sh" in reasons["faults"]


BARE = "import sys; sys.path.insert(0, sys.argv[1])\nfrom pathlib import Path\nfrom tests.gpu import base\n"


def test_what_is_missing_is_said(tmp_path):
    """An interpreter without any package, as on a machine to which only the repository was brought."""
    code = (
        BARE
        + "base.ARCHIVE = base.ROOT / 'dist' / 'none.pyz'\nbase.prepare(Path(sys.argv[2]), archive=base.ARCHIVE)"
    )
    said = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(ROOT), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    assert "lacks yaml, packaging, markdown_it" in said.stderr and "make gpu-carry" in said.stderr


def test_packages_may_come_from_an_archive(tmp_path):
    archive = tmp_path / "gpudoctor.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in base._NEEDED:
            packed.writestr(f"{name}/__init__.py", "")
    code = BARE + "print(base.prepare(Path(sys.argv[2]), archive=Path(sys.argv[3])).how)\n"
    code += "import gpudoctor.engine, yaml; print(gpudoctor.engine.__file__, yaml.__file__)"
    said = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(ROOT), str(tmp_path), str(archive)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "with the packages of gpudoctor.pyz" in said.stdout, said.stderr
    assert f"{tmp_path}/packages/yaml/__init__.py" in said.stdout


def test_an_installed_gpudoctor_is_taken(tmp_path):
    assert prepare(tmp_path) == Base("installed")
    assert issubclass(NoBase, Exception)
