"""Expressions as trees: what the knowledge base may write, in Python and in a browser alike.

Characters, classes, groups, alternatives, repetitions, looks ahead and behind, ``^ $ \\b \\B``, and ``(?i)`` in front
or as ``(?i:...)`` and ``(?-i:...)``, references to groups by number. No conditions and no possessive repetitions:
not every place knows them. The parser is our own, since that of ``re`` is private and changes.
"""

from __future__ import annotations

from functools import lru_cache

from ..tuples import NamedTuple

OTHER = 1 << 128
"""The bit of every character beyond ASCII; the others stand at their own number."""
EVERY = (1 << 129) - 1
UNBOUNDED = 1 << 30


class ExpressionError(ValueError):
    """The text is no expression, or one that is not allowed here."""


class Chars(NamedTuple):
    """One character out of a set, as bits."""

    mask: int


class Sequence(NamedTuple):
    """One after the other."""

    items: tuple[Node, ...]


class Choice(NamedTuple):
    """One of several."""

    options: tuple[Node, ...]


class Repeat(NamedTuple):
    """From ``low`` to ``high`` times."""

    item: Node
    low: int
    high: int


class Lookaround(NamedTuple):
    """What takes no characters: an anchor, or a look ahead or behind at ``item``."""

    item: Node | None


Node = Chars | Sequence | Choice | Repeat | Lookaround

_DIGITS = sum(1 << ord(c) for c in "0123456789") | OTHER
_SPACES = sum(1 << ord(c) for c in " \t\n\r\f\v\x1c\x1d\x1e\x1f") | OTHER
_WORD = sum(1 << c for c in range(128) if chr(c).isalnum() or c == 95) | OTHER
_CLASSES = {
    "d": _DIGITS,
    "s": _SPACES,
    "w": _WORD,
    "D": EVERY ^ _DIGITS | OTHER,
    "S": EVERY ^ _SPACES | OTHER,
    "W": EVERY ^ _WORD | OTHER,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "0": "\0"}
_REPEATS = {"*": (0, UNBOUNDED), "+": (1, UNBOUNDED), "?": (0, 1)}
_ANCHORS = "bBAZ"
_HEX = {"x": 2, "u": 4}
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")


def parse(text: str) -> Node:
    """The tree of an expression. Raises ExpressionError."""
    parser = _Parser(text.removeprefix("(?i)"), text.startswith("(?i)"))
    tree = parser.choice()
    if parser.at < len(parser.text):
        raise ExpressionError("a closing bracket too many")
    return tree


class _Parser:
    """Reads from ``at`` on; ``ignoring`` says whether the case of letters counts there."""

    def __init__(self, text: str, ignoring: bool) -> None:
        self.text = text
        self.at = 0
        self._ignoring = ignoring

    def choice(self) -> Node:
        """Alternatives up to a closing bracket or the end."""
        options = [self._sequence()]
        while self._taken("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            items.append(self._repeated(self._item()))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _repeated(self, item: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return item
        if isinstance(item, Lookaround):
            raise ExpressionError("what takes no characters cannot be repeated")
        self._taken("?")  # as few as possible: the order of trying, not what is tried
        if self._taken("+") or self._bounds() is not None:
            raise ExpressionError("a repetition is repeated")
        return Repeat(item, *bounds)

    def _bounds(self) -> tuple[int, int] | None:
        mark = self.text[self.at : self.at + 1]
        if mark in _REPEATS:
            self.at += 1
            return _REPEATS[mark]
        end = self.text.find("}", self.at) if mark == "{" else -1
        if end < 0:
            return None
        low, comma, high = self.text[self.at + 1 : end].partition(",")
        if not (low + high).isdigit():
            return None  # a brace that stands for itself
        self.at = end + 1
        least = int(low or 0)
        return least, int(high) if high else UNBOUNDED if comma else least

    def _item(self) -> Node:
        letter = self._next()
        if letter == "(":
            return self._group()
        if letter == "[":
            return self._set()
        if letter == "\\":
            return self._escape()
        if letter in "^$":
            return Lookaround(None)
        if letter in "*+?":
            raise ExpressionError("nothing to repeat")
        return Chars(EVERY ^ 1 << 10) if letter == "." else self._letter(letter)

    def _group(self) -> Node:
        start = self.at - 1
        looks = next((mark for mark in _LOOKS if self.text.startswith(mark, start)), "")
        ignoring = self._ignoring
        if looks:
            self.at = start + len(looks)
        elif self._taken("?i:"):
            self._ignoring = True
        elif self._taken("?-i:"):
            self._ignoring = False
        elif self._taken("?P<"):
            self.at = self.text.find(">", self.at) + 1
        elif not self._taken("?:") and self.text.startswith("?", self.at):
            raise ExpressionError(f"a group of this kind is not allowed: ({self.text[self.at : self.at + 3]}")
        inside = self.choice()
        self._ignoring = ignoring
        if not self._taken(")"):
            raise ExpressionError("a bracket is not closed")
        return Lookaround(inside) if looks else inside

    def _set(self) -> Node:
        denied = self._taken("^")
        mask, first = 0, True
        while first or not self._taken("]"):
            low = self._member()
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                mask |= self._range(low, self._member())
            else:
                mask |= low
            first = False
        return Chars((EVERY ^ mask | OTHER) if denied else mask)

    def _member(self) -> int:
        if self._taken("\\"):
            if self.text[self.at : self.at + 1] == "b":
                self.at += 1
                return 1 << 8
            found = self._escape()
            return found.mask if isinstance(found, Chars) else 0
        return self._letter(self._next()).mask

    def _range(self, low: int, high: int) -> int:
        mask = 0
        for bit in range((low & -low).bit_length() - 1, high.bit_length()):
            mask |= self._letter(chr(bit)).mask if bit < 128 else OTHER
        return mask

    def _escape(self) -> Node:
        letter = self._next()
        if letter in _ANCHORS:
            return Lookaround(None)
        if letter in _CLASSES:
            return Chars(_CLASSES[letter])
        if letter in _HEX:
            digits = self.text[self.at : self.at + _HEX[letter]]
            self.at += len(digits)
            return self._letter(chr(int(digits, 16)))
        if letter in "123456789":
            return Chars(EVERY)  # what a group has matched: read in one way
        return self._letter(_ESCAPES.get(letter, letter))

    def _letter(self, letter: str) -> Chars:
        return _chars(letter, self._ignoring)

    def _taken(self, text: str) -> bool:
        if self.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def _next(self) -> str:
        if self.at >= len(self.text):
            raise ExpressionError("it ends too soon")
        self.at += 1
        return self.text[self.at - 1]


@lru_cache(maxsize=1024)
def _chars(letter: str, ignoring: bool) -> Chars:
    letters = {letter, letter.lower(), letter.upper()} if ignoring else {letter}
    mask = 0
    for one in letters:
        mask |= 1 << ord(one) if len(one) == 1 and ord(one) < 128 else OTHER
    return Chars(mask)
