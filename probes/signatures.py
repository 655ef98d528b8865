"""Which literal belongs to which signature, parser or handler, and what a line that holds it says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..engine.model import Signature
from ..engine.phrases import holds
from .findings import Findings
from .parsers import Parser
from .scanner import Hit, Search
from .text import LONGEST, clean, safe

Handler = Callable[[Hit, str, Findings], None]
SENTENCE = 400
"""Characters of a line that may be somebody's words; longer lines are output."""
MOST_LINES = 20_000
"""Lines of a text that is searched for, not diagnosed."""
_WIDTH = 600  # bytes of one neighbouring line, at most, that a parser is given


class Table:
    """Literals, and what to do with a line that holds one."""

    def __init__(self) -> None:
        self.literals: list[bytes] = []
        self._numbers: dict[str, int] = {}
        self._signatures: dict[int, list[tuple[str, Signature]]] = defaultdict(list)
        self._parsers: dict[int, list[Parser]] = defaultdict(list)
        self._handlers: dict[int, list[Handler]] = defaultdict(list)

    @cached_property
    def search(self) -> Search:
        """The automaton of all literals. Nothing may be added after this."""
        return Search(self.literals)

    def _literal(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.literals)
            self.literals.append(text.encode())
        return self._numbers[text]

    def add_signature(self, fact: str, signature: Signature) -> None:
        """Look for a signature's literals."""
        for literal in signature.literals:
            self._signatures[self._literal(literal)].append((fact, signature))

    def add_parser(self, parser: Parser) -> None:
        """Look for a parser's triggers."""
        for literal in parser.triggers:
            self._parsers[self._literal(literal)].append(parser)

    def add_handler(self, literals: tuple[str, ...], handler: Handler) -> None:
        """Call ``handler`` for lines that hold one of the literals, after signatures and parsers."""
        for literal in literals:
            self._handlers[self._literal(literal)].append(handler)

    def apply(self, hit: Hit, findings: Findings, shown: str = "") -> None:
        """Facts of one line; ``shown`` is the line as it is kept, if that is another."""
        line = clean(hit.data)
        done: set[object] = set()
        for literal in hit.literals:
            for fact, signature in self._signatures.get(literal, ()):
                value = match(signature, line) if (fact, signature) not in done else None
                done.add((fact, signature))
                if value is not None and signature.words:
                    findings.told(fact, value, hit.number, shown)
                elif value is not None:
                    findings.add(fact, value, hit.number, line, lambda: lines_above(hit, 40))
            for parser in self._parsers.get(literal, ()):
                if parser.name not in done and not findings.is_repeated(parser.name, line):
                    done.add(parser.name)
                    _parse(parser, hit, line, findings)
        for literal in hit.literals:
            for handler in self._handlers.get(literal, ()):
                if handler not in done:
                    done.add(handler)
                    handler(hit, line, findings)


def _parse(parser: Parser, hit: Hit, line: str, findings: Findings) -> None:
    above = lines_above(hit, parser.before) if parser.before else []
    below = _lines_below(hit, parser.after) if parser.after else []
    lines = [*above, line, *below]
    for found in parser.parse(lines, len(above)):
        findings.add(found.name, found.value, hit.number + found.line - len(above), lines[found.line])


def lines_above(hit: Hit, count: int) -> list[str]:
    """Up to ``count`` lines that stand before the line of the hit."""
    text = hit.chunk[max(0, hit.start - _WIDTH * count) : hit.start]
    return [clean(piece[:LONGEST]) for piece in text.split(b"\n")[:-1][-count:]]


def _lines_below(hit: Hit, count: int) -> list[str]:
    start = hit.chunk.find(b"\n", hit.start) + 1
    if not start:
        return []
    text = hit.chunk[start : start + _WIDTH * count]
    return [clean(piece[:LONGEST]) for piece in text.split(b"\n")[:count]]


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def match(signature: Signature, line: str) -> str | bool | None:
    """The value that the signature reads from the line, or None if it does not match.

    The literal is known to stand in the line.
    """
    if signature.near and not holds(signature, line):
        return None
    found = _compiled(signature.pattern).search(line) if signature.pattern else None
    if signature.pattern and not found:
        return None
    if signature.unless and _compiled(signature.unless).search(line):
        return None
    if signature.value == "true":
        return True
    if signature.value == "false":
        return False
    value = signature.value
    for name, text in found.groupdict("").items() if found else ():
        value = value.replace("{" + name + "}", text)
    return value


class Sign(NamedTuple):
    """The value that a text gives a fact, and the first line that says so."""

    value: str | bool
    line: str


def signs_in(signatures: dict[str, tuple[Signature, ...]], text: str) -> dict[str, Sign]:
    """The facts that stand in a text; no parser is asked.

    A person's own words are looked for in lines up to the length of a sentence, in lower case.
    """
    lines = [safe(line)[:LONGEST] for line in text.splitlines()[:MOST_LINES]]
    lowered = [line.lower() if len(line) <= SENTENCE else "" for line in lines]
    whole, spoken = "\n".join(lines), "\n".join(lowered)
    possible = [
        (fact, signature)
        for fact, listed in signatures.items()
        for signature in listed
        if any(literal in (spoken if signature.words else whole) for literal in signature.literals)
    ]
    found: dict[str, Sign] = {}
    for line, words in zip(lines, lowered, strict=True):
        for fact, signature in possible:
            seen = words if signature.words else line
            if fact not in found and any(literal in seen for literal in signature.literals):
                value = match(signature, seen)
                if value is not None:
                    found[fact] = Sign(value, line)
    return found
