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

from ..facts import SET, UNSET, TypeOf, Value, parse_value
from ..model import Derivation
from .layout import Alone, Layout, Trigger
from .predicates import Predicate
from .program import CONFIRMED, SUGGESTED, VALUE, Block, Conclusion

_SPEAKING = (CONFIRMED, SUGGESTED)
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

    def __init__(self, layout: Layout, type_of: TypeOf, join: JoinEngine) -> None:
        self.name = join.name
        self._layout = layout
        self._type_of = type_of
        self._join = join
        self._predicates: dict[int, Predicate] = {}
        self._told: dict[str, Value] = {}
        self._derived: dict[str, tuple[Value, int]] = {}
        self._values: dict[str, Value] = {}
        self._truth: dict[int, bool] = {}
        self._tokens: set[int] = set()
        self._active: set[RuleRef] = set()
        self._resting: dict[int, dict[RuleRef, tuple[int, Conclusion | None]]] = defaultdict(dict)
        self._joined: dict[int, list[int]] = defaultdict(list)
        self._later: dict[int, list[Alone]] = defaultdict(list)
        self._support: dict[int, int] = defaultdict(int)
        self._held: dict[str, set[Conclusion]] = defaultdict(set)
        self._holding: dict[str, set[int]] = defaultdict(set)
        self._brought: set[int] = set()
        self._spoken: set[int] = set()
        self._waiting: dict[int, dict[int, None]] = defaultdict(dict)  # token: blocks, each once
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

    def values(self) -> Mapping[str, Value]:
        """See ``Matcher.values``."""
        return self._values

    def derivation(self, fact: str) -> tuple[Value, int] | None:
        """See ``Matcher.derivation``."""
        return None if fact in self._told else self._derived.get(fact)

    def derived(self) -> Mapping[str, tuple[Value, int]]:
        """See ``Matcher.derived``."""
        return {name: found for name, found in self._derived.items() if name not in self._told}

    def conclusions(self) -> frozenset[Conclusion]:
        """See ``Matcher.conclusions``."""
        return frozenset().union(*self._held.values())

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
        for number, test in self._layout.tests(fact):
            predicate = self._predicates.get(number)
            if predicate is None:
                predicate = self._predicates[number] = Predicate(test, self._type_of(test.fact))
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
        uses = self._layout.uses(token)
        for block, position, head, conclusion in (*uses.alone, *self._later.get(token, ())):
            self._activate((block, position), head, conclusion, (token,))
        for number in self._joined.get(token, ()):
            self._fire(number, self._join.add(number, token))
        for number in self._waiting.pop(token, ()):
            self._consider(number)
        for trigger in uses.triggered:
            if trigger.block not in self._brought:
                self._bring(trigger)

    def _bring(self, trigger: Trigger) -> None:
        """Bring a block in: as soon as a token is told without which none of its joins can fire."""
        number, steps, watched = trigger
        self._brought.add(number)
        if steps:
            self._take(self._layout.later(number).steps)
        if self._tokens.isdisjoint(watched):
            for token in watched:
                self._waiting[token][number] = None
        else:
            self._consider(number)

    def _take(self, rules: Iterable[tuple[int, Alone]]) -> None:
        """Rules of one token that did not count before."""
        for token, rule in rules:
            self._later[token].append(rule)
            if token in self._tokens:
                self._activate((rule.block, rule.position), rule.head, rule.conclusion, (token,))

    def _consider(self, number: int) -> None:
        """Load a block once one of its joins may fire; until then wait for a token that each of them lacks."""
        if number in self._loaded:
            return
        lacking = set()
        for rule in self._layout.block(number).block.rules:
            if len(rule.body) > 1:
                missing = next((token for token in rule.body if token not in self._tokens), None)
                if missing is None:
                    self._load(number)
                    return
                lacking.add(missing)
        for token in lacking:
            self._waiting[token][number] = None

    def _load(self, number: int) -> None:
        self._loaded.add(number)
        found = self._layout.block(number)
        self._join.load(number, found.block)
        for token in found.tokens:
            self._joined[token].append(number)
            if token in self._tokens:
                self._fire(number, self._join.add(number, token))

    def _fire(self, number: int, positions: Iterable[int]) -> None:
        found = self._layout.block(number)
        for position in positions:
            rule = found.block.rules[position]
            self._activate((number, position), rule.head, found.conclusions[position], rule.body)

    def _activate(
        self, rule: RuleRef, head: int, conclusion: Conclusion | None, body: tuple[int, ...]
    ) -> None:
        if rule in self._active:
            return
        self._active.add(rule)
        for token in body:
            self._resting[token][rule] = head, conclusion
        self._support[head] += 1
        if self._support[head] == 1:
            if conclusion is None:
                self._layout.later(rule[0])  # where the uses of its steps stand
            elif conclusion[0] in _SPEAKING and rule[0] not in self._spoken:
                self._spoken.add(rule[0])
                self._take(self._layout.later(rule[0]).beside)
            self._conclude(head, conclusion, True)

    def _drop(self, token: int) -> None:
        self._tokens.discard(token)
        for rule, (head, conclusion) in self._resting.pop(token, {}).items():
            if rule in self._active:  # it may have fallen with another of its tokens
                self._active.discard(rule)
                self._support[head] -= 1
                if not self._support[head]:
                    self._conclude(head, conclusion, False)
        for number in self._joined.get(token, ()):
            self._join.drop(number, token)

    def _conclude(self, head: int, conclusion: Conclusion | None, holds: bool) -> None:
        if conclusion is None:
            self._queue.append((holds, head))
        elif conclusion[0] == VALUE:
            (self._holding[conclusion[1]].add if holds else self._holding[conclusion[1]].discard)(
                conclusion[2]
            )
            self._stale.add(conclusion[1])
        else:
            held = self._held[conclusion[1]]
            (held.add if holds else held.discard)(conclusion)

    def _derive(self, fact: str) -> None:
        """Settle a derived fact: of the derivations that hold, the first in the file counts."""
        self._derived.pop(fact, None)
        spec = self._type_of(fact)
        for index in sorted(self._holding[fact]):
            value = derived_value(spec.derived[index], self._values)
            if value is not None:
                self._derived[fact] = (parse_value(spec, value), index)
                break
        self._refresh(fact)


def derived_value(derivation: Derivation, values: Mapping[str, Value]) -> Value | None:
    """The value that a derivation gives: its constant, or what another fact says."""
    read = derivation.items_of or derivation.copy_of
    if not read:
        return derivation.value
    listed = values.get(read)
    if listed is None or listed in (SET, UNSET):
        return None
    if derivation.copy_of:
        return listed
    return str(len([item for item in str(listed).split(",") if item.strip()]))
