"""Is it cured? What held before and what holds now, incident by incident, remedy by remedy.

A remedy's ``after`` says what must be true once it has worked. The collective test outranks it: a job that
still hangs is not cured, whatever was set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..belief import CONFIRMED_STANDING, EXCLUDED, LIKELY
from ..facts import Value
from ..rules import Truth, evaluate, facts_of, words
from ..tuples import NamedTuple
from .session import Session

CURED, NOT_CURED, CANNOT_TELL = "cured", "not cured", "cannot tell"
TESTS = ("collective.default", "collective.gloo")
"""The collective test with the user's own settings; whichever was made."""
COPIES = "p2p.copy"
_BAD = ("hang", "error", "wrong")


class Check(NamedTuple):
    """One thing that must be true afterwards."""

    text: str
    before: Truth
    now: Truth


class RemedyCheck(NamedTuple):
    """What a remedy promises, before and now. ``effect``: it promises more than that a variable is set."""

    remedy: str
    checks: tuple[Check, ...]
    effect: bool

    @property
    def now(self) -> Truth:
        """Whether everything that it promises holds now."""
        return _every(check.now for check in self.checks)

    @property
    def before(self) -> Truth:
        """Whether it held already."""
        return _every(check.before for check in self.checks)


class Cure(NamedTuple):
    """The verdict on one incident and why."""

    incident: str
    verdict: str
    why: str
    remedies: tuple[RemedyCheck, ...]


def in_question(session: Session) -> list[str]:
    """The incidents to verify: confirmed and likely ones, or else the best possible one."""
    standings = [s for s in session.standings() if s.standing != EXCLUDED]
    leading = [s.id for s in standings if s.standing in (CONFIRMED_STANDING, LIKELY)]
    return leading or [s.id for s in standings[:1]]


def facts_to_measure(session: Session, incidents: Iterable[str]) -> list[str]:
    """The collective test, the copies between GPUs where they were tested, and what the remedies promise."""
    wanted = dict.fromkeys(TESTS)
    wanted.update((fact, None) for fact in (COPIES,) if session.value(fact) is not None)
    for remedy in _remedies(session, incidents):
        for condition in session.knowledge.remedy(remedy).after:
            wanted.update(dict.fromkeys(facts_of(condition)))
    return list(wanted)


def _remedies(session: Session, incidents: Iterable[str]) -> Iterator[str]:
    for incident in incidents:
        for name in session.knowledge.incident(incident).remedies:
            if not session.hindrances(name):
                yield name


def judge(before: Session, now: Session, incident: str) -> Cure:
    """The verdict on one incident, from the session as it was and as it is with what was measured anew."""
    checked = tuple(
        RemedyCheck(
            name,
            tuple(
                Check(words(c), evaluate(c, before.truth), evaluate(c, now.truth))
                for c in before.knowledge.remedy(name).after
            ),
            any(not f.startswith("env.") for c in before.knowledge.remedy(name).after for f in facts_of(c)),
        )
        for name in _remedies(before, [incident])
        if before.knowledge.remedy(name).kind != "test"
    )
    verdict, why = _verdict(before, now, checked, before.knowledge.incident(incident).collective)
    return Cure(incident, verdict, why, checked)


def _verdict(
    before: Session, now: Session, checked: tuple[RemedyCheck, ...], umbrella: bool
) -> tuple[str, str]:
    newly = [c.remedy for c in checked if c.effect and c.now is True and c.before is not True]
    for test in TESTS:
        outcome, earlier = now.value(test), before.value(test)
        if outcome in _BAD:
            return NOT_CURED, f"{test} is {outcome} with your own settings"
        if outcome == "pass" and earlier in _BAD:
            return CURED, f"{test} was {earlier} and is pass now"
        if outcome == "pass" and newly:
            return CURED, f"{test} is pass now, and what {newly[0]} promises has become true"
    if any(now.value(test) == "pass" for test in TESTS):
        return CANNOT_TELL, "the collective test passes now, but it was not made before"
    if newly and umbrella:
        return (
            CANNOT_TELL,
            f"what {newly[0]} promises has become true; whether that was the cause needs the test",
        )
    if newly and not any(before.value(test) in _BAD for test in TESTS):
        return CURED, f"what {newly[0]} promises has become true"
    if checked and all(c.now is False for c in checked):
        return NOT_CURED, "nothing that any of the remedies promises is true"
    return CANNOT_TELL, "what must be true afterwards could not be established"


def overall(cures: Iterable[Cure]) -> str:
    """One verdict for all: not cured if one is not, cured if all are."""
    verdicts = {cure.verdict for cure in cures}
    if NOT_CURED in verdicts:
        return NOT_CURED
    return CURED if verdicts == {CURED} else CANNOT_TELL


def _every(truths: Iterable[Truth]) -> Truth:
    found = list(truths)
    if False in found:
        return False
    return True if found and None not in found else None


def side_by_side(before: Session, now: Session, facts: Iterable[str]) -> list[dict[str, Any]]:
    """Each fact as it was and as it is; None where it is not known, with the reason if there is one."""
    rows: list[dict[str, Any]] = []
    for fact in facts:
        settled = now.settled(fact)
        row: dict[str, Any] = {
            "fact": fact,
            "before": _plain(before.value(fact)),
            "now": _plain(now.value(fact)),
        }
        if row["now"] is None and settled is not None and settled.reason:
            row["reason"] = settled.reason
        if row["before"] is not None or row["now"] is not None or "reason" in row:
            rows.append(row)
    return rows


def _plain(value: Value | None) -> Any:
    return value
