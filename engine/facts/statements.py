"""Facts with their origin, and the store that settles what holds when sources disagree.

A fact is known, or it cannot be established (with the reason), or nobody has spoken of it. The second
is never taken for "no". Nothing is overwritten: a source that loses is shown as a conflict.
"""

from bisect import insort
from collections.abc import Iterable, Iterator

from ..model import FactSpec
from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from .aggregation import badness, folds, source_of
from .typeof import TypeOf
from .values import SET, UNSET, Value, parse_value
from .versions import compatible, parse_version

ANSWER, FILE, PROBE, REPORT, RULE = "answer", "file", "probe", "report", "rule"
PRECEDENCE = (ANSWER, FILE, PROBE, REPORT, RULE)
"""Who is believed when sources disagree: the person asked, then a facts file, then what was measured on
the machine, then what a log says, then what a rule concluded. Within one kind the fact's page says which place
counts (``aggregation``), if nothing else the first."""
MOST_COUNTED = 64
"""Statements of one kind about one fact that are weighed, those that count first: a flood adds nothing."""

MEASURED, PRINTED, SAID, READ, DOUBTED, ELSEWHERE = (
    "measured",
    "printed",
    "said",
    "read",
    "doubted",
    "elsewhere",
)
TRUSTS = (MEASURED, PRINTED, SAID, READ, DOUBTED, ELSEWHERE)
"""How far a statement is trusted, most first: measured on this machine; printed by a tool or a log; said by a
person about this machine; read from a sentence by a guess; read with doubt, which is asked and is no fact until it is
answered; told of another machine or another time, which is never a fact of this one."""
UNCOUNTED = (DOUBTED, ELSEWHERE)
"""Statements that are kept and make no fact."""
_USUAL = {ANSWER: SAID, FILE: MEASURED, PROBE: MEASURED, REPORT: PRINTED, RULE: MEASURED}

ERROR_LINE = "log.error_line"
"""A pseudo-fact: an error line of a report that no signature knows; there may be many."""

WORDS = "log.words"
"""A pseudo-fact: the words of a report, for what resembles it; one for each text."""

_DIGITS = lazy_pattern(r"(\d{1,18})")  # a number of more digits is none, and takes long to read


class _Origin(NamedTuple):
    kind: str
    where: str
    text: str
    trust: str


