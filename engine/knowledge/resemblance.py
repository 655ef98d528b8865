"""Which incidents resemble a text by its words: BM25 over the fields of their pages.

A resemblance is no deduction: it orders what stands equal, and names pages where the rules are silent.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from math import log

from ..tuples import NamedTuple
from .layers import Layer
from .postings import HEAVIEST, Posting

SATURATION = 1.2
_SHARES = tuple(tenths / (tenths + 10 * SATURATION) for tenths in range(HEAVIEST + 1))
"""What is left of a word's weight on a page, by its tenths, however often it stands there."""
EXPLAINED = 0.15
"""What a word of the line of a known sign counts where signs are counted too: they speak for the pages that read
them."""
COMMON_SHARE, COMMON_AT_LEAST = 1 / 3, 100
"""A word that stands on more than this share of the pages, and on so many at least, tells none of them apart."""
_SHOWN = 6
_LISTED = 50
_HALF = 30.0
"""The score at which a text resembles a page with half the strength."""


class Resembling(NamedTuple):
    """An incident whose page shares words with a text: its ``score`` by all of them, the ``share`` of the best one's,
    and ``strength`` of the best one from 0 to 1 (a few common words make nothing strong). ``rest`` and ``rest_share``
    are score and share by what no known sign explains."""

    id: str
    score: float
    share: float
    strength: float
    rest: float
    rest_share: float


class _Told(NamedTuple):
    """A word of the text, what it is worth at most, and where it stands in each layer that has it."""

    word: str
    factor: float
    postings: dict[int, Posting]


class Resemblances:
    """What resembles one text. Nearly every page shares a word with it, so only those asked for are made."""

    def __init__(
        self,
        layers: Sequence[Layer] = (),
        scores: Sequence[list[float]] = (),
        rests: Sequence[list[float]] = (),
        told: Sequence[_Told] = (),
    ) -> None:
        self._layers, self._scores, self._rests, self._told = layers, scores, rests, told
        self._best, self._best_rest = _best(scores), _best(rests)
        self._places: list[dict[str, int]] | None = None
        self.listed = tuple(self._nearest())
        """The nearest incidents, nearest first; at most fifty."""

    def of(self, incident: str) -> Resembling | None:
        """How far an incident resembles the text; None if it shares no word."""
        layer, page = self._place(incident)
        if page < 0 or not self._scores[layer][page]:
            return None
        return self._resembling(incident, self._scores[layer][page], self._rests[layer][page])

    def words(self, incident: str) -> tuple[str, ...]:
        """The words that an incident shares with the text: a few that say most."""
        layer, page = self._place(incident)
        worth = (
            (-t.factor * _SHARES[t.postings[layer].tenths_of(page)], t.word)
            for t in self._told
            if layer in t.postings
        )
        return tuple(word for value, word in sorted(worth) if value)[:_SHOWN]

    def _place(self, incident: str) -> tuple[int, int]:
        if self._places is None:
            self._places = [
                dict(zip(layer.ids, range(len(layer.ids)), strict=True)) for layer in self._layers
            ]
        for number in reversed(range(len(self._places))):
            if incident in self._places[number]:
                return number, self._places[number][incident]
        return -1, -1

    def _nearest(self) -> Iterable[Resembling]:
        found = []
        for layer, scored, rests in zip(self._layers, self._scores, self._rests, strict=True):
            least = min(nlargest(_LISTED, scored), default=0.0)
            named = zip(layer.ids, scored, rests, strict=True)
            found += [(-score, name, rest) for name, score, rest in named if score >= least and score]
        return (self._resembling(name, -score, rest) for score, name, rest in sorted(found)[:_LISTED])

    def _resembling(self, incident: str, score: float, rest: float) -> Resembling:
        strength = self._best / (self._best + _HALF)
        return Resembling(
            incident, score, score / self._best, strength, rest, rest / self._best_rest if rest else 0.0
        )


def _best(scores: Iterable[list[float]]) -> float:
    return max((max(scored, default=0.0) for scored in scores), default=0.0)


def _weights_of(words: Iterable[str]) -> dict[str, float]:
    """What each word of a text weighs by how often it stands there, sorted: sums depend on the order."""
    return {word: 1 + log(times) for word, times in sorted(Counter(words).items())}


class Resemblance:
    """Looks texts up in tables made by ``build``; several are searched as one."""

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = list(layers)
        self._whole = [layer.size == len(layer.ids) for layer in self._layers]
        self._size = sum(layer.size for layer in self._layers)
        self._common = max(COMMON_SHARE * self._size, COMMON_AT_LEAST)

    def nearest(self, words: Iterable[str], explained: Iterable[str] = ()) -> Resemblances:
        """What shares a word with a text; ``explained`` are words of what is understood already. The order of the
        words changes nothing."""
        counted = _weights_of(words)
        known = {word: weight for word, weight in _weights_of(explained).items() if word not in counted}
        rests = [[0.0] * len(layer.ids) for layer in self._layers]
        signs = [[0.0] * len(layer.ids) for layer in self._layers]
        told = [*self._summed(counted, rests), *self._summed(known, signs)]
        sums = []
        for layer, rest, sign in zip(self._layers, rests, signs, strict=True):
            summed = [r + s for r, s in zip(rest, sign, strict=True)]
            rest[:] = [r + EXPLAINED * s for r, s in zip(rest, sign, strict=True)]
            if "" in layer.ids:  # a later layer has pages of the same names
                for scored in (rest, summed):
                    scored[:] = [
                        score if name else 0.0 for name, score in zip(layer.ids, scored, strict=True)
                    ]
            sums.append(summed)
        return Resemblances(self._layers, sums, rests, told)

    def _summed(self, counted: Mapping[str, float], sums: Sequence[list[float]]) -> Iterable[_Told]:
        """The words, with what each is worth added to the sums of the pages that hold it."""
        share_of = _SHARES.__getitem__
        for word, weight_of_word in counted.items():
            postings = self._postings(word)
            holding = sum(self._holding(number, posting) for number, posting in postings.items())
            if holding > self._common:
                continue
            rarity = log(1 + (self._size - holding + 0.5) / (holding + 0.5))
            factor = rarity * weight_of_word * (SATURATION + 1)
            for number, (pages, tenths) in postings.items():
                scored = sums[number]
                for page, share in zip(pages, map(share_of, tenths), strict=True):
                    scored[page] += factor * share
            yield _Told(word, factor, postings)

    def _holding(self, number: int, posting: Posting) -> int:
        """How many pages of a layer hold a word, without those that a later layer replaces."""
        layer = self._layers[number]
        if self._whole[number]:
            return len(posting.pages)
        return sum(bool(layer.ids[page]) for page in posting.pages)

    def _postings(self, word: str) -> dict[int, Posting]:
        rows = ((number, layer.row(word)) for number, layer in enumerate(self._layers))
        return {number: Posting.of(row) for number, row in rows if row}
