"""What a check is, what it came to, and the course of all checks within one budget."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
SLACK = 8.0
"""Seconds beyond its own limit after which a check is broken off: its children had limits of their own."""


class Skip(Exception):
    """The check cannot be made here, and why."""


class Fail(Exception):
    """What was found is not what it must be."""


class Check(NamedTuple):
    """One thing to prove: what it is called, how many seconds it may take, and what returns one line about it."""

    name: str
    seconds: float
    work: Callable[[], str]


class Result(NamedTuple):
    """What a check came to."""

    group: str
    name: str
    outcome: str
    reason: str
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "seconds": round(self.seconds, 2)}


@dataclass
class Course:
    """Checks one after the other; nothing that one of them does ends the others."""

    budget: float
    told: Callable[[Result], None]
    results: list[Result] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self.budget - (time.monotonic() - self.began)

    def follow(self, group: str, checks: Iterable[Check]) -> None:
        """Make the checks of a group; a group that cannot even say its checks has failed."""
        found = iter(checks)
        while True:
            try:
                check = next(found, None)
            except Skip as why:
                self.note(group, group, SKIPPED, str(why))
                return
            except Exception as error:
                self.note(group, group, FAILED, f"the kit itself: {type(error).__name__}: {error}")
                return
            if check is None:
                return
            self.make(group, check)

    def make(self, group: str, check: Check) -> None:
        """Make one check."""
        if self.left < check.seconds:
            why = f"{self.left:.0f} s are left of the budget of {self.budget:.0f} s, it may take {check.seconds:.0f}"
            self.note(group, check.name, SKIPPED, why)
            return
        began = time.monotonic()
        try:
            with _limit(check.seconds + SLACK):
                outcome, reason = PASSED, check.work()
        except Skip as why:
            outcome, reason = SKIPPED, str(why)
        except Fail as why:
            outcome, reason = FAILED, str(why)
        except _Late:
            outcome, reason = FAILED, f"it did not end in {check.seconds + SLACK:.0f} s"
        except Exception as error:
            outcome, reason = FAILED, f"the kit itself: {type(error).__name__}: {error}"
        self.note(group, check.name, outcome, reason, time.monotonic() - began)

    def note(self, group: str, name: str, outcome: str, reason: str, seconds: float = 0.0) -> None:
        """Keep a result, and tell of it at once."""
        result = Result(group, name, outcome, " ".join(reason.split())[:600], seconds)
        self.results.append(result)
        self.told(result)


class _Late(Exception):
    """The limit of a check was reached."""


class _limit:
    """An alarm that breaks off whatever waits, children's limits having failed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        def late(number: int, frame: object) -> None:
            raise _Late

        self._before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)


def same(what: str, said: object, wanted: object, by: str) -> str:
    """One line where two agree; Fail where they do not, or where one of them says nothing."""
    if said in (None, ""):
        raise Fail(f"{what}: nothing was said of it; {by} says {wanted}")
    if said != wanted:
        raise Fail(f"{what}: gpudoctor says {said}, {by} says {wanted}")
    return f"{said}"


def counts(results: Iterable[Result]) -> dict[str, int]:
    """How many of each outcome."""
    found = {PASSED: 0, FAILED: 0, SKIPPED: 0}
    for result in results:
        found[result.outcome] += 1
    return found
