"""Limits and sizes: ``ulimit -a``, ``/proc/PID/limits``, ``df`` of ``/dev/shm``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_KIB = 1024
_LIMIT = lazy_pattern(
    r"(?i)(max locked memory|open files)\s{0,40}(?:\(([^)]{0,20}?)(?:, -\w)?\))?\s{1,40}(unlimited|\d{1,20})"
    r"(?:\s{1,40}(?:unlimited|\d{1,20})\s{1,40}(\w+))?"
)
_LIMITS = {"max locked memory": "limit.memlock_bytes", "open files": "limit.nofile"}


def parse_limit(lines: Lines, at: int) -> Iterator[Found]:
    """``ulimit -a`` (KiB) and ``/proc/PID/limits`` (bytes)."""
    found = _LIMIT.search(lines[at])
    fact = _LIMITS.get(found[1].lower()) if found else None
    if not found or not fact:
        return
    if not found[3].isdecimal():  # unlimited, in whatever case
        yield Found(fact, -1, at)
        return
    unit = (found[2] or found[4] or "").lower()
    in_kib = fact.endswith("bytes") and unit.startswith("kb")
    yield Found(fact, int(found[3]) * (_KIB if in_kib else 1), at)


_SIZE = r"(\d{1,15}(?:\.\d{1,9})?[KMGT]?i?)"
_SIZES = lazy_pattern(rf"(?:^|\s){_SIZE}\s+{_SIZE}\s+{_SIZE}\s+\d+%\s+/dev/shm")


def parse_df(lines: Lines, at: int) -> Iterator[Found]:
    """The line of ``df`` for ``/dev/shm``; the header tells the unit."""
    found = _SIZES.search(lines[at])
    if not found:
        return
    header = next((line for line in reversed(lines[:at]) if "Filesystem" in line or "文件系统" in line), "")
    plain = 1 if "1B-blocks" in header else _KIB
    for fact, text in (("shm.size_bytes", found[1]), ("shm.free_bytes", found[3])):
        yield Found(fact, _size(text, plain), at)


def _size(text: str, plain: int) -> int:
    found = re.match(r"([\d.]+)([KMGT]?)", text)
    assert found
    factor = _KIB ** ("KMGT".index(found[2]) + 1) if found[2] else plain
    return int(float(found[1]) * factor)
