"""Which incidents resemble a text by its words: BM25 over the fields of their pages.

A resemblance is no deduction: it orders what stands equal, and names pages where the rules are silent.
"""

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections import Counter
from collections.abc import Iterable, Mapping
from math import log
from typing import Any, NamedTuple

from ..patterns import lazy_pattern
from .layers import Layer
from .search import tokens

FIELDS = {
    "title": 4.0,
    "id": 6.0,
    "signs": 1.0,
    "said": 1.5,
    "symptom": 1.5,
    "cause": 0.5,
    "other": 1.0,
    "sources": 8.0,
    "remedies": 0.5,
}
"""What a word is worth by the field of the page that holds it, chosen by the likelihood of the right page in reports
whose threads no page cites. What the sources support says most: it tells what other people met, in their words."""
SATURATION, LENGTH_SHARE = 1.2, 0.3
EXPLAINED = 0.15
"""What a word counts that stands in the line of a known sign: the sign itself speaks for the pages that read it."""
HEAVIEST = 1000
"""Tenths of weight above which a word weighs no more: it is saturated long before."""
_SHOWN = 6
_NAMED = 50
"""Of so many pages it is told which words they share; the others are only ordered."""
_HALF = 30.0
"""The score at which a text resembles a page with half the strength."""
_LONGEST = 60
_NUMBER = lazy_pattern(r"(?:0x)?[0-9a-f]*\d[0-9a-f]*|\d+(?:[.:,-]\d+)*\w?")
_CODE = lazy_pattern(r"\d{3}")  # error 802 and the like are words
_STOP = frozenset(
    """the an of to in is are and or it on for with that this be as at by from not we my no have has was if when but
    can so do does you there then after only all one two which its will more than would been were our
    they""".split()  # noqa: SIM905
)


class Resembling(NamedTuple):
    """An incident whose page shares words with a text: its ``score``, the ``share`` of the best one's, ``strength``
    of the best one from 0 to 1 (a few common words make nothing strong), and for the nearest the rarest words that they
    share."""

    id: str
    score: float
    share: float
    strength: float
    words: tuple[str, ...]


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
    """Numbers as text that is read at once: 32 bits each, the lowest first, in base64."""
    packed = array("I", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return b2a_base64(packed.tobytes(), newline=False).decode()


def _unpacked(text: str) -> "array[int]":
    packed = array("I", a2b_base64(text))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed


class _Posting(NamedTuple):
    """The pages of a layer that hold a word, by number, and its weight on each in tenths."""

    layer: int
    pages: "array[int]"
    tenths: "array[int]"


class Resemblance:
    """Looks texts up in tables made by ``build``; several are searched as one."""

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = list(layers)
        self._size = sum(len(layer.ids) for layer in self._layers)
        # What is left of a word's weight on a page, however often it stands there.
        self._saturated = [tenths / (tenths + 10 * SATURATION) for tenths in range(HEAVIEST + 1)]

    def nearest(self, words: Iterable[str], explained: Iterable[str] = ()) -> list[Resembling]:
        """Every incident that shares a word, nearest first; ``explained`` are words of what is understood already."""
        counted: dict[str, float] = {word: 1 + log(times) for word, times in Counter(words).items()}
        for word, times in Counter(explained).items():
            counted.setdefault(word, EXPLAINED * (1 + log(times)))
        sums = [[0.0] * len(layer.ids) for layer in self._layers]
        saturated = self._saturated
        told: list[tuple[str, float, list[_Posting]]] = []
        for word, weight_of_word in counted.items():
            postings = self._postings(word)
            holding = sum(len(posting.pages) for posting in postings)
            rarity = log(1 + (self._size - holding + 0.5) / (holding + 0.5))
            factor = rarity * weight_of_word * (SATURATION + 1)
            for layer, pages, tenths in postings:
                scored = sums[layer]
                for page, weight in zip(pages, tenths, strict=True):
                    scored[page] += factor * saturated[weight]
            told.append((word, factor, postings))
        scores = {
            name: score
            for layer, scored in zip(self._layers, sums, strict=True)
            for name, score in zip(layer.ids, scored, strict=True)
            if score and name
        }
        best = max(scores.values(), default=0.0)
        ordered = sorted(scores, key=lambda name: (-scores[name], name))
        shared = self._shared(ordered[:_NAMED], told)
        words_of_page = {name: tuple(w for _, w in sorted(found)[:_SHOWN]) for name, found in shared.items()}
        strength = best / (best + _HALF)
        return [
            Resembling(name, scores[name], scores[name] / best, strength, words_of_page.get(name, ()))
            for name in ordered
        ]

    def _postings(self, word: str) -> list[_Posting]:
        rows = ((number, layer.row(word)) for number, layer in enumerate(self._layers))
        return [_Posting(number, _unpacked(row[0]), _unpacked(row[1])) for number, row in rows if row]

    def _shared(
        self, names: Iterable[str], told: Iterable[tuple[str, float, list[_Posting]]]
    ) -> dict[str, list[tuple[float, str]]]:
        """The words that these pages share with the text, each with what it is worth on the page, negated."""
        shared: dict[str, list[tuple[float, str]]] = {name: [] for name in names}
        places = [{p for p, name in enumerate(layer.ids) if name in shared} for layer in self._layers]
        for word, factor, postings in told:
            for layer, pages, tenths in postings:
                for page in places[layer].intersection(pages):
                    worth = factor * self._saturated[tenths[pages.index(page)]]
                    shared[self._layers[layer].ids[page]].append((-worth, word))
        return shared
