"""The lines around a line, and how many of them parsers may look at: a text of nothing but triggers takes no longer."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from .scanner import LiteralHit
from .text import LONGEST, clean

_WIDTH = 600  # bytes of one neighbouring line, at most, that a parser is given
BASE, PER_LINE = 2_000, 0.5
"""Neighbouring lines that one parser is given in one text: so many, and more for each line as the text goes on."""


class Windows:
    """Counts what the parsers of one text have looked at."""

    def __init__(self) -> None:
        self._spent: dict[str, int] = defaultdict(int)

    def allows(self, parser: str, lines: int, number: int) -> bool:
        """Whether a parser may look at so many lines around line ``number``."""
        if self._spent[parser] > BASE + PER_LINE * number:
            return False
        self._spent[parser] += lines
        return True


_cleaned = lru_cache(maxsize=512)(clean)
"""The windows of one line after the other hold mostly the same lines."""


def lines_above(hit: LiteralHit, count: int) -> list[str]:
    """Up to ``count`` lines that stand before the line of the hit."""
    if not count:
        return []
    text = hit.chunk[max(0, hit.start - _WIDTH * count) : hit.start]
    return [_cleaned(piece[:LONGEST]) for piece in text.rsplit(b"\n", count + 1)[-count - 1 : -1]]


def lines_below(hit: LiteralHit, count: int) -> list[str]:
    """Up to ``count`` lines that stand behind the line of the hit."""
    start = hit.chunk.find(b"\n", hit.start) + 1 if count else 0
    if not start:
        return []
    text = hit.chunk[start : start + _WIDTH * count]
    return [_cleaned(piece[:LONGEST]) for piece in text.split(b"\n", count)[:count]]
