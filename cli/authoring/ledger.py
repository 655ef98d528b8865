"""Which pages have to be read against their sources again: ``checked`` in their heads says when that was done."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from ...engine import Knowledge
from ...engine.model import Incident, Remedy

DAYS = 365
"""After so many days a page is read against its sources again: a fix may have come since."""


def unchecked(knowledge: Knowledge) -> list[str]:
    """A line for each incident, known issue and remedy whose sources nobody has read for a year, or ever."""
    incidents = [knowledge.incident(name) for name in (*knowledge.fault_ids, *sorted(knowledge.issue_ids))]
    return overdue([*incidents, *map(knowledge.remedy, knowledge.remedy_ids)])


def overdue(pages: Iterable[Incident | Remedy]) -> list[str]:
    """The same for these pages; the remedy of a known issue stands in its page."""
    limit = (datetime.date.today() - datetime.timedelta(days=DAYS)).isoformat()
    found = []
    for page in pages:
        is_remedy = isinstance(page, Remedy)
        if page.checked >= limit or (is_remedy and not page.path.startswith("remedies/")):
            continue
        kind = "remedy" if is_remedy else page.kind.replace("-", " ")
        read = f"last read on {page.checked}" if page.checked else "never checked by a second reader"
        found.append(f"{kind} {page.id}: sources {read}")
    return found
