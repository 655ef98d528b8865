"""Finding literals one by one: in a page of text, and everywhere where nothing compiled can be had.

Most literals do not stand in a text at all, and are not looked for: each four bytes in a row of a literal must be among
those of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.knowledge.literals import grams

Match = tuple[int, int, int]
"""The number of a literal, and where it begins and ends."""


def matches_of(literals: Sequence[bytes], text: bytes) -> list[Match]:
    """Every match of literals, in the order in which they end; of several that end together the longest first."""
    found: list[Match] = []
    for number, literal in enumerate(literals):
        at = text.find(literal)
        while at >= 0:
            found.append((number, at, at + len(literal)))
            at = text.find(literal, at + 1)
    return sorted(found, key=lambda match: (match[2], match[1], match[0]))


class BytesAhoCorasick:
    """The calls of ahocorasick_rs, as far as the scanner makes them: right, and slower on large logs."""

    def __init__(self, literals: list[bytes], implementation: object = None) -> None:
        self._literals = [(number, literal, grams(literal)) for number, literal in enumerate(literals)]

    def find_matches_as_indexes(self, chunk: bytes, overlapping: bool = True) -> list[Match]:
        """Number, start and end of every match, in the order in which they end."""
        there = grams(chunk)
        likely = [(number, literal) for number, literal, parts in self._literals if parts <= there]
        found = matches_of([literal for _, literal in likely], chunk)
        return [(likely[number][0], start, end) for number, start, end in found]


class Implementation:
    """Which automaton to make; here there is only one way."""

    DFA = None
