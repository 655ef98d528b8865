"""How far a statement is trusted, by who made it; what it may rule out follows from that."""

from __future__ import annotations

from collections.abc import Iterable

from ..facts import ANSWER, FILE, PROBE, RULE, Origin

MEASURED, PRINTED, SAID, READ = 3, 2, 1, 0
"""Measured on this machine, printed by a tool or a log, said by the person, read from a sentence."""
NAMES = {"measured": MEASURED, "printed": PRINTED, "said": SAID, "read": READ}
AGAINST = {MEASURED: 8.0, PRINTED: 6.0, SAID: 6.0, READ: 2.0}
"""Bits that an exclusion or a failed requirement takes away, by the trust of the fact behind it."""
_BY_KIND = {PROBE: MEASURED, FILE: PRINTED, ANSWER: SAID, RULE: PRINTED}


def trust_of(origins: Iterable[Origin]) -> int:
    """The trust of the most trusted of the places that say it; 0 for none."""
    return max((_trust(origin) for origin in origins), default=READ)


def _trust(origin: Origin) -> int:
    named = getattr(origin, "trust", "")
    return NAMES[named] if named in NAMES else _BY_KIND.get(origin.kind, PRINTED)
