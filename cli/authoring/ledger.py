"""Which pages have to be read against their sources again: ``checked`` in their heads says when that was done."""

from __future__ import annotations

import datetime

from ...engine import Knowledge
from ...engine.model import Incident, Remedy

DAYS = 365
"""After so many days a page is read against its sources again: a fix may have come since."""


def unchecked(knowledge: Knowledge) -> list[str]:
    """A line for each incident, known issue and remedy whose sources nobody has read for a year, or ever."""
    limit = (datetime.date.today() - datetime.timedelta(days=DAYS)).isoformat()
    incidents = [knowledge.incident(name) for name in knowledge.fault_ids]
    issues = [knowledge.incident(name) for name in sorted(knowledge.issue_ids)]
    remedies = [r for r in map(knowledge.remedy, knowledge.remedy_ids) if r.path.startswith("remedies/")]
    found = []
    pages: tuple[tuple[str, list[Incident] | list[Remedy]], ...]
    pages = (("incident", incidents), ("known issue", issues), ("remedy", remedies))
    for kind, listed in pages:
        for page in listed:
            if page.checked < limit:
                read = f"last read on {page.checked}" if page.checked else "never checked by a second reader"
                found.append(f"{kind} {page.id}: sources {read}")
    return found
