"""One thing that an audit has found."""

from __future__ import annotations

from typing import Any

from ..model import NOTE, SEVERITIES, Source
from ..tuples import NamedTuple

SEVERITY_ORDER = (*SEVERITIES, NOTE)
"""The worst first: wrong results go unnoticed, a note does no harm by itself."""
ISSUE, PITFALL, SETTING, SUPPRESSION = "known-issue", "pitfall", "setting", "suppression"


class AuditFinding(NamedTuple):
    """What is wrong, where it stands, why, and what to do; ``because``: the facts under it with their values.

    ``leads_to``: the incident that comes of it; ``remedies``: entries of the knowledge base that help.
    """

    id: str
    kind: str
    severity: str
    where: str
    title: str
    what: str
    fix: str
    command: str = ""
    subject: str = ""
    because: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
    remedies: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    since: str = ""
    fixed: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the JSON (``audit.schema.json``)."""
        found = self._asdict()
        found["because"] = [{"fact": fact, "value": value} for fact, value in self.because]
        found["remedies"] = list(self.remedies)
        found["sources"] = [{"url": s.url, "kind": s.kind, "supports": s.supports} for s in self.sources]
        return found


def worst_first(findings: list[AuditFinding]) -> list[AuditFinding]:
    """By severity, then in the order of the places."""
    return sorted(findings, key=lambda f: (SEVERITY_ORDER.index(f.severity), f.kind, _place(f.where), f.id))


def _place(where: str) -> tuple[str, int]:
    file, _, line = where.rpartition(":")
    return (file, int(line)) if line.isdecimal() else (where, 0)
