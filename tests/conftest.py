"""Shared fixtures: an isolated cache, the knowledge base, the shared material where it lies beside."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# Whoever starts the tests in the background or with nohup has these ignored, and every child would inherit that.
with contextlib.suppress(ValueError):  # not in the main thread
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)

# Each of the many processes that the tests start would compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture(scope="session", autouse=True)
def isolated_cache(tmp_path_factory):
    """No test reads or writes the cache of the person who runs them."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    patch.delenv("NO_COLOR", raising=False)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def knowledge(isolated_cache):
    """The built-in knowledge base."""
    from gpudoctor.engine import Knowledge

    return Knowledge.load()


@pytest.fixture
def small_kb(tmp_path):
    """A function that writes a small knowledge base and returns its folder."""

    def write(files: dict[str, str], name: str = "kb") -> Path:
        folder = tmp_path / name
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return folder

    return write
