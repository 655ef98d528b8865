"""Finding literals without ahocorasick_rs, where nothing compiled can be had: right, and slower on large logs.

The same calls as that library, as far as the scanner makes them. Most literals do not stand in a text at all, and are
not looked for: each four bytes in a row of a literal must be among those of the text.
"""

from __future__ import annotations

GRAM = 4


class BytesAhoCorasick:
    """Looks for each literal by itself, if it may be there."""

    def __init__(self, literals: list[bytes], implementation: object = None) -> None:
        self._literals = [(number, literal, _grams(literal)) for number, literal in enumerate(literals)]

    def find_matches_as_indexes(self, chunk: bytes, overlapping: bool = True) -> list[tuple[int, int, int]]:
        """Number, start and end of every match, in the order in which they end."""
        there = _grams(chunk)
        found = []
        for number, literal, grams in self._literals:
            if not grams <= there:
                continue
            at = chunk.find(literal)
            while at >= 0:
                found.append((number, at, at + len(literal)))
                at = chunk.find(literal, at + 1)
        return sorted(found, key=lambda match: (match[2], match[1], match[0]))


def _grams(text: bytes) -> set[int]:
    """Each four bytes in a row, as one number; those of a text are taken in four strides."""
    found: set[int] = set()
    for start in range(min(GRAM, len(text))):
        whole = (len(text) - start) // GRAM * GRAM
        found.update(memoryview(text)[start : start + whole].cast("I"))
    return found


class Implementation:
    """Which automaton to make; here there is only one way."""

    ContiguousNFA = DFA = None
