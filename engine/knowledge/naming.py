"""Which products a text names, and of which products a page is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..model import Incident, Product
from ..vendors import VENDORS
from .search import tokens

EVERYWHERE = frozenset(("driver", "torch", *(p for v in VENDORS for p in (v.library, v.platform))))
"""What runs under nearly every job: that a text does not name it tells nothing."""


def names_of(products: Iterable[Product]) -> dict[str, str]:
    """The product that a word names: its id, its packages, and its title where that is one word."""
    found: dict[str, str] = {}
    for product in products:
        if product.id not in EVERYWHERE:
            spelt = (product.id, product.id.replace("_", "-"), product.id.replace("_", ""))
            for name in (*spelt, *product.packages, product.title):
                if " " not in name:
                    found.setdefault(name.lower(), product.id)
    return found


def products_of(incident: Incident, names: Mapping[str, str]) -> set[str]:
    """The products without which the fault cannot be; none where a page is of what runs everywhere as well."""
    if incident.affects:
        found = {incident.product, *(one.product for one in incident.affects)} - {""}
    else:
        words = tokens(f"{incident.id} {incident.id.replace('-', ' ')} {incident.title}")
        found = {names[word] for word in words if word in names}
    return set() if found & EVERYWHERE else found


def named_in(words: Collection[str], names: Mapping[str, str]) -> frozenset[str]:
    """The products that words of a text name."""
    return frozenset(names[word] for word in words if word in names)
