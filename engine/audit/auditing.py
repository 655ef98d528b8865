"""An audit: everything that is judged of the machine and of each launch, as one document."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from ..characters import seen
from ..knowledge import Knowledge
from ..redaction import redact
from ..tuples import NamedTuple
from .findings import SEVERITY_ORDER, AuditFinding, worst_first
from .judging import pitfalls_of, settings_of
from .known import Subject, SubjectFacts
from .releases import Undecided, of_releases
from .suppressions import Suppression, sifted
from .upgrades import Upgrade

SCHEMA = "gpudoctor/audit/1"
FOUND, NOTHING, TOO_LITTLE = "findings", "nothing found", "too little known"
_TELLING = ("spec.gpus", "parallel.tensor", "parallel.ranks_per_node", "spec.rdma", "gpu.vendor", "launcher")
"""A launch of which one of these is known was looked at; of others an audit knows nothing."""


class Audit(NamedTuple):
    """What an audit has found. ``to_dict`` gives the documented JSON."""

    kb: dict[str, Any]
    findings: list[AuditFinding]
    undecided: list[Undecided]
    upgrades: list[Upgrade]
    suppressed: list[tuple[AuditFinding, Suppression]]
    products: list[tuple[str, str]]
    examined: list[str]
    enough: bool
    notes: list[str]

    @property
    def verdict(self) -> str:
        """In one word or two."""
        return FOUND if self.findings else NOTHING if self.enough else TOO_LITTLE

    def exit_status(self, fail_on: str) -> int:
        """0: nothing found and enough known; 1: something as bad as ``fail_on`` or worse; 3: too little known."""
        limit = SEVERITY_ORDER.index(fail_on)
        if any(SEVERITY_ORDER.index(finding.severity) <= limit for finding in self.findings):
            return 1
        return 0 if self.enough else 3

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON form (``audit.schema.json``)."""
        return {
            "schema": SCHEMA,
            "kb": self.kb,
            "verdict": self.verdict,
            "examined": self.examined,
            "products": [{"title": title, "version": version} for title, version in self.products],
            "findings": [finding.to_dict() for finding in self.findings],
            "upgrades": [upgrade.to_dict() for upgrade in self.upgrades],
            "undecided": [one.to_dict() for one in self.undecided],
            "suppressed": [
                {**finding.to_dict(), "reason": by.reason, "until": by.until.isoformat()}
                for finding, by in self.suppressed
            ],
            "notes": self.notes,
        }


def audit(
    knowledge: Knowledge,
    subjects: Sequence[Subject],
    suppressions: Sequence[Suppression] = (),
    today: datetime.date | None = None,
) -> Audit:
    """Judge the subjects. The first may be the machine, under an empty kind; the others are launches of specs.

    Raises FactError for a fact that the vocabulary does not know.
    """
    machine: SubjectFacts | None = None
    findings: list[AuditFinding] = []
    undecided: dict[str, Undecided] = {}
    upgrades: dict[tuple[str, str], Upgrade] = {}
    products: dict[tuple[str, str], None] = {}
    enough = False
    named = [one._replace(name=redact(seen(one.name)), where=redact(seen(one.where))) for one in subjects]
    for subject in named:
        known = SubjectFacts(knowledge, subject, machine)
        if not subject.kind:
            machine = known
        releases = of_releases(knowledge, known)
        pitfalls = list(pitfalls_of(knowledge, known))
        judged = {fact for pitfall in pitfalls for fact, _ in pitfall.because}
        findings += [*releases.findings, *pitfalls, *settings_of(knowledge, known, judged)]
        undecided.update((one.id, one) for one in releases.undecided)
        upgrades.update(((one.product, one.installed), one) for one in releases.upgrades)
        products.update((one, None) for one in releases.products)
        enough = enough or bool(releases.products) or (bool(subject.kind) and known.states(_TELLING))
    left, gone, idle = sifted(_once(findings), list(suppressions), today or datetime.date.today())
    return Audit(
        kb={
            "version": knowledge.version,
            "digest": knowledge.digest,
            "known_issues": knowledge.counts()[1],
            "pitfalls": len(knowledge.pitfall_ids),
        },
        findings=worst_first(left),
        undecided=sorted(undecided.values(), key=lambda u: (SEVERITY_ORDER.index(u.severity), u.id)),
        upgrades=list(upgrades.values()),
        suppressed=gone,
        products=list(products),
        examined=[f"{s.kind} {s.name}".strip() or "machine" for s in named],
        enough=enough,
        notes=[f"{one.place}: the suppression of {one.id} covers nothing" for one in idle],
    )


def _once(findings: list[AuditFinding]) -> list[AuditFinding]:
    """One finding for each id and place: ten pods of one file share a release and a mistake."""
    return list({(f.id, f.where): f for f in reversed(findings)}.values())[::-1]
