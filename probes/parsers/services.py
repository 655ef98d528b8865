"""``systemctl status``: whether a service of the GPUs runs."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_UNIT = lazy_pattern(r"^\W{0,4}(nvidia-fabricmanager)\.service\b")
_ACTIVE = lazy_pattern(r"^\s{0,12}Active: (active|inactive|failed|activating|deactivating)\b")
_STATES = {"active": "running", "inactive": "stopped", "failed": "stopped", "deactivating": "stopped"}
_LINES = 12
"""Between the name of a unit and its state there are drop-ins, at most so many lines."""


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """The state that stands below the name of the unit; one that is about to start is none yet."""
    if not _UNIT.match(lines[at]):
        return
    for number in range(at + 1, min(len(lines), at + 1 + _LINES)):
        state = _ACTIVE.match(lines[number])
        if state:
            if state[1] in _STATES:
                yield Found("service.fabric_manager", _STATES[state[1]], number)
            return
