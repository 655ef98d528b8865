"""Findings that somebody has looked at and accepts, each with a reason and a day on which that ends."""

from __future__ import annotations

import datetime
from fnmatch import fnmatchcase

from ..errors import EngineError
from ..facts.yamltext import read_yaml
from ..model import NOTE
from ..tuples import NamedTuple
from .findings import SUPPRESSION, AuditFinding

FILE = ".gpudoctor.yaml"


class SuppressionError(EngineError):
    """The file of suppressions is written wrongly."""


class Suppression(NamedTuple):
    """One accepted finding; ``where``: a pattern for its place, empty for everywhere."""

    id: str
    reason: str
    until: datetime.date
    where: str
    place: str

    def covers(self, finding: AuditFinding) -> bool:
        """Whether it speaks of a finding."""
        places = (finding.where, finding.where.rpartition(":")[0])
        here = not self.where or any(fnmatchcase(place, self.where) for place in places)
        return finding.id == self.id and here


def read_suppressions(text: str, where: str) -> list[Suppression]:
    """``audit: {ignore: [{id, reason, until, where}]}``. Raises SuppressionError or YamlError."""
    document = read_yaml(text, where)
    data = document.data if document.data is not None else {}
    audit = data.get("audit") if isinstance(data, dict) else None
    if not isinstance(data, dict) or (audit is not None and not isinstance(audit, dict)):
        raise SuppressionError('this file is written as "audit: {ignore: [...]}"', f"{where}:1")
    listed = (audit or {}).get("ignore") or []
    if not isinstance(listed, list):
        raise SuppressionError('"ignore" must be a list', document.place("audit", "ignore"))
    found = []
    for number, one in enumerate(listed):
        place = document.place("audit", "ignore", number)
        if not isinstance(one, dict) or not all(isinstance(v, str) for v in one.values()):
            raise SuppressionError("a suppression has id, reason, until and where", place)
        if unknown := sorted({*one} - {"id", "reason", "until", "where"}):
            raise SuppressionError(f'a suppression has no "{unknown[0]}"', place)
        for key in ("id", "reason", "until"):
            if not one.get(key):
                raise SuppressionError(f'a suppression needs "{key}"', place)
        try:
            until = datetime.date.fromisoformat(one["until"])
        except ValueError:
            raise SuppressionError(f'until: "{one["until"]}" is no day such as 2027-01-31', place) from None
        found.append(Suppression(one["id"], one["reason"], until, one.get("where", ""), place))
    return found


def sifted(
    findings: list[AuditFinding], suppressions: list[Suppression], today: datetime.date
) -> tuple[list[AuditFinding], list[tuple[AuditFinding, Suppression]], list[Suppression]]:
    """What is left, what is suppressed and by what, and the suppressions that cover nothing.

    One that has expired suppresses nothing any more, and is a finding itself.
    """
    left: list[AuditFinding] = []
    gone: list[tuple[AuditFinding, Suppression]] = []
    used: set[Suppression] = set()
    for finding in findings:
        covering = [one for one in suppressions if one.covers(finding)]
        used.update(covering)
        valid = next((one for one in covering if one.until >= today), None)
        if valid:
            gone.append((finding, valid))
        else:
            left.append(finding)
    left += [_expired(one) for one in suppressions if one.until < today]
    return left, gone, [one for one in suppressions if one not in used and one.until >= today]


def _expired(one: Suppression) -> AuditFinding:
    return AuditFinding(
        id="suppression-expired",
        kind=SUPPRESSION,
        severity=NOTE,
        where=one.place,
        title=f"The suppression of {one.id} has expired",
        what=f"It ended on {one.until.isoformat()}. Its reason was: {one.reason}",
        fix="Look at the finding again: mend it, or give the suppression another day.",
        because=(("until", one.until.isoformat()),),
    )
