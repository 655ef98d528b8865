"""Versions of the packages that the knowledge base names: in lists of pip, conda, dpkg and rpm."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...engine.patterns import lazy_pattern
from .base import Found, Lines, Parser
from .packages import PACKAGES

_V = r"v?(\d[\w.]*(?:[+-][\w.+~-]*)?)"
_PIP = lazy_pattern(
    rf"^\s*(?:\[(?:pip3?|conda)\]\s+)?([a-z0-9][\w.-]*)(?:==| @ \S*?|\s{{1,40}}){_V}", re.IGNORECASE
)
_DPKG = lazy_pattern(r"^[hi]i\s{1,3}([a-z0-9][a-z0-9.+-]*)(?::[a-z0-9]+)?\s+(?:\d+:)?(\d[\w.]*)")
_RPM = lazy_pattern(r"^([A-Za-z0-9][\w.+-]*?)-(?:\d+:)?(\d[^\s-]*)-[^\s-]+\.(?:x86_64|aarch64|noarch)\s*$")
_SHOWN, _VERSION = lazy_pattern(r"^Name: (\S+)\s*$"), lazy_pattern(rf"^Version: {_V}")


def listings(packages: Mapping[str, str]) -> Parser:
    """The reader of package lists for the facts that ``packages`` (lower case) establish."""
    own = {name: fact for name, fact in packages.items() if name not in PACKAGES}
    known = {**{name: f"{fact}.version" for name, fact in PACKAGES.items()}, **packages}

    def parse(lines: Lines, at: int) -> Iterator[Found]:
        line = lines[at]
        for pattern in (_DPKG, _RPM):
            found = pattern.match(line)
            if found and found[1] in packages:
                yield Found(packages[found[1]], found[2], at)
                return
        if line.startswith("Summary: ") and at >= 2:  # pip show
            shown, version = _SHOWN.match(lines[at - 2]), _VERSION.match(lines[at - 1])
            if shown and version and shown[1].lower() in known:
                yield Found(known[shown[1].lower()], version[1], at - 1)
            return
        listed = _PIP.match(line)
        if listed and listed[1].lower() in own:
            yield Found(own[listed[1].lower()], listed[2], at)

    triggers = (
        *(f"{name}{mark}" for name in own for mark in ("==", " ")),
        *("ii  ", "hi  ", "Summary: ", ".x86_64", ".aarch64", ".noarch"),
    )
    facts = tuple(dict.fromkeys([*own.values()]))
    return Parser("listings", triggers, parse, before=2, facts=facts)
