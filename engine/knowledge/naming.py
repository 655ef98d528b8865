"""Which products a text names or shows, and of which products a page is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..model import Condition, Either, Incident, Not, Product, Test
from ..patterns import lazy_pattern
from ..vendors import VENDORS
from .search import tokens

EVERYWHERE = frozenset(("driver", "torch", *(p for v in VENDORS for p in (v.library, v.platform))))
"""What runs under nearly every job: that a text does not name it tells nothing."""
STARTERS = frozenset(("launcher", "runtime"))
"""Facts whose value may be a product."""
_INSTALLED = frozenset(("site-packages", "dist-packages"))
_OWNED = frozenset(("home", "users"))
_UNIT = (".service", ".socket")
_AROUND = "\"'`*_.,;:!?()[]{}<>|#$~^"
_PIECES, _FOLDERS = lazy_pattern(r"[=,:@|()\[\]{}<>\"'`]+"), lazy_pattern(r"[/\\]+")


def names_of(products: Iterable[Product]) -> dict[str, str]:
    """The product that a word names: its id, its packages, what shows it, and its title where that is one word."""
    found: dict[str, str] = {}
    for product in products:
        if product.id not in EVERYWHERE:
            spelt = (product.id, product.id.replace("_", "-"), product.id.replace("_", ""))
            marks = [mark.rstrip("_") for mark in product.shows]
            for name in (*spelt, *product.packages, product.title, *marks):
                if " " not in name:
                    found.setdefault(name.lower(), product.id)
    return found


def marks_of(products: Iterable[Product]) -> dict[str, Any]:
    """What is needed beside the names to tell which product a text shows: beginnings of words, and the products whose
    names are words of every text."""
    listed = [product for product in products if product.id not in EVERYWHERE]
    return {
        "begins": {m.lower(): p.id for p in listed for m in p.shows if m.endswith("_")},
        "common": sorted(product.id for product in listed if product.common_word),
    }


def products_of(incident: Incident, names: Mapping[str, str]) -> set[str]:
    """The products without which the fault cannot be; none where a page is of what runs everywhere as well."""
    if incident.affects:
        found = {incident.product, *(one.product for one in incident.affects)} - {""}
    else:
        words = tokens(f"{incident.id} {incident.id.replace('-', ' ')} {incident.title}")
        found = {names[word] for word in words if word in names}
        found.update(name for needed in incident.requires for name in _needed(needed, names))
    return set() if found & EVERYWHERE else found


def _needed(condition: Condition, names: Mapping[str, str]) -> Iterator[str]:
    """The products that must be in use for a condition to hold."""
    if isinstance(condition, Test):
        product = condition.fact.partition(".")[0]
        if product in names.values():
            yield product
        elif condition.fact in STARTERS and all(value in names for value in condition.listed):
            yield from (names[str(value)] for value in condition.listed)
    elif not isinstance(condition, (Not, Either)):
        for part in condition.parts:
            yield from _needed(part, names)


def named_in(words: Collection[str], names: Mapping[str, str]) -> frozenset[str]:
    """The products that words of a text name, be it in part of a longer word."""
    return frozenset(names[word] for word in words if word in names)


def shown_in(words: Iterable[str], names: Mapping[str, str], marks: Mapping[str, Any]) -> frozenset[str]:
    """The products that a text shows: by a word that is the name, a module or its folder, a service, a package with
    its release, a variable. ``words`` are the words of the text as they stand, those of interest only. A name inside of
    the path of another package, of a person's folder or of an address is none."""
    found: set[str] = set()
    for word in words:
        if "://" not in word:
            found.update(_shown_by(word, names, marks))
    return frozenset(found)


def _shown_by(word: str, names: Mapping[str, str], marks: Mapping[str, Any]) -> Iterator[str]:
    for piece in _PIECES.split(word.strip(_AROUND)):
        lowered = piece.strip(_AROUND).lower()
        if "/" in lowered or "\\" in lowered:
            folder = _folder(_FOLDERS.split(lowered), names)
            if folder:
                yield names[folder]
        elif lowered in names:
            if names[lowered] not in marks["common"] or piece != word.strip(_AROUND):
                yield names[lowered]
        else:
            first = lowered.partition(".")[0]
            if piece[: len(first)].isupper():
                first = first.partition("_")[0]  # VLLM_USE_V1
            elif (begins := first.partition("_")[0] + "_") in marks["begins"]:
                yield marks["begins"][begins]
            name = first
            while name and name not in names:
                name = name.rpartition("-")[0]  # an image, a pod
            if name and name != lowered:
                yield names[name]


def _folder(parts: list[str], names: Mapping[str, str]) -> str:
    """The part of a path that shows a product; nothing where none does."""
    for place, part in enumerate(parts):
        if part in _INSTALLED:
            own = parts[place + 1] if place + 1 < len(parts) else ""
            return own if own in names else ""
    for place, part in enumerate(parts):
        if place and parts[place - 1] in _OWNED:
            continue
        plain = part
        for unit in _UNIT:
            plain = plain.removesuffix(unit)
        if plain in names:
            return plain
    return ""
