"""Facts with their origin, and the store that settles what holds when sources disagree.

A fact is known, or it cannot be established (with the reason), or nobody has spoken of it. The second
is never taken for "no". Nothing is overwritten: a source that loses is shown as a conflict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .facttypes import TypeOf
from .values import SET, UNSET, Value, parse_value
from .versions import compatible, parse_version

ANSWER, FILE, PROBE, REPORT, RULE = "answer", "file", "probe", "report", "rule"
PRECEDENCE = (ANSWER, FILE, PROBE, REPORT, RULE)
"""Who is believed when sources disagree: the person asked, then a facts file, then what was measured on
the machine, then what a log says, then what a rule concluded. Within one kind the first place wins."""

ERROR_LINE = "log.error_line"
"""A pseudo-fact: an error line of a report that no signature knows; there may be many."""

_DIGITS = re.compile(r"(\d+)")


class Origin(NamedTuple):
    """Where a fact came from: the kind of source, the place in it, and the text that stood there."""

    kind: str
    where: str = ""
    text: str = ""

    def to_dict(self) -> dict[str, str]:
        """As it stands in the JSON diagnosis."""
        return {"kind": self.kind, "where": self.where, "text": self.text}

    def order(self) -> tuple[object, ...]:
        """Sort key: precedence of the kind, then the place, with line numbers in numeric order."""
        place = tuple(
            (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(self.where)
        )
        return (PRECEDENCE.index(self.kind), place, self.text)


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


class FactStore:
    """Every statement made so far; the order in which they came does not matter."""

    def __init__(self, type_of: TypeOf) -> None:
        self._type_of = type_of
        self._statements: dict[str, dict[Statement, None]] = {}

    def add(self, statement: Statement) -> None:
        """Take a statement; a value is typed by the vocabulary. Raises FactError."""
        spec = self._type_of(statement.name)
        if isinstance(statement, Fact):
            typed = parse_value(spec, statement.value)
            statement = Fact(statement.name, typed, statement.origin)
        self._statements.setdefault(statement.name, {})[statement] = None

    def remove(self, statement: Statement) -> bool:
        """Take one statement back; whether it was there."""
        if isinstance(statement, Fact):
            typed = parse_value(self._type_of(statement.name), statement.value)
            statement = Fact(statement.name, typed, statement.origin)
        said = self._statements.get(statement.name, {})
        found = statement in said
        said.pop(statement, None)
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
        return bool(gone)

    def names(self) -> list[str]:
        """Every fact that somebody spoke of, sorted."""
        return sorted(self._statements)

    def speaks_of(self, name: str) -> bool:
        """Whether a question about ``name`` has been answered: by a value, or by somebody who does not know.

        What a probe could not find out a person may still know.
        """
        said = self._statements.get(name, ())
        return any(isinstance(s, Fact) or s.origin.kind != PROBE for s in said)

    def statements(self) -> Iterator[Statement]:
        """Every statement, in a fixed order."""
        for name in self.names():
            yield from sorted(self._statements[name], key=_statement_order)

    def settle(self, name: str) -> Settled | None:
        """What holds of ``name``, or None if nobody spoke of it."""
        said = sorted(self._statements.get(name, ()), key=_statement_order)
        facts = [s for s in said if isinstance(s, Fact)]
        if not facts:
            refusals = [s for s in said if isinstance(s, CannotTell)]
            if not refusals:
                return None
            return Settled(name, None, tuple(r.origin for r in refusals), refusals[0].reason)
        chosen = facts[0]
        agreeing = [f for f in facts if self._agree(f, chosen)]
        # Of statements that agree the fuller one is kept: 545.29.06 says more than 545.
        chosen = max(agreeing, key=self._detail)
        agreeing = [f for f in facts if self._agree(f, chosen)]
        conflicts = tuple(f for f in facts if f not in agreeing)
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


def _statement_order(statement: Statement) -> tuple[object, ...]:
    value = statement.value if isinstance(statement, Fact) else statement.reason
    return (*statement.origin.order(), str(value))
