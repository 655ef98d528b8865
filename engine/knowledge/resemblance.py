"""Which incidents resemble a text by its words: BM25 over the fields of their pages.

A resemblance is no deduction: it orders what stands equal, and names pages where the rules are silent.
"""

from __future__ import annotations

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
    listed: dict[str, list[str]] = {}
    for number, (name, counts) in enumerate(counted.items()):
        norm = 1 - LENGTH_SHARE + LENGTH_SHARE * lengths[name] / average
        for word, weight in counts.items():
            listed.setdefault(word, []).append(f"{number} {max(round(10 * weight / norm), 1)}")
    return {"ids": list(counted), "rows": {word: " ".join(found) for word, found in sorted(listed.items())}}


class Resemblance:
    """Looks texts up in tables made by ``build``; several are searched as one."""

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = list(layers)
        self._size = sum(len(layer.ids) for layer in self._layers)

    def nearest(self, words: Iterable[str], explained: Iterable[str] = ()) -> list[Resembling]:
        """Every incident that shares a word, nearest first; ``explained`` are words of what is understood already."""
        scores: dict[str, float] = {}
        told: list[tuple[str, dict[str, float]]] = []
        counted: dict[str, float] = {word: 1 + log(times) for word, times in Counter(words).items()}
        for word, times in Counter(explained).items():
            counted.setdefault(word, EXPLAINED * (1 + log(times)))
        for word, weight_of_word in counted.items():
            rows = ((layer, layer.row(word)) for layer in self._layers)
            found = [(layer, row.split()) for layer, row in rows if row]
            holding = sum(len(numbers) // 2 for _, numbers in found)
            rarity = log(1 + (self._size - holding + 0.5) / (holding + 0.5))
            factor = rarity * weight_of_word * (SATURATION + 1)
            worths: dict[str, float] = {}
            for layer, numbers in found:
                ids = layer.ids
                for number, tenths in zip(numbers[::2], numbers[1::2], strict=True):
                    name = ids[int(number)]
                    if name:
                        weight = int(tenths) / 10
                        worths[name] = worth = factor * weight / (weight + SATURATION)
                        scores[name] = scores.get(name, 0.0) + worth
            told.append((word, worths))
        best = max(scores.values(), default=0.0)
        ordered = sorted(scores, key=lambda name: (-scores[name], name))
        shared: dict[str, list[tuple[float, str]]] = {name: [] for name in ordered[:_NAMED]}
        for name, found_in in shared.items():
            found_in += [(-worths[name], word) for word, worths in told if name in worths]
        return [
            Resembling(
                name,
                scores[name],
                scores[name] / best,
                best / (best + _HALF),
                tuple(w for _, w in sorted(shared.get(name, ()))[:_SHOWN]),
            )
            for name in ordered
        ]
