"""What a line says: the one place where signatures are held against text.

The reader of reports finds the literals of all signatures in one pass and asks ``match`` about the lines that hold
one; search and the linter ask ``read``. The site's script does the same with the same tables (``find.js``), and a
test holds the two together.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate

from ..model import Signature
from ..patterns import compiled
from ..tuples import NamedTuple
from .phrases import holds

LINE = 3000
"""Characters of a line that are looked at, so that no expression can take for ever (``backtracking``)."""
BEYOND = "\u0080"
"""Stands for any character beyond ASCII among the texts that a line must hold (``required``)."""
_CERTAIN = {"true": True, "false": False}
SENTENCE = 400
"""Characters of a line that may be somebody's words; longer lines are output."""


def _may_match(needs: tuple[tuple[str, ...], ...], line: str) -> bool:
    """Whether one text of each group stands in the line."""
    for group in needs:
        for text in group:  # a loop: this is asked of every line, and any() makes a generator
            if text in line:
                break
        else:
            if BEYOND not in group or line.isascii():
                return False
    return True


class Match(NamedTuple):
    """What a signature reads from a line, and where its words stand there."""

    value: str | bool
    start: int
    end: int


def matched(signature: Signature, line: str) -> Match | None:
    """What the signature reads from the line, or None if it does not match.

    A literal is known to stand in the line, which is in lower case for ``words``.
    """
    line = line[:LINE]
    if signature.near and not holds(signature, line):
        return None
    if signature.needs and not _may_match(signature.needs, line):
        return None
    found = compiled(signature.pattern).search(line) if signature.pattern else None
    if signature.pattern and not found:
        return None
    if (
        signature.unless
        and _may_match(signature.unless_needs, line)
        and compiled(signature.unless).search(line)
    ):
        return None
    value: str | bool = _CERTAIN.get(signature.value, signature.value)
    if isinstance(value, str):
        for name, text in found.groupdict("").items() if found else ():
            value = value.replace("{" + name + "}", text)
    if found:
        return Match(value, found.start(), found.end())
    place, literal = 0, ""
    for text in signature.literals:
        at = line.find(text)
        if (at, text) >= (place, literal):
            place, literal = at, text
    return Match(value, place, place + len(literal))


def match(signature: Signature, line: str) -> str | bool | None:
    """The value of ``matched`` alone."""
    found = matched(signature, line)
    return found.value if found else None


def as_words(line: str) -> str:
    """The line as a person's words are looked for: in lower case, and nothing of a line too long to be somebody's."""
    return line.lower() if len(line) <= SENTENCE else ""


def read(signature: Signature, line: str) -> str | bool | None:
    """The value that the signature reads from any line, literals and all."""
    text = as_words(line) if signature.words else line
    return match(signature, text) if _within(signature.literals, text) else None


class Sign(NamedTuple):
    """The value that a text gives a fact, and the first line that says so."""

    value: str | bool
    line: str


def signs_in(signatures: Mapping[str, Iterable[Signature]], lines: list[str]) -> dict[str, Sign]:
    """The facts that stand in a text, each from the first line that gives it; no parser is asked."""
    printed, spoken = _Lines(lines), _Lines([as_words(line) for line in lines])
    # Signatures of one phrase share their literals, which are looked for once.
    sharing: dict[tuple[bool, tuple[str, ...]], list[tuple[str, Signature]]] = {}
    for fact, listed in signatures.items():
        for signature in listed:
            sharing.setdefault((signature.words, signature.literals), []).append((fact, signature))
    found: dict[str, tuple[int, str | bool]] = {}
    for (is_words, literals), sharers in sharing.items():
        text = spoken if is_words else printed
        for number in text.holding(literals):
            open_yet = [one for one in sharers if one[0] not in found or number < found[one[0]][0]]
            if not open_yet:
                break
            for fact, signature in open_yet:
                value = match(signature, text.lines[number])
                if value is not None and (fact not in found or number < found[fact][0]):
                    found[fact] = number, value
    first = sorted(found.items(), key=lambda one: one[1][0])
    return {fact: Sign(value, lines[number]) for fact, (number, value) in first}


class _Lines:
    """Lines, and where they begin in the text that they make."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._text = "\n".join(lines)
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def holding(self, literals: Iterable[str]) -> list[int]:
        """The numbers of the lines that hold one of the texts, in order."""
        found: set[int] = set()
        for literal in literals:
            at = self._text.find(literal)
            while at >= 0:
                number = bisect_right(self._starts, at) - 1
                found.add(number)
                at = self._text.find(literal, self._starts[number + 1])
        return sorted(found)


def _within(literals: Iterable[str], text: str) -> bool:
    return any(literal in text for literal in literals)
