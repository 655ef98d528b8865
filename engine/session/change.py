"""What changed between two looks at a machine, the worst first, and which change is known to do harm.

A change is known to do harm where an audit finds something now that it did not find before, and names the changed fact
among its reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..audit import SEVERITY_ORDER, AuditFinding, Subject, audit
from ..facts import SET, Fact, Origin, Statement, Value, show_value
from ..facts.comparable import FREELY, comparable, variation
from ..facts.statements import FILE
from ..knowledge import Knowledge
from ..tuples import NamedTuple
from ..vendors import VENDORS
from .identity import OTHER, Identity, compare

SCHEMA = "gpudoctor/diff/1"
_EVENTS = (
    "symptom.",
    "issue.",
    "road",
    "log.",
    "skew.",
    "minority.",
    "variant.",
    "stack.",
    "job.",
    "probe.",
    "xid.",
    "changed.",
)
"""Facts that tell what happened, not how the machine is."""
CHANGED = "changed."
"""``changed.<fact>``: it is another than when the job last ran well."""
_FIRST = (
    "driver.",
    "kernel.version",
    *(f"{vendor.library}." for vendor in VENDORS),
    "torch.",
    *(f"{vendor.platform}." for vendor in VENDORS),
    "gpu.",
    "iommu.",
    "pcie.",
    "module.",
)
"""What explains most where nothing is known: the stack below the job, then its settings."""


class Snapshot(NamedTuple):
    """What was known of a machine at one time."""

    name: str
    values: Mapping[str, Value]
    identity: Identity | None = None


class Change(NamedTuple):
    """A fact and its two values, None where it was not known; ``findings`` of the audit that it brought about."""

    fact: str
    before: Value | None
    now: Value | None
    findings: tuple[AuditFinding, ...]

    @property
    def rank(self) -> tuple[object, ...]:
        """The worst first: what is known to do harm, then the stack, then what only came or went."""
        worst = min((SEVERITY_ORDER.index(f.severity) for f in self.findings), default=len(SEVERITY_ORDER))
        first = next((n for n, prefix in enumerate(_FIRST) if self.fact.startswith(prefix)), len(_FIRST))
        return (worst, self.before is None or self.now is None, first, self.fact)


class Difference(NamedTuple):
    """All changes, what one side alone knows, and whether it is one machine."""

    changes: tuple[Change, ...]
    only_before: tuple[str, ...]
    only_now: tuple[str, ...]
    same: str
    why: str
    knowledge: Knowledge

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the JSON."""
        return {
            "schema": SCHEMA,
            "machine": {"is": self.same, "why": self.why},
            "changes": [
                {
                    "fact": one.fact,
                    "title": self.knowledge.vocabulary.spec(one.fact).title,
                    "before": _shown(self.knowledge, one.fact, one.before),
                    "now": _shown(self.knowledge, one.fact, one.now),
                    "known": [finding.to_dict() for finding in one.findings],
                }
                for one in self.changes
            ],
            "only_before": list(self.only_before),
            "only_now": list(self.only_now),
        }


def difference(knowledge: Knowledge, before: Snapshot, now: Snapshot) -> Difference:
    """What changed from one snapshot to the other."""
    same, why = compare(before.identity, now.identity)
    spec = knowledge.vocabulary.spec
    names = sorted({*before.values, *now.values})
    changed: list[str] = []
    only: tuple[list[str], list[str]] = ([], [])
    for name in names:
        was, is_ = before.values.get(name), now.values.get(name)
        if name.startswith(_EVENTS) or name not in knowledge.vocabulary:
            continue
        if was is None or is_ is None:
            # A variable that nobody has set is unset; of other facts silence says nothing.
            if name.startswith("env."):
                changed.append(name)
            else:
                only[0 if is_ is None else 1].append(name)
            continue
        varies = variation(spec(name))
        if (
            varies == FREELY
            or SET in (was, is_)
            or comparable(spec(name), was) == comparable(spec(name), is_)
        ):
            continue
        if varies > 0 and isinstance(was, int) and isinstance(is_, int) and abs(was - is_) <= varies:
            continue
        if same == OTHER and name.startswith("host."):
            continue
        changed.append(name)
    found = _new_findings(knowledge, before, now)
    changes = [
        Change(name, before.values.get(name), now.values.get(name), _of(found, name)) for name in changed
    ]
    return Difference(
        tuple(sorted(changes, key=lambda c: c.rank)), tuple(only[0]), tuple(only[1]), same, why, knowledge
    )


def changed_facts(found: Difference, where: str) -> Iterator[Fact]:
    """The facts ``changed.*`` of what was known before and now. That all else is as it was is not concluded: one of the
    two may not have been asked about it. Nothing is concluded from another machine."""
    if found.same == OTHER:
        return
    spec = found.knowledge.vocabulary.spec
    for one in found.changes:
        if one.before is not None and one.now is not None:
            was, now = (show_value(spec(one.fact), value) for value in (one.before, one.now))
            yield Fact(CHANGED + one.fact, True, Origin(FILE, where, f"{was} -> {now}"))


def _new_findings(knowledge: Knowledge, before: Snapshot, now: Snapshot) -> list[AuditFinding]:
    """What an audit finds now and did not find before."""
    was = {finding.id for finding in audit(knowledge, [_subject(knowledge, before)]).findings}
    return [f for f in audit(knowledge, [_subject(knowledge, now)]).findings if f.id not in was]


def _subject(knowledge: Knowledge, snapshot: Snapshot) -> Subject:
    origin = Origin(FILE, snapshot.name)
    said: list[Statement] = [
        Fact(name, value, origin)
        for name, value in snapshot.values.items()
        if name in knowledge.vocabulary and not name.startswith(_EVENTS)
    ]
    return Subject("", tuple(said))


def _of(findings: list[AuditFinding], fact: str) -> tuple[AuditFinding, ...]:
    """Those that name the fact, or the release in use that follows from it, among their reasons."""
    product = fact.partition(".")[0]
    names = {fact, f"{product}.in_use"} if fact.endswith(("version", ".loaded_version")) else {fact}
    return tuple(finding for finding in findings if any(name in names for name, _ in finding.because))


def _shown(knowledge: Knowledge, fact: str, value: Value | None) -> str | None:
    return None if value is None else show_value(knowledge.vocabulary.spec(fact), value)
