"""Shared fixtures: an isolated cache, the knowledge base, the shared material where it lies beside."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no defect; what must be fast is measured where it is asked for, in processor time.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("here")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

LONG = (
    "tests/cli/site",
    "tests/probes/collective",
    "tests/test_package.py",
    "tests/cli/test_fleet.py",
    "tests/bedside",
    "tests/gpu",
    "tests/trust",
)
"""What takes longest begins first, so that no worker is left with it at the end."""
APART = "tests/kb/test_cases.py"
"""A file whose tests share nothing: they come last, one by one, to whoever is free."""

# Whoever starts the tests in the background or with nohup has these ignored, and every child would inherit that.
with contextlib.suppress(ValueError):  # not in the main thread
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)

# The knowledge base, which every worker holds, is a million objects that a collection goes through in vain. What the
# tests leave behind is counted in thousands; the command collects nothing at all.
gc.set_threshold(100_000, 50, 100)

# Each of the many processes that the tests start would compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):  # of one process the usual order is the best
        items.sort(key=lambda item: _turn(item.nodeid))


def _turn(nodeid):
    return next((n for n, path in enumerate(LONG) if nodeid.startswith(path)), len(LONG) + (APART in nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """The tests of a file go to one worker, and those that look at the built site."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            path = nodeid.partition("::")[0]
            if path == APART:
                return nodeid
            return "tests/cli/site" if path.startswith("tests/cli/site/") else path

    config.option.loadscopereorder = False  # by length, not by number of tests
    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def isolated_cache(tmp_path_factory):
    """No test reads or writes the cache of the person who runs them."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    patch.delenv("NO_COLOR", raising=False)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def fits():
    """A function that raises where a JSON document is not as ``gpudoctor schema`` says."""
    import jsonschema

    from gpudoctor.cli.commands.schema import schema_of

    def check(document):
        schema = schema_of(document["schema"].split("/")[1])
        jsonschema.Draft202012Validator(schema).validate(document)

    return check


@pytest.fixture(scope="session")
def knowledge(isolated_cache):
    """The built-in knowledge base."""
    from gpudoctor.engine import Knowledge

    return Knowledge.load()


@pytest.fixture(scope="session")
def reader(knowledge):
    """What reads reports by the built-in knowledge base."""
    from gpudoctor.probes.report import Reader

    return Reader(knowledge)


@pytest.fixture(scope="session")
def type_of(knowledge):
    """Looks the facts of the built-in knowledge base up."""
    return knowledge.vocabulary.spec


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
