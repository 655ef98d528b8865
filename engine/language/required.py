"""What must stand in every line that an expression matches, so that most expressions need not even be compiled.

An answer is groups of texts: of each group one must stand in the line. The text ``BEYOND`` stands for any character
beyond ASCII. Worked out from the tree when a knowledge base is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable

from .expressions import OTHER, Chars, Choice, ExpressionError, Lookaround, Node, Repeat, Sequence, parse
from .matching import BEYOND

Groups = tuple[tuple[str, ...], ...]
_MOST_TEXTS = 24
_MOST_GROUPS = 3


def required(expression: str) -> Groups:
    """The groups of an expression, the most telling first; nothing where there are none."""
    if not expression:
        return ()
    try:
        found = _groups(parse(expression))
    except ExpressionError:
        return ()
    told = dict.fromkeys(tuple(sorted(group)) for group in found if _telling(group) > 1)
    return tuple(sorted(told, key=lambda group: (-_telling(group), len(group)))[:_MOST_GROUPS])


def _telling(group: Iterable[str]) -> int:
    """The length of the shortest text: a group is as rare as its commonest text. Few lines go beyond ASCII."""
    return min(3 if text == BEYOND else len(text) for text in group)


def _groups(node: Node) -> list[frozenset[str]]:
    if isinstance(node, Sequence):
        return _of_sequence(node)
    if isinstance(node, Choice):
        best = [max(_groups(option), key=_telling, default=None) for option in node.options]
        joined = frozenset(text for group in best if group for text in group)
        return [joined] if all(best) and len(joined) <= _MOST_TEXTS else []
    if isinstance(node, Repeat):
        return _groups(node.item) if node.low else []
    letter = _letter(node)
    return [frozenset({letter})] if letter else []


def _of_sequence(node: Sequence) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    run = ""
    for item in (*node.items, None):
        letter = _letter(item) if item else ""
        if isinstance(item, Lookaround):
            continue  # takes no characters: what stands on either side stands together
        if letter and letter != BEYOND:
            run += letter
            continue
        if run:
            found.append(frozenset({run}))
            run = ""
        if item:
            found += _groups(item)
    return found


def _letter(node: Node | None) -> str:
    """The one character that this is; nothing if it may be several."""
    if not isinstance(node, Chars) or not node.mask:
        return ""
    if node.mask == OTHER:
        return BEYOND
    return chr(node.mask.bit_length() - 1) if not node.mask & (node.mask - 1) else ""
