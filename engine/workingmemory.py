"""Working memory: facts become tokens, tokens go through the rules, conclusions are kept true.

Tests of facts are decided here, rules of one token are followed here, and only rules that join several
tokens go to the join engine. Conclusions are withdrawn when what they rest on is withdrawn (the join
engines at hand do not do that); since derived facts never depend on themselves, counting the rules that
hold a conclusion up is exact.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Protocol

from .facttypes import TypeOf
from .predicates import Predicate
from .program import VALUE, Block, Conclusion, Program
from .values import SET, UNSET, Value, parse_value

RuleRef = tuple[int, int]
"""A rule as (block, position in the block)."""


class JoinEngine(Protocol):
    """Finds the rules of several tokens whose whole body has been told."""

    name: str

    def load(self, number: int, block: Block) -> None:
        """Bring a block in."""

    def add(self, number: int, token: int) -> Iterable[int]:
        """Tell a token to a block; the positions of the rules that fire."""

    def drop(self, number: int, token: int) -> None:
        """Take a token back."""

    def close(self) -> None:
        """Free everything."""


class WorkingMemory:
    """A matcher (see ``matcher.Matcher``) on top of a join engine."""

    def __init__(
        self, program: Program, type_of: TypeOf, join: JoinEngine, layout: Layout | None = None
    ) -> None:
        self.name = join.name
        self._program = program
        self._type_of = type_of
        self._join = join
        self._layout = layout or Layout(program)
        self._predicates: dict[int, Predicate] = {}
        self._told: dict[str, Value] = {}
        self._derived: dict[str, tuple[Value, int]] = {}
        self._values: dict[str, Value] = {}
        self._truth: dict[int, bool] = {}
        self._tokens: set[int] = set()
        self._active: set[RuleRef] = set()
        self._support: dict[int, int] = defaultdict(int)
        self._held: set[Conclusion] = set()
        self._holding: dict[str, set[int]] = defaultdict(set)
        self._loaded: set[int] = set()
        self._queue: deque[tuple[bool, int]] = deque()
        self._stale: set[str] = set()

    def assign(self, fact: str, value: Value | None) -> None:
        """See ``Matcher.assign``."""
        if value is None:
            self._told.pop(fact, None)
        else:
            self._told[fact] = value
        self._refresh(fact)
        while self._queue or self._stale:
            if self._queue:
                adding, token = self._queue.popleft()
                (self._add if adding else self._drop)(token)
            else:
                name = min(self._stale)
                self._stale.discard(name)
                self._derive(name)

    def value(self, fact: str) -> Value | None:
        """See ``Matcher.value``."""
        return self._values.get(fact)

    def derived(self) -> Mapping[str, tuple[Value, int]]:
        """See ``Matcher.derived``."""
        return {name: found for name, found in self._derived.items() if name not in self._told}

    def conclusions(self) -> frozenset[Conclusion]:
        """See ``Matcher.conclusions``."""
        return frozenset(self._held)

    def close(self) -> None:
        """See ``Matcher.close``."""
        self._join.close()

    def _refresh(self, fact: str) -> None:
        """Bring the tests of a fact in line with its value. A changed value is first withdrawn, so that
        rules that compute with it see the new one."""
        new = self._told.get(fact)
        if new is None and fact in self._derived:
            new = self._derived[fact][0]
        old = self._values.get(fact)
        if new == old and type(new) is type(old):
            return
        if old is not None:
            del self._values[fact]
            self._retest(fact)
        if new is not None:
            self._values[fact] = new
            self._retest(fact)

    def _retest(self, fact: str) -> None:
        for number in self._layout.tests_of.get(fact, ()):
            predicate = self._predicates.get(number)
            if predicate is None:
                leaf = self._program.tests[number]
                predicate = self._predicates[number] = Predicate(leaf, self._type_of(leaf[1]))
            new, old = predicate.holds(self._values), self._truth.get(number)
            if new is old:
                continue
            if old is not None:
                self._queue.append((False, 2 * number + (not old)))
                del self._truth[number]
            if new is not None:
                self._queue.append((True, 2 * number + (not new)))
                self._truth[number] = new

    def _add(self, token: int) -> None:
        self._tokens.add(token)
        for rule in self._layout.alone.get(token, ()):
            self._activate(rule)
        for number in self._layout.joined.get(token, ()):
            if number in self._loaded:
                self._fire(number, self._join.add(number, token))
        for number in self._layout.triggered.get(token, ()):
            if number not in self._loaded:
                self._load(number)

    def _load(self, number: int) -> None:
        self._loaded.add(number)
        self._join.load(number, self._program.blocks[number])
        for token in self._layout.tokens_of[number]:
            if token in self._tokens:
                self._fire(number, self._join.add(number, token))

    def _fire(self, number: int, positions: Iterable[int]) -> None:
        for position in positions:
            self._activate((number, position))

    def _activate(self, rule: RuleRef) -> None:
        if rule in self._active:
            return
        self._active.add(rule)
        head = self._program.blocks[rule[0]].rules[rule[1]].head
        self._support[head] += 1
        if self._support[head] == 1:
            self._conclude(head, True)

    def _drop(self, token: int) -> None:
        self._tokens.discard(token)
        for rule in self._layout.users.get(token, ()):
            if rule in self._active:
                self._active.discard(rule)
                head = self._program.blocks[rule[0]].rules[rule[1]].head
                self._support[head] -= 1
                if not self._support[head]:
                    self._conclude(head, False)
        for number in self._layout.joined.get(token, ()):
            if number in self._loaded:
                self._join.drop(number, token)

    def _conclude(self, head: int, holds: bool) -> None:
        conclusion = self._program.conclusions[head - self._program.first_conclusion]
        if conclusion is None:
            self._queue.append((holds, head))
        elif conclusion[0] == VALUE:
            (self._holding[conclusion[1]].add if holds else self._holding[conclusion[1]].discard)(
                conclusion[2]
            )
            self._stale.add(conclusion[1])
        else:
            (self._held.add if holds else self._held.discard)(conclusion)

    def _derive(self, fact: str) -> None:
        """Settle a derived fact: of the derivations that hold, the first in the file counts."""
        self._derived.pop(fact, None)
        spec = self._type_of(fact)
        for index in sorted(self._holding[fact]):
            value = derived_value(spec.derived[index].items_of, spec.derived[index].value, self._values)
            if value is not None:
                self._derived[fact] = (parse_value(spec, value), index)
                break
        self._refresh(fact)


def derived_value(items_of: str, constant: str, values: Mapping[str, Value]) -> str | None:
    """The value that a derivation gives: its constant, or the number of items of another fact."""
    if not items_of:
        return constant
    listed = values.get(items_of)
    if listed is None or listed in (SET, UNSET):
        return None
    return str(len([item for item in str(listed).split(",") if item.strip()]))


class Layout:
    """Where each token is used; computed once for a program and shared by its sessions."""

    def __init__(self, program: Program) -> None:
        self.tests_of: dict[str, list[int]] = defaultdict(list)
        self.alone: dict[int, list[RuleRef]] = defaultdict(list)
        self.users: dict[int, list[RuleRef]] = defaultdict(list)
        self.joined: dict[int, list[int]] = defaultdict(list)
        self.triggered: dict[int, list[int]] = defaultdict(list)
        self.tokens_of: list[list[int]] = []
        for number, test in enumerate(program.tests):
            self.tests_of[test[1]].append(number)
            if test[2] in ("above", "below", "same"):
                self.tests_of[test[3]].append(number)
        for number, block in enumerate(program.blocks):
            tokens: set[int] = set()
            for position, rule in enumerate(block.rules):
                for token in rule.body:
                    self.users[token].append((number, position))
                if len(rule.body) == 1:
                    self.alone[rule.body[0]].append((number, position))
                else:
                    tokens.update(rule.body)
            for token in tokens:
                self.joined[token].append(number)
            if tokens:
                for token in block.triggers:
                    self.triggered[token].append(number)
            self.tokens_of.append(sorted(tokens))
