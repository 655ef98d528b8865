"""One pass over text of any size: which lines hold which literal, in constant memory.

In a page of text those literals are looked for one by one that may stand in it; in more all at once (Aho-Corasick).
Text comes in chunks of whole lines; a line longer than a chunk is cut. A literal that turns up very often is dropped
from the search after a while, so that a chatty log costs no more than a quiet one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from gpudoctor.engine.tuples import NamedTuple

from .literals import matches_of
from .text import LONGEST

if TYPE_CHECKING:
    from ahocorasick_rs import BytesAhoCorasick

CHUNK = 4 << 20
PAGE = 32 << 10
"""Bytes up to which it does not pay to make an automaton of all literals."""
ENOUGH = 4000
"""Hits of one literal in one text after which it is not looked for any more."""


class LiteralHit(NamedTuple):
    """A line that holds at least one literal; ``literals`` in the order in which they end."""

    number: int
    data: bytes
    literals: tuple[bytes, ...]
    start: int  # where the line begins in ``chunk``
    chunk: bytes


class Search:
    """What is looked for, shared by the scanners of many texts.

    ``every`` lists the literals, each once; ``likely`` those that may stand in a text.
    """

    def __init__(
        self, every: Callable[[], list[bytes]], likely: Callable[[bytes], Collection[bytes]]
    ) -> None:
        self._every = every
        self.likely = likely

    @cached_property
    def literals(self) -> list[bytes]:
        """All literals."""
        return self._every()

    @cached_property
    def automaton(self) -> BytesAhoCorasick:
        """Finds them all at once."""
        return _automaton(self.literals)


class Scanner:
    """Finds literals in chunks. One scanner reads one text."""

    def __init__(self, search: Search, line: int = 1) -> None:
        self._made = search
        self._counts: Counter[bytes] = Counter()
        self._forgotten: set[bytes] = set()
        self._kept: tuple[list[bytes], BytesAhoCorasick] | None = None  # once it has forgotten something
        self._line = line

    @property
    def line(self) -> int:
        """The number of the line that comes next."""
        return self._line

    @property
    def forgot(self) -> bool:
        """Whether some literal turned up so often that it is not looked for any more."""
        return bool(self._forgotten)

    def scan(self, chunk: bytes) -> Iterator[LiteralHit]:
        """The lines of a chunk in which something was found. Call once per chunk, in order."""
        literals, matches = self._matches(chunk)
        counted, line = 0, self._line
        at = 0
        counts, many = self._counts, len(matches)
        while at < many:
            number, first, last = matches[at]
            start = chunk.rfind(b"\n", 0, first) + 1
            end = chunk.find(b"\n", last)
            end = len(chunk) if end < 0 else end
            found = {literals[number]: None}
            at += 1
            while at < many:
                number, begins, _ = matches[at]
                if begins >= end:
                    break
                found[literals[number]] = None
                at += 1
            line += chunk.count(b"\n", counted, start)
            counted = start
            for literal in found:
                counts[literal] += 1
            low, high = max(start, first - LONGEST), min(end, first + LONGEST)
            yield LiteralHit(line, chunk[low:high], tuple(found), start, chunk)
        self._line = line + chunk.count(b"\n", counted)
        self._forgotten.update(literal for literal in self._counts if self._counts[literal] > ENOUGH)

    def _matches(self, chunk: bytes) -> tuple[list[bytes], list[tuple[int, int, int]]]:
        """Literals, and the number, start and end of every match of one, in the order in which they end."""
        if len(chunk) <= PAGE:
            likely = [literal for literal in self._made.likely(chunk) if literal not in self._forgotten]
            return likely, matches_of(likely, chunk)
        if not self._forgotten:
            return self._made.literals, self._made.automaton.find_matches_as_indexes(chunk, overlapping=True)
        literals = [literal for literal in self._made.literals if literal not in self._forgotten]
        if self._kept is None or len(self._kept[0]) != len(literals):
            self._kept = literals, _automaton(literals)
        return literals, self._kept[1].find_matches_as_indexes(chunk, overlapping=True) if literals else []


def _automaton(literals: list[bytes]) -> BytesAhoCorasick:
    try:
        from ahocorasick_rs import BytesAhoCorasick, Implementation
    except ImportError:  # in gpudoctor.pyz
        from .literals import BytesAhoCorasick, Implementation  # type: ignore[assignment]

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
