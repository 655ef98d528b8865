"""Literals of signatures, and which signatures each of them calls; those of a short text are read without the others.

A literal can stand in a text only if its first four bytes do. The rows of the index go by these (grams), so what a page
of text costs does not grow with the knowledge base. A row of a gram names signatures by number; each has a row of its
own, which is read when one of its literals stands in the text.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..model import Signature
from . import recordjson

GRAM = 4
LOGS, SAID = "log", "said"
"""The two tables: what programs print, and what people say."""
_SHORT = -1
"""The row of literals that are shorter than a gram."""


def literal_rows(signatures: Iterable[tuple[str, Iterable[Signature]]]) -> dict[str, Any]:
    """The rows of both tables by their names in an index."""
    tables: dict[str, dict[int, dict[str, list[int]]]] = {LOGS: {}, SAID: {}}
    rows: dict[str, Any] = {}
    number = 0
    for fact, found in signatures:
        for signature in found:
            number += 1
            rows[f"signature:{number}"] = [fact, recordjson.pack(signature)]
            rows[f"samples:{number}"] = signature.matches
            table = tables[SAID if signature.words else LOGS]
            for literal in signature.literals:
                row = table.setdefault(_gram(literal.encode()), {})
                row.setdefault(literal, []).append(number)
    for name, table in tables.items():
        rows[f"grams:{name}"] = sorted(table)
        rows.update((f"gram:{name}:{gram}", row) for gram, row in table.items())
    return rows


class Literals:
    """The literals of one table. ``part`` gives a row by its name."""

    def __init__(self, table: str, part: Callable[[str], Any]) -> None:
        self._table = table
        self._part = part
        self._grams: frozenset[int] = frozenset(part(f"grams:{table}") or ())
        self._rows: dict[int, Mapping[str, list[int]]] = {}
        self._called: dict[str, list[tuple[int, str, Signature]]] = {}

    def every(self) -> list[str]:
        """All of them."""
        return [literal for gram in sorted(self._grams) for literal in self._row(gram)]

    def likely(self, text: bytes) -> list[str]:
        """Those that may stand in a text, and no more than a few others."""
        return [
            literal for gram in sorted(self._grams & {_SHORT, *grams(text)}) for literal in self._row(gram)
        ]

    def signatures(self, literal: str) -> list[tuple[int, str, Signature]]:
        """The signatures that a literal calls, each with its number and its fact, in the order of the facts.

        A signature has one number under all its literals: numbers are compared faster than signatures.
        """
        found = self._called.get(literal)
        if found is None:
            gram = _gram(literal.encode())
            numbers = self._row(gram).get(literal, ()) if gram in self._grams else ()
            found = self._called[literal] = list(map(self._signature, numbers))
        return found

    def samples(self, number: int) -> tuple[str, ...]:
        """The sample lines of a signature, by its number; they are seldom read, and so they stand apart."""
        return tuple(self._part(f"samples:{number}"))

    def _signature(self, number: int) -> tuple[int, str, Signature]:
        fact, packed = self._part(f"signature:{number}")
        return number, fact, recordjson.unpack(packed)

    def _row(self, gram: int) -> Mapping[str, list[int]]:
        row = self._rows.get(gram)
        if row is None:
            row = self._rows[gram] = self._part(f"gram:{self._table}:{gram}")
        return row


def grams(text: bytes) -> set[int]:
    """Each four bytes in a row, as one number; the text is taken in four strides."""
    found: set[int] = set()
    for start in range(min(GRAM, len(text))):
        numbers = array("I", text[start : start + (len(text) - start) // GRAM * GRAM])
        if sys.byteorder == "big":
            numbers.byteswap()
        found.update(numbers)
    return found


def _gram(literal: bytes) -> int:
    return int.from_bytes(literal[:GRAM], "little") if len(literal) >= GRAM else _SHORT
