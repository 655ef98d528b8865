"""The collective test's own fixtures: an interpreter with torch, faults, and what must not be left behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FAULTS = HERE / "faults"


@pytest.fixture(scope="session")
def torch_python():
    """The interpreter of the tests, if it has torch."""
    import importlib.util

    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed in the interpreter of the tests")
    return sys.executable


def faulty(fault: str, **more: str) -> dict[str, str]:
    """The environment of ranks, one of which has a fault."""
    return {**os.environ, "PYTHONPATH": str(FAULTS), "FAULT": fault, **more}
