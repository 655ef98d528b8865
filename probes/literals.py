"""Finding literals without ahocorasick_rs, where nothing compiled can be had: right, and slow on large logs.

The same calls as that library, as far as the scanner makes them.
"""

from __future__ import annotations


class BytesAhoCorasick:
    """Looks for each literal by itself."""

    def __init__(self, literals: list[bytes], implementation: object = None) -> None:
        self._literals = literals

    def find_matches_as_indexes(self, chunk: bytes, overlapping: bool = True) -> list[tuple[int, int, int]]:
        """Number, start and end of every match, in the order in which they end."""
        found = []
        for number, literal in enumerate(self._literals):
            at = chunk.find(literal)
            while at >= 0:
                found.append((number, at, at + len(literal)))
                at = chunk.find(literal, at + 1)
        return sorted(found, key=lambda match: (match[2], match[1], match[0]))


class Implementation:
    """Which automaton to make; here there is only one way."""

    ContiguousNFA = DFA = None
