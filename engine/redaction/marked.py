"""Expressions that are looked for only where a mark stands, which most texts lack."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Place = tuple[str, re.Pattern[str], bool]
"""A mark, a shape, and whether the shape begins with the mark, so that it can be nowhere else.

The mark is a text in lower case without which the shape need not be looked for. What is kept of a shape is its first
group, what is hidden its second. A tuple as it is: taking one apart is what most of the time is spent on.
"""


def place(mark: str, shape: re.Pattern[str], begins: bool = False) -> Place:
    """A place for a secret."""
    return mark, shape, begins


def without(text: str, lowered: str, places: Iterable[Place], hide: Callable[[re.Match[str]], str]) -> str:
    """The text with what stands in those places hidden; ``lowered`` is the text in lower case."""
    for mark, shape, begins in places:
        if mark not in lowered:
            continue
        if begins and len(lowered) == len(text):
            once = _replaced(text, lowered, mark, shape, hide)
        else:
            once = shape.sub(hide, text)
        if once != text:
            text, lowered = once, once.lower()
    return text


def _replaced(
    text: str, lowered: str, mark: str, shape: re.Pattern[str], hide: Callable[[re.Match[str]], str]
) -> str:
    """What ``sub`` returns, without a look at any other place than those of the mark."""
    parts, done = [], 0
    at = lowered.find(mark)
    while at >= 0:
        if found := shape.match(text, at):
            parts += [text[done:at], hide(found)]
            done = found.end()
        at = lowered.find(mark, max(done, at + 1))
    return "".join((*parts, text[done:])) if parts else text
