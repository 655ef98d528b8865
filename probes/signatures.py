"""Which literal belongs to which signature, parser or handler, and what a line that holds it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property

from ..engine.language.matching import match, span_of
from ..engine.model import Signature
from .contexts import trust_of
from .findings import Findings
from .parsers import Parser
from .scanner import Hit, Search
from .text import LONGEST, clean

Handler = Callable[[Hit, str, Findings], None]
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
                if value is None:
                    continue
                if signature.words:
                    findings.told(fact, value, hit.number, shown)
                elif trust := trust_of(hit, line, *span_of(signature, line)):
                    findings.add(fact, value, hit.number, line, lambda: lines_above(hit, 40), trust)
            for parser in self._parsers.get(literal, ()):
                if parser.name not in done and not findings.is_repeated(parser.name, line):
                    done.add(parser.name)
                    trigger = self.literals[literal].decode()
                    place = max(line.find(trigger), 0)
                    if trust := trust_of(hit, line, place, place + len(trigger)):
                        _parse(parser, hit, line, findings, trust)
        for literal in hit.literals:
            for handler in self._handlers.get(literal, ()):
                if handler not in done:
                    done.add(handler)
                    handler(hit, line, findings)


def _parse(parser: Parser, hit: Hit, line: str, findings: Findings, trust: str) -> None:
    above = lines_above(hit, parser.before) if parser.before else []
    below = _lines_below(hit, parser.after) if parser.after else []
    lines = [*above, line, *below]
    for found in parser.parse(lines, len(above)):
        place = hit.number + found.line - len(above)
        findings.add(found.name, found.value, place, lines[found.line], trust=trust)


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
