"""One pass over text of any size: which lines hold which literal, in constant memory.

All literals are looked for at once (Aho-Corasick). Text comes in chunks of whole lines; a line longer
than a chunk is cut. A literal that turns up very often is dropped from the search after a while, so that
a chatty log costs no more than a quiet one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

try:
    from ahocorasick_rs import BytesAhoCorasick, Implementation
except ImportError:  # in gpudoctor.pyz
    from .literals import BytesAhoCorasick, Implementation  # type: ignore[assignment]

from .text import LONGEST

CHUNK = 4 << 20
PAGE = 256 << 10
"""Bytes up to which it does not pay to make the faster automaton."""
ENOUGH = 4000
"""Hits of one literal in one text after which it is not looked for any more."""


class Hit(NamedTuple):
    """A line that holds at least one literal; ``literals`` are their numbers, in order."""

    number: int
    data: bytes
    literals: tuple[int, ...]
    start: int  # where the line begins in ``chunk``
    chunk: bytes


class Search:
    """Literals and the automaton that finds them, shared by the scanners of many texts."""

    def __init__(self, literals: list[bytes]) -> None:
        self.literals = literals

    @cached_property
    def small(self) -> BytesAhoCorasick:
        """For a page or two: made in a tenth of the time."""
        return BytesAhoCorasick(self.literals, implementation=Implementation.ContiguousNFA)

    @cached_property
    def large(self) -> BytesAhoCorasick:
        """For a log: found twice as fast."""
        return _automaton(self.literals)


class Scanner:
    """Finds literals in chunks. One scanner reads one text."""

    def __init__(self, search: Search, line: int = 1) -> None:
        self._literals = search.literals
        self._active = list(range(len(self._literals)))
        self._counts = [0] * len(self._literals)
        self._made = search
        self._search: BytesAhoCorasick | None = None  # one of its own, once it has forgotten something
        self._line = line

    @property
    def line(self) -> int:
        """The number of the line that comes next."""
        return self._line

    @property
    def forgot(self) -> bool:
        """Whether some literal turned up so often that it is not looked for any more."""
        return len(self._active) < len(self._literals)

    def scan(self, chunk: bytes) -> Iterator[Hit]:
        """The lines of a chunk in which something was found. Call once per chunk, in order."""
        search = self._search or (self._made.large if len(chunk) > PAGE else self._made.small)
        matches = search.find_matches_as_indexes(chunk, overlapping=True) if self._active else []
        counted, line = 0, self._line
        at = 0
        while at < len(matches):
            start = chunk.rfind(b"\n", 0, matches[at][1]) + 1
            end = chunk.find(b"\n", matches[at][2])
            end = len(chunk) if end < 0 else end
            found: dict[int, None] = {}
            first = matches[at][1]
            while at < len(matches) and matches[at][1] < end:
                found[self._active[matches[at][0]]] = None
                at += 1
            line += chunk.count(b"\n", counted, start)
            counted = start
            for literal in found:
                self._counts[literal] += 1
            low, high = max(start, first - LONGEST), min(end, first + LONGEST)
            yield Hit(line, chunk[low:high], tuple(found), start, chunk)
        self._line = line + chunk.count(b"\n", counted)
        self._forget_chatter()

    def _forget_chatter(self) -> None:
        if any(self._counts[literal] > ENOUGH for literal in self._active):
            self._active = [literal for literal in self._active if self._counts[literal] <= ENOUGH]
            self._search = _automaton([self._literals[literal] for literal in self._active])


def _automaton(literals: list[bytes]) -> BytesAhoCorasick:
    return BytesAhoCorasick(literals, implementation=Implementation.DFA if len(literals) < 2000 else None)


def chunks(parts: Iterable[bytes], size: int = CHUNK) -> Iterator[bytes]:
    """Regroup bytes into chunks of whole lines of about ``size``; longer lines are cut."""
    rest = b""
    for part in parts:
        rest = rest + part if rest else part
        if len(rest) < size:
            continue
        cut = rest.rfind(b"\n") + 1 or len(rest)
        yield rest[:cut]
        rest = rest[cut:]
    if rest:
        yield rest
