"""The strict part of a build: every link of every page leads to a page and an anchor that exist."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

from gpudoctor.engine.tuples import NamedTuple

_ADDRESS = re.compile(r'\s(?:href|src|action)="([^"]*)"')
_ANCHOR = re.compile(r'\sid="([^"]*)"')
_OUTSIDE = ("http://", "https://", "mailto:", "data:")


class Outline(NamedTuple):
    """What matters of a written page: where it lies, its anchors, where it points."""

    path: str
    anchors: tuple[str, ...]
    targets: tuple[str, ...]


def outline(path: str, html: str) -> Outline:
    """Read a page as it was written."""
    targets = dict.fromkeys(unescape(found) for found in _ADDRESS.findall(html))
    return Outline(path, tuple(_ANCHOR.findall(html)), tuple(targets))


def broken(outlines: Iterable[Outline], files: Iterable[str], base: str = "/") -> list[str]:
    """Problems of a site, one sentence each: dead links, missing anchors, anchors that stand twice.

    ``files`` are the other files of the site; ``base`` is what addresses from the root of the host begin with.
    """
    pages = {page.path: page for page in outlines}
    known = {*pages, *files}
    anchors = {path: frozenset(page.anchors) for path, page in pages.items()}
    problems = []
    for path, page in sorted(pages.items()):
        twice = [anchor for anchor, count in Counter(page.anchors).items() if count > 1]
        problems += [f'{path}: the anchor "{anchor}" stands there twice' for anchor in twice]
        for target in page.targets:
            problem = _problem(path, target, known, anchors, base)
            if problem:
                problems.append(f"{path}: {problem}")
    return problems


def _problem(
    path: str, target: str, known: set[str], anchors: dict[str, frozenset[str]], base: str
) -> str | None:
    if target.startswith(base) and (base != "/" or not target.startswith("//")):
        place, _, anchor = target[len(base) :].partition("#")
        place = place.partition("?")[0] or "index.html"
    elif target.startswith(_OUTSIDE):
        return None
    else:
        place, _, anchor = target.partition("#")
        place = place.partition("?")[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(place))) if place else path
    if place not in known:
        return f"the link {target} leads nowhere"
    if anchor and place in anchors and unquote(anchor) not in anchors[place]:
        return f"the link {target} leads to a page without that anchor"
    return None
