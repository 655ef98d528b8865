"""Which pages hold a word, and what it weighs on each: made when an index is made, read when a text is looked up."""

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from .search import tokens

FIELDS = {
    "title": 4.0,
    "id": 6.0,
    "signs": 1.0,
    "said": 3.0,
    "reports": 5.0,
    "symptom": 1.5,
    "cause": 0.5,
    "other": 1.0,
    "sources": 4.0,
    "remedies": 0.5,
}
"""What a word is worth by the field of the page that holds it, chosen by the likelihood of the right page in reports
whose threads no page cites. What the sources support says most: it tells what other people met, in their words."""
LENGTH_SHARE = 0.2
HEAVIEST = 1000
"""Tenths of weight above which a word weighs no more: it is saturated long before."""


_LONGEST = 60
_NUMBER = lazy_pattern(r"(?:0x)?[0-9a-f]*\d[0-9a-f]*|\d+(?:[.:,-]\d+)*\w?")
_CODE = lazy_pattern(r"\d{3}")  # error 802 and the like are words
_STOP = frozenset(
    """the an of to in is are and or it on for with that this be as at by from not we my no have has was if when but
    can so do does you there then after only all one two which its will more than would been were our
    they""".split()  # noqa: SIM905
)


class Posting(NamedTuple):
    """The pages of a layer that hold a word, by number and in order, and its weight on each in tenths."""

    pages: "array[int]"
    tenths: "array[int]"

    @classmethod
    def of(cls, row: list[str]) -> "Posting":
        """A row of a table."""
        pages, tenths = map(a2b_base64, row)
        return cls(_array("H" if len(pages) == len(tenths) else "I", pages), _array("H", tenths))

    def tenths_of(self, page: int) -> int:
        """The weight on one page; 0 if it does not hold the word."""
        at = bisect_left(self.pages, page)
        return self.tenths[at] if at < len(self.pages) and self.pages[at] == page else 0


def words_of(text: str) -> list[str]:
    """The words of a text that may tell pages apart: no numbers, no words of every sentence; repeated ones too."""
    return [
        token
        for token in tokens(text)
        if 1 < len(token) <= _LONGEST
        and token not in _STOP
        and (not _NUMBER.fullmatch(token) or _CODE.fullmatch(token))
    ]


def build(documents: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """The index of documents, each a text by field: for every word the documents with its weight in tenths."""
    counted: dict[str, Counter[str]] = {}
    for name, fields in documents.items():
        counts: Counter[str] = Counter()
        for field, text in fields.items():
            for word, times in Counter(words_of(text)).items():
                counts[word] += times * FIELDS[field]  # type: ignore[assignment]
        counted[name] = counts
    lengths = {name: sum(counts.values()) for name, counts in counted.items()}
    average = sum(lengths.values()) / max(len(lengths), 1) or 1.0
    listed: dict[str, tuple[list[int], list[int]]] = {}
    for number, (name, counts) in enumerate(counted.items()):
        norm = 1 - LENGTH_SHARE + LENGTH_SHARE * lengths[name] / average
        for word, weight in counts.items():
            numbers, tenths = listed.setdefault(word, ([], []))
            numbers.append(number)
            tenths.append(min(max(round(10 * weight / norm), 1), HEAVIEST))
    rows = {word: [_packed(numbers), _packed(tenths)] for word, (numbers, tenths) in sorted(listed.items())}
    return {"ids": list(counted), "rows": rows}


def _packed(numbers: Iterable[int]) -> str:
    """Numbers as text that is read at once: each of 16 bits, or of 32 where one needs them, the lowest first, in
    base64."""
    listed = list(numbers)
    packed = array("I" if max(listed) >> 16 else "H", listed)
    if sys.byteorder == "big":
        packed.byteswap()
    return b2a_base64(packed.tobytes(), newline=False).decode()


def _array(code: str, data: bytes) -> "array[int]":
    packed = array(code, data)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed
