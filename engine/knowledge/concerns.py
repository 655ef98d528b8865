"""Which incidents a fact concerns, so that only these are looked at: a table in the index.

``signs``: incidents for which a sign speaks, alone or with others. ``circumstances``: incidents whose rules
name another fact beside their signs. ``roads``: incidents by what people come with. ``about``: incidents by product.
``page``: by incident, what of its rules is a sign, and its roads and products, so that the records of its facts need
not be read; ``names``: the products by the words that name them; ``marks``: what else shows them.
"""

from collections.abc import Callable, Iterable, Mapping
from math import log2
from typing import Any

from ..model import FactSpec, Incident, Product
from ..rules import facts_of
from ..tuples import NamedTuple
from .layers import Layer
from .naming import marks_of, names_of, products_of

ROAD = "road."
TypeOf = Callable[[str], FactSpec]


def table_of(
    incidents: Iterable[Incident], type_of: TypeOf, products: Iterable[Product] = ()
) -> dict[str, Any]:
    """The table as JSON."""
    ids: list[str] = []
    listed = list(products)
    names = names_of(listed)
    rows: dict[str, Any] = {"names": names, "marks": marks_of(listed)}
    for number, incident in enumerate(incidents):
        ids.append(incident.id)
        speaking = {f for c in incident.conditions("suggests", "confirms") for f in facts_of(c.when)}
        beside = {f for c in incident.conditions("requires") for f in facts_of(c.when)}
        facts = speaking | beside
        signs = [f for f in sorted(facts) if type_of(f).sign and not type_of(f).harmless]
        harmless = [f for f in sorted(facts) if type_of(f).sign and type_of(f).harmless]
        for fact in sorted(f for f in facts if not f.startswith(ROAD)):
            kind = "signs" if fact in signs else "circumstances"
            if kind == "circumstances" or fact in speaking:
                rows.setdefault(f"{kind}:{fact}", []).append(number)
        roads = sorted(_roads_of(incident, type_of))
        for road in roads:
            rows.setdefault(f"roads:{road}", []).append(number)
        about = sorted(products_of(incident, names))
        for product in about:
            rows.setdefault(f"about:{product}", []).append(number)
        rows[f"page:{incident.id}"] = [signs, harmless, roads, about, list(incident.vendors)]
    return {"ids": ids, "rows": rows}


def _roads_of(incident: Incident, type_of: TypeOf) -> set[str]:
    """The roads on which people come to an incident: those of its signs, and of what it explains."""
    speaking = {f for c in incident.conditions("suggests", "confirms") for f in facts_of(c.when)}
    named = {f.removeprefix(ROAD) for f in speaking if f.startswith(ROAD)}
    return named | {type_of(f).road for f in speaking | set(incident.explains)} - {"", "any"}


class PageConcerns(NamedTuple):
    """Of one page: the facts of its rules that are signs, those that are harmless signs, its roads, its products (none
    where it is of what runs under every job), whose GPUs have it (nobody named: everybody's)."""

    signs: frozenset[str]
    harmless: frozenset[str]
    roads: frozenset[str]
    products: frozenset[str]
    vendors: frozenset[str]


class Concerns:
    """Reads tables made by ``table_of``."""

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = list(layers)
        self._whole = [layer.size == len(layer.ids) for layer in self._layers]
        self.size = max(sum(layer.size for layer in self._layers), 1)
        self._ids = [name for layer in self._layers for name in layer.ids]
        self._known: dict[str, list[int]] = {}
        self._pages: dict[str, PageConcerns] = {}
        self._rarities: dict[str, float] = {}
        self._names: dict[str, str] | None = None
        self._marks: dict[str, Any] | None = None

    def named(self, number: int) -> str:
        """The incident of a number."""
        return self._ids[number]

    def fitting(self, fact: str) -> list[int]:
        """The numbers of the incidents whose rules name a circumstance."""
        return self._numbers("circumstances", fact)

    def on_road(self, road: str) -> list[int]:
        """The numbers of the incidents to which a road leads."""
        return self._numbers("roads", road)

    def by_sign(self, fact: str) -> list[str]:
        """The incidents for which a sign speaks."""
        return self._listed("signs", fact)

    def by_road(self, road: str) -> list[str]:
        """The incidents to which a road leads."""
        return self._listed("roads", road)

    def rarity_of_product(self, product: str) -> float:
        """Bits: how much it tells that a product is there."""
        count = len(self._numbers("about", product))
        return log2(self.size / count) if count else 0.0

    def rarity(self, fact: str) -> float:
        """Bits: how much it tells that a fact speaks for an incident at all; 0 for what speaks for none."""
        found = self._rarities.get(fact)
        if found is None:
            count = len(self._numbers("signs", fact) or self._numbers("circumstances", fact))
            found = self._rarities[fact] = log2(self.size / count) if count else 0.0
        return found

    def page(self, incident: str) -> PageConcerns:
        """What the page of an incident is about."""
        found = self._pages.get(incident)
        if found is None:
            key = f"page:{incident}"
            row = next((row for layer in reversed(self._layers) if (row := layer.row(key))), ((),) * 5)
            found = self._pages[incident] = PageConcerns(*map(frozenset, row))
        return found

    def names(self) -> Mapping[str, str]:
        """The products by the words that name them."""
        if self._names is None:
            self._names = {}
            for layer in self._layers:
                self._names.update(layer.row("names") or {})
        return self._names

    def marks(self) -> Mapping[str, Any]:
        """What shows products beside their names (see ``naming.marks_of``)."""
        if self._marks is None:
            self._marks = {"begins": {}, "common": []}
            for found in filter(None, (layer.row("marks") for layer in self._layers)):
                self._marks["begins"].update(found["begins"])
                self._marks["common"] += found["common"]
        return self._marks

    def _listed(self, kind: str, key: str) -> list[str]:
        return [self._ids[number] for number in self._numbers(kind, key)]

    def _numbers(self, kind: str, key: str) -> list[int]:
        """The incidents of a row by their number among all, without those that a later layer replaces."""
        row = f"{kind}:{key}"
        found = self._known.get(row)
        if found is None:
            found, before = [], 0
            for layer, whole in zip(self._layers, self._whole, strict=True):
                numbers = layer.row(row) or ()
                found += numbers if whole and not before else [before + n for n in numbers if layer.ids[n]]
                before += len(layer.ids)
            self._known[row] = found
        return found
