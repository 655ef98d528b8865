"""Which literal belongs to which signature, parser or handler, and what a line that holds it says."""

from collections import defaultdict
from collections.abc import Callable, Collection
from functools import cached_property, partial

from gpudoctor.engine.tuples import NamedTuple

from ..engine.knowledge.literals import Literals
from ..engine.language.counts import counts_none
from ..engine.language.matching import LINE, matched
from ..engine.model import Signature
from .findings import Findings
from .parsers import Parser
from .scanner import LiteralHit, Search
from .text import clean
from .windows import lines_above, lines_below

_MOST_IN_LINE = 40
"""Signatures that one line is taken to match: no program prints more in what is looked at of a line."""
_SHORT, _MOST_LINES = 300, 4096
"""Characters of a line, and how many lines, of which it is kept what they say."""

Handler = Callable[[LiteralHit, str, Findings], None]


_Said = tuple[str, str | bool, int, int, bool, int]
"""Fact, value, start and end of the words, whether they are a person's, and the number of the signature."""


class SignatureTable:
    """Literals, and what to do with a line that holds one."""

    def __init__(self, signed: Literals) -> None:
        self._signed = signed
        self._parsers: dict[bytes, list[Parser]] = defaultdict(list)
        self._handlers: dict[bytes, list[Handler]] = defaultdict(list)
        self._called: dict[bytes, _Called] = {}
        self._lines: dict[tuple[str, tuple[bytes, ...]], list[tuple[_Called, list[_Said]]]] = {}

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

    def apply(self, hit: LiteralHit, findings: Findings, shown: str = "") -> None:
        """Facts of one line; ``shown`` is the line as it is kept, if that is another."""
        line = clean(hit.data)
        done: set[str] = set()
        handlers: dict[Handler, None] = {}
        found = self._said(hit, line)
        around = findings.contexts.around(hit, line, partial(self._samples, found))
        for called, said in found:
            for fact, value, start, end, in_words, _ in said:
                if in_words:
                    findings.told(fact, value, hit.number, shown)
                elif trust := around.trust(fact, start, end):
                    findings.add(fact, value, hit.number, line, lambda: lines_above(hit, 40), trust)
            for parser in called.parsers:
                if parser.name not in done and not findings.is_repeated(parser.name, line):
                    done.add(parser.name)
                    place = max(line.find(called.text), 0)
                    if parser.event and counts_none(line, place + len(called.text)):
                        continue
                    trust = around.trust(parser.name, place, place + len(called.text))
                    if trust and findings.windows.allows(
                        parser.name, parser.before + parser.after, hit.number
                    ):
                        _parse(parser, hit, line, findings, trust)
            for handler in called.handlers:
                handlers[handler] = None
        for handler in handlers:
            handler(hit, line, findings)

    def _said(self, hit: LiteralHit, line: str) -> "list[tuple[_Called, list[_Said]]]":
        """What signatures read from a line, kept for a while since programs repeat themselves."""
        key = line, hit.literals
        if (known := self._lines.get(key)) is not None:
            return known
        found: list[tuple[_Called, list[_Said]]] = []
        done: set[int] = set()
        near, left = line[:LINE], _MOST_IN_LINE
        for literal in hit.literals:
            called = self._called.get(literal) or self._calls(literal)
            said: list[_Said] = []
            for number, fact, signature in called.signatures:
                if number in done or not left:
                    continue
                done.add(number)
                match = matched(signature, near)
                if match is None:
                    continue
                left -= 1
                value, start, end = match
                if not counts_none(line, end):
                    said.append((fact, value, start, end, signature.words, number))
            found.append((called, said))
        if len(line) <= _SHORT:
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            self._lines[key] = found
        return found

    def _samples(self, found: "list[tuple[_Called, list[_Said]]]") -> tuple[str, ...]:
        """The sample lines of all signatures that a line matches."""
        return tuple(one for _, said in found for *_, number in said for one in self._signed.samples(number))

    def _calls(self, literal: bytes) -> "_Called":
        """All that a literal calls, put together when it turns up first."""
        text = literal.decode()
        found = self._called[literal] = _Called(
            text,
            self._signed.signatures(text),
            self._parsers.get(literal, []),
            self._handlers.get(literal, []),
        )
        return found


class _Called(NamedTuple):
    """What one literal calls; ``text`` is the literal."""

    text: str
    signatures: list[tuple[int, str, Signature]]
    parsers: list[Parser]
    handlers: list[Handler]


def _parse(parser: Parser, hit: LiteralHit, line: str, findings: Findings, trust: str) -> None:
    above, below = lines_above(hit, parser.before), lines_below(hit, parser.after)
    lines = [*above, line, *below]
    for found in parser.parse(lines, len(above)):
        place = hit.number + found.line - len(above)
        findings.add(found.name, found.value, place, lines[found.line], trust=trust)
