"""Which literal belongs to which signature, parser or handler, and what a line that holds it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from functools import cached_property

from ..engine.knowledge.literals import Literals
from ..engine.language.matching import match, span_of
from .findings import Findings
from .parsers import Parser
from .scanner import Hit, Search
from .text import clean
from .windows import lines_above, lines_below

Handler = Callable[[Hit, str, Findings], None]


class Table:
    """Literals, and what to do with a line that holds one."""

    def __init__(self, signed: Literals) -> None:
        self._signed = signed
        self._parsers: dict[bytes, list[Parser]] = defaultdict(list)
        self._handlers: dict[bytes, list[Handler]] = defaultdict(list)

    @cached_property
    def search(self) -> Search:
        """The search for all literals. Nothing may be added after this."""
        own = {**self._parsers, **self._handlers}.keys()

        def every() -> list[bytes]:
            return list(dict.fromkeys([*map(str.encode, self._signed.every()), *own]))

        def likely(text: bytes) -> Collection[bytes]:
            return {**dict.fromkeys(map(str.encode, self._signed.likely(text))), **dict.fromkeys(own)}

        return Search(every, likely)

    def add_parser(self, parser: Parser) -> None:
        """Look for a parser's triggers."""
        for literal in parser.triggers:
            self._parsers[literal.encode()].append(parser)

    def add_handler(self, literals: tuple[str, ...], handler: Handler) -> None:
        """Call ``handler`` for lines that hold one of the literals, after signatures and parsers."""
        for literal in literals:
            self._handlers[literal.encode()].append(handler)

    def apply(self, hit: Hit, findings: Findings, shown: str = "") -> None:
        """Facts of one line; ``shown`` is the line as it is kept, if that is another."""
        line = clean(hit.data)
        around = findings.contexts.around(hit, line)
        done: set[object] = set()
        for literal in hit.literals:
            for number, fact, signature in self._signed.signatures(literal.decode()):
                if number in done:
                    continue
                done.add(number)
                value = match(signature, line)
                if value is None:
                    continue
                if signature.words:
                    findings.told(fact, value, hit.number, shown)
                elif trust := around.trust(fact, *span_of(signature, line)):
                    findings.add(fact, value, hit.number, line, lambda: lines_above(hit, 40), trust)
            for parser in self._parsers.get(literal, ()):
                if parser.name not in done and not findings.is_repeated(parser.name, line):
                    done.add(parser.name)
                    trigger = literal.decode()
                    place = max(line.find(trigger), 0)
                    trust = around.trust(parser.name, place, place + len(trigger))
                    if trust and findings.windows.allows(
                        parser.name, parser.before + parser.after, hit.number
                    ):
                        _parse(parser, hit, line, findings, trust)
        for literal in hit.literals:
            for handler in self._handlers.get(literal, ()):
                if handler not in done:
                    done.add(handler)
                    handler(hit, line, findings)


def _parse(parser: Parser, hit: Hit, line: str, findings: Findings, trust: str) -> None:
    above, below = lines_above(hit, parser.before), lines_below(hit, parser.after)
    lines = [*above, line, *below]
    for found in parser.parse(lines, len(above)):
        place = hit.number + found.line - len(above)
        findings.add(found.name, found.value, place, lines[found.line], trust=trust)
