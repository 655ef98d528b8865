"""How long an expression may take at worst, told from its tree and not by a clock.

Python's engine tries one way after the other. How many there are:

* A repetition can stop early where what may follow it could also continue it (``.*x``): as many ways as it may be
  long. Where the two are disjoint (``\\d+ ``) there is one way only.
* Repetitions of a sequence multiply: ``.*.*x`` has as many ways as the square of a line.
* What is repeated must be read in one way only. Else every round multiplies the ways, and thirty characters are
  enough for an hour: ``(a|a)*``, ``(?:a{1,30}){1,30}``, ``(?:\\w+\\s?)+``.
* What is not known to differ is taken for ambiguous; ``\b`` and looks ahead and behind are taken to forbid nothing.
* A search begins at every character. An expression that begins with a repetition without a bound goes through the
  same run again from each place in it (``=+ +at``). A search finds the same without the repetition: ``= +at``.

So an expression is refused if it begins with such a repetition, or if its ways times the characters of a line are
more than ``MOST``: one ``.*``, and little beside it. ``.{0,80}`` in place of ``.*`` is nearly always what is meant.
Lines are cut before they are searched, at ``LINE`` characters, or for people's words at the length of a sentence.
"""

from __future__ import annotations

from itertools import combinations

from .expressions import (
    EVERY,
    UNBOUNDED,
    Chars,
    Choice,
    ExpressionError,
    Lookaround,
    Node,
    Repeat,
    Sequence,
    parse,
)
from .matching import LINE

MOST = 100_000_000
"""Steps in one line at the very worst: about a second."""


def problem(expression: str, longest: int = LINE) -> str:
    """Why an expression for lines of up to so many characters is refused, or nothing."""
    try:
        tree = parse(expression)
    except (ExpressionError, ValueError) as error:
        return f"is no expression that is allowed here: {error}"
    if _begins_without_bound(tree):
        return "begins with a repetition without a bound: a search finds the same without it, or with one before it"
    if _Ways(longest).of(tree, 0) * longest > MOST:
        return "can be matched in too many ways, so a line could take for ever: bound its repetitions, or end them"
    return ""


def _begins_without_bound(tree: Node) -> bool:
    if isinstance(tree, Sequence):
        for item in tree.items:
            if isinstance(item, Lookaround) or _begins_without_bound(item):
                return not isinstance(item, Lookaround)
            if not _empty(item):
                return False
        return False
    if isinstance(tree, Choice):
        return any(map(_begins_without_bound, tree.options))
    if isinstance(tree, Repeat):
        return tree.high == UNBOUNDED or _begins_without_bound(tree.item)
    return False


class _Ways:
    """Counts the ways through a line of a length; what is too many is cut off at ``MOST``."""

    def __init__(self, longest: int) -> None:
        self._longest = longest

    def of(self, tree: Node, follow: int) -> int:
        """The ways to read a line with the tree, if the characters ``follow`` may come next."""
        if isinstance(tree, Chars):
            return 1
        if isinstance(tree, Lookaround):
            return 1 if tree.item is None else self.of(tree.item, 0)
        if isinstance(tree, Sequence):
            found = 1
            for item in reversed(tree.items):
                found = min(found * self.of(item, follow), MOST)
                follow = _first(item) | (follow if _empty(item) else 0)
            return found
        if isinstance(tree, Choice):
            ways = [self.of(option, follow) for option in tree.options]
            return max(ways) if _distinct(tree.options) else min(sum(ways), MOST)
        return self._of_repeat(tree, follow)

    def _of_repeat(self, tree: Repeat, follow: int) -> int:
        again = _first(tree.item)
        rounds = min(tree.high, self._longest)
        inside = self.of(tree.item, follow | again if rounds > 1 else follow)
        if inside > 1 and rounds > 1:
            return MOST if rounds > 30 else min(int(inside**rounds), MOST)
        stops = rounds - min(tree.low, rounds) + 1 if again & follow or _empty(tree.item) else 1
        return min(inside * stops, MOST)


def _distinct(options: tuple[Node, ...]) -> bool:
    """Whether each option differs from each other one in a character that both must have."""
    heads = [_head(option) for option in options]
    return all(
        any(not a & b for a, b in zip(one, other, strict=False)) for one, other in combinations(heads, 2)
    )


def _head(tree: Node) -> list[int]:
    """The sets of the characters with which the tree begins, as far as their number is fixed."""
    if isinstance(tree, Chars):
        return [tree.mask]
    found: list[int] = []
    for item in tree.items if isinstance(tree, Sequence) else ():
        if isinstance(item, Chars):
            found.append(item.mask)
        elif not isinstance(item, Lookaround):
            return [*found, _first(item)] if not _empty(item) else found
    return found


def _first(tree: Node) -> int:
    """The characters with which the tree may begin."""
    if isinstance(tree, Chars):
        return tree.mask
    if isinstance(tree, Lookaround):
        return 0
    if isinstance(tree, Repeat):
        return _first(tree.item) if tree.high else 0
    if isinstance(tree, Choice):
        found = 0
        for option in tree.options:
            found |= _first(option)
        return found
    found = 0
    for item in tree.items:
        found |= _first(item)
        if not _empty(item):
            break
    return found & EVERY


def _empty(tree: Node) -> bool:
    """Whether the tree may take no characters."""
    if isinstance(tree, Chars):
        return False
    if isinstance(tree, Lookaround):
        return True
    if isinstance(tree, Repeat):
        return not tree.low or _empty(tree.item)
    if isinstance(tree, Choice):
        return any(map(_empty, tree.options))
    return all(map(_empty, tree.items))
