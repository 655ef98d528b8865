"""Linter: the day on which somebody read the sources of a page (``checked``) is one, and has come."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def check(checked: str, where: str) -> Iterator[str]:
    """``checked`` of one page: a day, and not one that is still to come."""
    try:
        day = datetime.date.fromisoformat(checked) if _DAY.match(checked) else None
    except ValueError:
        day = None
    if day is None:
        yield f'{where}: "checked" must be a day such as 2026-11-22, not "{checked}"'
    elif day > datetime.date.today() + datetime.timedelta(days=1):  # somewhere it is tomorrow already
        yield f'{where}: "checked" must be a day that has come, not {checked}'
