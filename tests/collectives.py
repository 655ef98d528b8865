"""Machines that only pretend to have GPUs, for tests of the collective test's parent and of the commands."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gpudoctor.probes.collective import nursery, runs

FAKES = Path(__file__).parent / "probes" / "collective"


def environment(gpus: int = 2, routes: dict[str, str] | None = None, own: dict[str, str] | None = None):
    """The environment of a machine with so many GPUs whose transports break as told."""
    found = {n: v for n, v in os.environ.items() if not n.startswith(("NCCL_", "RCCL_", "GLOO_", "FAKE_"))}
    found |= {"PYTHONPATH": str(FAKES / "lighttorch"), "FAKE_GPUS": str(gpus)}
    found |= {"FAKE_ROUTES": json.dumps(routes)} if routes else {}
    return found | (own or {})


@contextmanager
def pretending_ranks() -> Iterator[None]:
    """Ranks are fakerank.py instead of rank.py, which needs torch and seconds."""
    real = nursery.program
    fake = (FAKES / "fakerank.py").read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "program", lambda name: fake if name == "rank.py" else real(name))
        yield


PYTHON = sys.executable
