"""The whole course: look around, prove every group, write the report after every check."""

from __future__ import annotations

import datetime
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gpudoctor.engine.errors import EngineError

from . import bedside, children, collective, faults, machine, report, surroundings
from .base import ROOT, Base
from .checks import FAILED, SKIPPED, Check, Course, Fail, Result, Skip, counts
from .kit import Kit
from .samples import Samples

BUDGET = 520.0
"""Seconds for everything: under nine minutes."""
GROUPS: dict[str, Callable[[Kit], Iterator[Check]]] = {
    "machine": machine.checks,
    "collective": collective.checks,
    "faults": faults.checks,
    "bedside": bedside.checks,
}
WITH_JOBS = ("collective", "faults", "bedside")
ALL_WELL, FAILURES, NOTHING, BROKEN_OFF = 0, 1, 3, 130


class Interrupted(BaseException):
    """Somebody ends the kit; the report is written first."""


class Options(NamedTuple):
    """What the command line asks for."""

    out: Path
    python: str = ""
    only: tuple[str, ...] = ()
    budget: float = BUDGET
    yes: bool = False


class Proof:
    """One run of the kit."""

    def __init__(self, options: Options, kit: Kit, base: Base, tell: Callable[[str], None]) -> None:
        self.options, self.kit, self.tell = options, kit, tell
        self.taken = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        self.began = time.monotonic()
        self.course = Course(options.budget, self._told)
        self.machine = surroundings.describe(kit.found)
        self.versions = {"gpudoctor": base.how, "commit": commit(), "python": sys.version.split()[0]}
        self.ended = "it was still running when this was written"

    def go(self) -> int:
        """Prove everything; the exit status."""
        self.write()
        before = machine.settings(self.kit)
        try:
            for group, checks in self._groups():
                self.course.follow(group, checks)
                self.kit.samples.write()
            self.course.follow("afterwards", self._afterwards(before))
            self.ended = ""
        except Interrupted as why:
            self.ended = f"broken off by {why}"
        self._end()
        if self.ended:
            return BROKEN_OFF
        found = counts(self.course.results)
        return FAILURES if found[FAILED] else ALL_WELL if self.kit.found.vendor else NOTHING

    def _groups(self) -> Iterator[tuple[str, Iterable[Check]]]:
        why = self._no_jobs()
        for group, checks in GROUPS.items():
            if self.options.only and group not in self.options.only:
                self.course.note(group, group, SKIPPED, "not asked for (--only)")
            elif group in WITH_JOBS and why:
                self.course.note(group, group, SKIPPED, why)
            else:
                yield group, checks(self.kit)

    def _no_jobs(self) -> str:
        """Why nothing may be started on the GPUs; empty where it may."""
        if not self.kit.found.interpreter:
            return f"no interpreter with a torch that sees a GPU: {'; '.join(self.kit.found.tried) or 'none was found'}"
        busy = machine.busy(self.kit)
        return f"{busy}: --yes does it all the same" if busy and not self.options.yes else ""

    def _afterwards(self, before: str) -> Iterator[Check]:
        yield Check("no setting of a GPU has changed", 20, lambda: _unchanged(self.kit, before))
        yield Check("no process is left", 10, lambda: _nothing_left(self.kit))

    def _told(self, result: Result) -> None:
        mark = {"passed": "ok  ", "failed": "FAIL", "skipped": "skip"}[result.outcome]
        self.tell(f"{mark} {result.seconds:6.1f} s  {result.group}: {result.name}: {result.reason}")
        self.write()

    def write(self) -> None:
        """The report as things stand."""
        document = report.as_document(
            self.machine, self.versions, self.course.results, time.monotonic() - self.began, self.taken,
            self.ended, self.kit.samples.names,
        )  # fmt: skip
        report.write(self.options.out, document)

    def _end(self) -> None:
        """The last report, read back: what it does not say is a failure of its own."""
        self.kit.samples.write()
        self.write()
        missing = report.untold(self.options.out, self.course.results)
        if missing:
            self.course.note("report", "says everything", FAILED, "; ".join(missing))


def _unchanged(kit: Kit, before: str) -> str:
    if not before:
        raise Skip("no tool tells the settings of these GPUs")
    after = machine.settings(kit)
    if after != before:
        raise Fail(f"before: {before!r}; after: {after!r}")
    return f"as before: {before.splitlines()[0]}"


def _nothing_left(kit: Kit) -> str:
    """Neither after one of the commands nor now."""
    there = [f"{pid} {command}" for pid, command in children.living().items()]
    if kit.left or there:
        raise Fail("; ".join([*kit.left, *there]))
    return "none after any command"


def commit() -> str:
    """Of this repository; nothing where it is none, or there is no git."""
    try:
        found = subprocess.run(
            ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True,
            timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.strip()


def prove(
    options: Options,
    base: Base,
    environment: dict[str, str],
    tell: Callable[[str], None] = print,
    **of_kit: Any,
) -> int:
    """Look around, and run the kit on what is there; the exit status. Raises EngineError where it cannot write."""

    def ended(number: int, frame: object) -> None:
        raise Interrupted(signal.Signals(number).name)

    options.out.mkdir(parents=True, exist_ok=True)
    handled = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, ended) for number in handled}
    try:
        with tempfile.TemporaryDirectory(prefix="gpudoctor-kit-") as scratch:
            found = surroundings.survey(options.python, environment)
            kit = Kit(found, Samples(options.out), Path(scratch), base, may_disturb=options.yes, **of_kit)
            proof = Proof(options, kit, base, tell)
            status = proof.go()
            results = counts(proof.course.results)
    except Interrupted as why:
        tell(f"broken off by {why} while looking around")
        return BROKEN_OFF
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    tell(
        f"{results['passed']} passed, {results['failed']} failed, {results['skipped']} skipped: "
        f"{options.out / report.MARKDOWN}"
    )
    return status


__all__ = ["EngineError", "Options", "prove"]
