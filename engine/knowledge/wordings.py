"""The wordings of facts (``said``) as they are looked up: by the concepts without which a text is not like them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Any

from ..language.sentences import DOUBTFUL, Wording, counted
from ..language.terms import Tables, terms
from ..model import FactSpec
from .layers import Layer

KIND = "symptom."
"""Wordings are read of symptoms; those of known issues and of other facts serve resemblance and search."""


def build(facts: Iterable[FactSpec], tables: Tables) -> dict[str, Any]:
    """The table of a folder: its facts, and in its rows each wording by number and, by concept, their numbers."""
    specs = [spec for spec in facts if spec.name.startswith(KIND) and spec.said]
    told = [[counted([t.name for t in terms(text, tables)]) for text in spec.said] for spec in specs]
    spread: dict[str, int] = {}
    for wordings in told:
        for name in {name for names in wordings for name in names}:
            spread[name] = spread.get(name, 0) + 1
    weight = {name: round(log(1 + len(specs) / held), 2) for name, held in spread.items()}
    rows: dict[str, Any] = {}
    listed: dict[str, list[str]] = {}
    number = 0
    for place, wordings in enumerate(told):
        for names in sorted({tuple(names) for names in wordings if len(names) > 1}):
            pairs = [[name, weight[name]] for name in names]
            rows[str(number)] = [place, specs[place].one_of, pairs]
            for name in _needed(names, weight):
                listed.setdefault(name, []).append(str(number))
            number += 1
    rows.update((f"={name}", " ".join(numbers)) for name, numbers in listed.items())
    return {"ids": [spec.name for spec in specs], "rows": rows}


def _needed(names: Sequence[str], weight: dict[str, float]) -> list[str]:
    """The weightiest concepts of a wording: without one of them a text cannot have enough of it."""
    ordered = sorted(names, key=lambda name: (-weight[name], name))
    rest = total = sum(weight[name] for name in names)
    found = []
    for name in ordered:
        found.append(name)
        rest -= weight[name]
        if rest < DOUBTFUL * total:
            break
    return found


class Wordings:
    """Finds wordings in tables made by ``build``; several are searched as one."""

    def __init__(self, layers: Iterable[Layer], tables: Tables) -> None:
        self._layers = list(layers)
        self._kept: dict[tuple[int, str], Wording] = {}
        self._found: dict[str, list[Wording]] = {}
        self.tables = tables

    def find(self, concept: str) -> Sequence[Wording]:
        """The wordings that are likened where a concept stands in a text."""
        found = self._found.get(concept)
        if found is None:
            found = self._found[concept] = [
                wording
                for place, layer in enumerate(self._layers)
                for number in (layer.row(f"={concept}") or "").split()
                if (wording := self._wording(place, number)).fact
            ]
        return found

    def _wording(self, place: int, number: str) -> Wording:
        kept = self._kept.get((place, number))
        if kept is None:
            layer = self._layers[place]
            fact, exclusive, weights = layer.row(number)
            pairs = tuple((name, bits) for name, bits in weights)
            kept = self._kept[place, number] = Wording(layer.ids[fact], pairs, exclusive)
        return kept
