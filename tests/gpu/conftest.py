"""Pretended machines, and the kit on them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from . import report, surroundings
from .base import Base
from .dry.machine import NoCompiler, make, make_amd
from .kit import Kit
from .run import Options, prove
from .samples import Samples

START = (sys.executable, str(Path(__file__).parent / "dry" / "start.py"))
PATIENCE = 2.0


@pytest.fixture
def pretend(tmp_path, monkeypatch):
    """A function that makes a machine and turns this process's environment into its own; the environment."""

    def become(gpus=2, amd=False, **lies):
        folder = tmp_path / f"machine-{gpus}"
        try:
            found = make_amd(folder, **lies) if amd else make(folder, gpus, KIT_WATCHDOG="0.8", **lies)
        except NoCompiler:
            pytest.skip("there is no C compiler here")
        for name in [name for name in os.environ if name not in found]:
            monkeypatch.delenv(name)
        for name, value in found.items():
            monkeypatch.setenv(name, value)
        return found

    return become


@pytest.fixture
def kit(pretend, tmp_path):
    """A function that makes a kit on such a machine."""

    def on(gpus=2, amd=False, **lies):
        found = surroundings.survey(sys.executable, pretend(gpus, amd, **lies))
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        return Kit(found, Samples(tmp_path), scratch, start=START, patience=PATIENCE)

    return on


@pytest.fixture
def whole(pretend, tmp_path):
    """A function that runs the kit as ``make gpu`` does; status, results by name, and the folder."""

    def run(gpus, *only):
        said = []
        environment = pretend(gpus)
        options = Options(tmp_path / "out", sys.executable, only)
        status = prove(options, Base("installed"), environment, said.append, start=START, patience=PATIENCE)
        document = json.loads((tmp_path / "out" / report.JSON).read_text())
        results = {check["name"]: (check["outcome"], check["reason"]) for check in document["checks"]}
        return status, results, tmp_path / "out", "\n".join(said)

    return run
