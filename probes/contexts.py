"""How far what stands in a line of a report is trusted, by the words around it."""

from __future__ import annotations

from ..engine.facts import PRINTED, SAID
from ..engine.language.stance import ABOVE, Stance, stance
from .scanner import Hit
from .text import clean

_TRUST = {Stance.PRINTED: PRINTED, Stance.SAID: SAID, Stance.UNSURE: SAID}
_WIDTH = 600


def trust_of(hit: Hit, line: str, start: int, end: int) -> str:
    """The trust of a product's words from ``start`` to ``end``; empty if they speak of no fact of this machine."""
    above = hit.chunk[max(0, hit.start - _WIDTH * ABOVE) : hit.start].split(b"\n")[-ABOVE - 1 : -1]
    below = hit.chunk[hit.start : hit.start + _WIDTH * ABOVE].split(b"\n", ABOVE)[1:]
    after = next((piece for piece in below[:-1] if piece.strip(b" >\r")), b"")
    before = [clean(piece[-_WIDTH:]) for piece in above if piece.strip(b" \r") != b">"]
    return _TRUST.get(stance(line, before, start, end, clean(after[:_WIDTH])), "")