class Origin(_Origin):
    """Where a fact came from: the kind of source, the place in it, the text that stood there, and how far it is
    trusted (as far as its kind of source usually is, if nothing else is said)."""

    __slots__ = ()

    def __new__(cls, kind: str, where: str = "", text: str = "", trust: str = "") -> "Origin":
        """The trust follows from the kind where it is not given."""
        return super().__new__(cls, kind, where, text, trust or _USUAL[kind])

    def to_dict(self) -> dict[str, str]:
        """As it stands in the JSON diagnosis."""
        return {"kind": self.kind, "where": self.where, "text": self.text, "trust": self.trust}

    @property
    def is_usual(self) -> bool:
        """Whether the trust is the one that its kind of source has anyway, and need not be written down."""
        return self.trust == _USUAL[self.kind]

    def order(self) -> tuple[object, ...]:
        """Sort key: precedence of the kind, trust, then the place, with line numbers in numeric order."""
        place = tuple(
            (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(self.where)
        )
        return (PRECEDENCE.index(self.kind), TRUSTS.index(self.trust), place, self.text)


class Fact(NamedTuple):
    """A statement that ``name`` has ``value``."""

    name: str
    value: Value
    origin: Origin


class CannotTell(NamedTuple):
    """A statement that ``name`` cannot be established by this source, and why."""

    name: str
    reason: str
    origin: Origin


Statement = Fact | CannotTell


class Settled(NamedTuple):
    """What holds of one fact: a value with all its origins and the statements that contradict it."""

    name: str
    value: Value | None
    origins: tuple[Origin, ...]
    reason: str = ""  # why it cannot be established, where ``value`` is None
    conflicts: tuple[Fact, ...] = ()

    @property
    def trust(self) -> str:
        """That of the most trusted source that says so."""
        return min((origin.trust for origin in self.origins), key=TRUSTS.index)


ByKind = dict[str, list[tuple[tuple[object, ...], Statement]]]
"""By kind of source: the statements that are weighed, those that count first."""


class FactStore:
    """Every statement made so far; the order in which they came does not matter."""

    def __init__(self, type_of: TypeOf) -> None:
        self._type_of = type_of
        self._statements: dict[str, dict[Statement, None]] = {}
        self._by_kind: dict[str, ByKind] = {}
        self._settled: dict[str, Settled | None] = {}

    def add(self, statement: Statement) -> bool:
        """Take a statement; a value is typed by the vocabulary. Whether it is new. Raises FactError."""
        spec = self._type_of(statement.name)
        if isinstance(statement, Fact):
            typed = parse_value(spec, statement.value)
            statement = Fact(statement.name, typed, statement.origin)
        said = self._statements.setdefault(statement.name, {})
        if statement in said:
            return False
        said[statement] = None
        if statement.name in self._by_kind and _enter(self._by_kind[statement.name], spec, statement):
            self._settled.pop(statement.name, None)
        return True

    def remove(self, statement: Statement) -> bool:
        """Take one statement back; whether it was there."""
        if isinstance(statement, Fact):
            typed = parse_value(self._type_of(statement.name), statement.value)
            statement = Fact(statement.name, typed, statement.origin)
        said = self._statements.get(statement.name, {})
        found = statement in said
        said.pop(statement, None)
        self._changed(statement.name)
        if not said:
            self._statements.pop(statement.name, None)
        return found

    def drop(self, name: str, kinds: Iterable[str] = PRECEDENCE) -> bool:
        """Take back what sources of these kinds said of ``name``; whether there was anything."""
        said = self._statements.get(name, {})
        gone = [s for s in said if s.origin.kind in tuple(kinds)]
        for statement in gone:
            del said[statement]
        if not said:
            self._statements.pop(name, None)
        self._changed(name)
        return bool(gone)

    def _changed(self, name: str) -> None:
        self._by_kind.pop(name, None)
        self._settled.pop(name, None)

    def names(self) -> list[str]:
        """Every fact that somebody spoke of, sorted."""
        return sorted(self._statements)

    def speaks_of(self, name: str) -> bool:
        """Whether a question about ``name`` has been answered: by a value, or by somebody who does not know.

        What a probe could not find out a person may still know.
        """
        said = self._statements.get(name, ())
        return any(
            (isinstance(s, Fact) or s.origin.kind != PROBE) and s.origin.trust not in UNCOUNTED for s in said
        )

    def doubts(self) -> list[Fact]:
        """What was read with doubt and nobody has spoken of, by the place where it was read; each fact once."""
        found: dict[str, Fact] = {}
        for name in self.names():
            doubted = [s for s in self._statements[name] if isinstance(s, Fact) and s.origin.trust == DOUBTED]
            if doubted and not self.speaks_of(name):
                found[name] = min(doubted, key=lambda fact: order(self._type_of(name), fact))
        return sorted(found.values(), key=lambda fact: (fact.origin.order(), fact.name))

    def statements(self) -> Iterator[Statement]:
        """Every statement, in a fixed order."""
        for name in self.names():
            spec = self._type_of(name)
            yield from sorted(self._statements[name], key=lambda said: order(spec, said))

    def settle(self, name: str) -> Settled | None:
        """What holds of ``name``, or None if nobody spoke of it on this machine."""
        if name not in self._statements:
            return None
        if name not in self._by_kind:
            spec = self._type_of(name)
            by_kind = self._by_kind[name] = {}
            for statement in self._statements[name]:
                _enter(by_kind, spec, statement)
            self._settled.pop(name, None)
        if name not in self._settled:
            self._settled[name] = self._settle(name)
        return self._settled[name]

    def _settle(self, name: str) -> Settled | None:
        by_kind = self._by_kind[name]
        said = [statement for kind in PRECEDENCE for _, statement in by_kind.get(kind, ())]
        if not said:
            return None  # told of another machine or another time only
        facts = [s for s in said if isinstance(s, Fact)]
        if not facts:
            refusals = [s for s in said if isinstance(s, CannotTell)]
            return Settled(name, None, tuple(r.origin for r in refusals), refusals[0].reason)
        if folds(self._type_of(name)):  # the first of each source speaks for all its places
            spoken = {(f.origin.kind, source_of(f.origin.kind, f.origin.where)): f for f in reversed(facts)}
            first = set(spoken.values())
            heads = [f for f in facts if f in first]
        else:
            heads = facts
        chosen = facts[0]
        agreeing = [f for f in facts if self._agree(f, chosen)]
        # Of statements that agree the fuller one is kept: 545.29.06 says more than 545.
        chosen = max(agreeing, key=self._detail)
        agreeing = [f for f in facts if self._agree(f, chosen)]
        same = set(agreeing)
        conflicts = tuple(f for f in heads if f not in same)
        return Settled(name, chosen.value, tuple(f.origin for f in agreeing), "", conflicts)

    def _agree(self, one: Fact, other: Fact) -> bool:
        if one.value == other.value:
            return True
        spec = self._type_of(one.name)
        if spec.type == "version":
            return compatible(
                parse_version(str(one.value), one.name), parse_version(str(other.value), one.name)
            )
        if spec.type == "text" and not one.name.startswith("env."):
            first, second = str(one.value).lower(), str(other.value).lower()
            return first in second or second in first
        pair = (one.value, other.value)
        return SET in pair and UNSET not in pair

    def _detail(self, fact: Fact) -> int:
        kind = self._type_of(fact.name).type
        if kind == "version":
            return len(parse_version(str(fact.value), fact.name).release)
        if kind == "text":
            return 0 if fact.value == SET else len(str(fact.value))
        return 0


def order(spec: FactSpec, statement: Statement) -> tuple[object, ...]:
    """Sort key of statements about one fact: the kind of source, what its page lets count, the place."""
    kind, trust, place, text = statement.origin.order()
    if isinstance(statement, Fact):
        return (kind, trust, badness(spec, statement.value), place, text, str(statement.value), 0)
    return (kind, trust, 0, place, text, statement.reason, 1)


def _enter(by_kind: ByKind, spec: FactSpec, statement: Statement) -> bool:
    """Enter a statement where it belongs; whether it is among those that count."""
    if statement.origin.trust in UNCOUNTED:
        return False
    listed = by_kind.setdefault(statement.origin.kind, [])
    entry = (order(spec, statement), statement)
    if len(listed) == MOST_COUNTED and entry[0] > listed[-1][0]:
        return False
    insort(listed, entry)
    del listed[MOST_COUNTED:]
    return True
