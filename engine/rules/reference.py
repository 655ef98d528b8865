"""The reference matcher: the meaning of the rules, written down as directly as possible.

It evaluates every condition where it stands, without tokens, joins or bookkeeping of support, and so is
the oracle that the rule engine is tested against. It also takes over where durable-rules cannot be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..facts import TypeOf, Value, parse_value
from ..model import Condition, FactSpec, Incident, Test
from .conditions import Truth, evaluate, facts_of
from .matcher import MatcherError
from .predicates import Predicate
from .program import CONFIRMED, DENIED, MISSING, RULED_OUT, SUGGESTED, Conclusion
from .workingmemory import derived_value


class Ruleset:
    """What the reference matcher reads: records, and which of them depend on which fact."""

    def __init__(
        self,
        facts: Iterable[FactSpec],
        incidents: Iterable[Incident],
        type_of: TypeOf,
    ) -> None:
        self.type_of = type_of
        self.derivations = _in_order([fact for fact in facts if fact.derived])
        self.owners = list(incidents)
        self.readers: dict[str, list[int]] = {}
        for number, owner in enumerate(self.owners):
            for fact in dict.fromkeys(f for c in owner.conditions() for f in facts_of(c.when)):
                self.readers.setdefault(fact, []).append(number)


def _in_order(facts: list[FactSpec]) -> list[FactSpec]:
    """Derived facts after the derived facts that they read, as far as relations that go both ways allow."""
    by_name = {fact.name: fact for fact in facts}
    ordered: dict[str, FactSpec] = {}
    entered: set[str] = set()

    def visit(fact: FactSpec) -> None:
        if fact.name in entered:
            return
        entered.add(fact.name)
        for derivation in fact.derived:
            for name in (*facts_of(derivation.when), derivation.items_of, derivation.copy_of):
                if name in by_name and name != fact.name:
                    visit(by_name[name])
        ordered[fact.name] = fact

    for fact in facts:
        visit(fact)
    return list(ordered.values())


class ReferenceMatcher:
    """A matcher (see ``matcher.Matcher``) without a rule engine."""

    name = "reference"

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._told: dict[str, Value] = {}
        self._values: dict[str, Value] = {}
        self._derived: dict[str, tuple[Value, int]] = {}
        self._concluded: dict[int, list[Conclusion]] = {}
        self._tests: dict[Test, Predicate] = {}

    def assign(self, fact: str, value: Value | None) -> None:
        """See ``Matcher.assign``."""
        if value is None:
            self._told.pop(fact, None)
        else:
            self._told[fact] = value
        before = self._values
        self._values, self._derived = dict(self._told), {}
        self._settle_derived()
        for changed in self._values.keys() | before.keys():
            if self._values.get(changed) != before.get(changed):
                for number in self._ruleset.readers.get(changed, ()):
                    self._concluded.pop(number, None)
                    self._concluded[number] = list(self._conclude(self._ruleset.owners[number]))

    def _settle_derived(self) -> None:
        """Derive until nothing changes; no conclusion rests on itself, so each round settles at least one more."""
        rounds = 2 * len(self._ruleset.derivations) + 2
        for _ in range(rounds):
            before = dict(self._derived)
            for spec in self._ruleset.derivations:
                if spec.name not in self._told:
                    self._values.pop(spec.name, None)
                    self._derived.pop(spec.name, None)
                    self._derive(spec)
            if self._derived == before:
                return
        raise MatcherError("derived facts do not settle")

    def _derive(self, spec: FactSpec) -> None:
        for index, derivation in enumerate(spec.derived):
            if evaluate(derivation.when, self._truth) is True:
                text = derived_value(derivation, self._values)
                if text is not None:
                    value = parse_value(spec, text)
                    self._values[spec.name], self._derived[spec.name] = value, (value, index)
                    return

    def _truth(self, test: Test) -> Truth:
        predicate = self._tests.get(test)
        if predicate is None:
            predicate = self._tests[test] = Predicate(test, self._ruleset.type_of(test.fact))
        return predicate.holds(self._values)

    def _conclude(self, owner: Incident) -> Iterable[Conclusion]:
        truth: Callable[[Condition], Truth] = lambda condition: evaluate(condition, self._truth)  # noqa: E731
        required = [truth(c) for c in owner.requires]
        yield from ((MISSING, owner.id, i) for i, value in enumerate(required) if value is False)
        yield from ((RULED_OUT, owner.id, i) for i, c in enumerate(owner.excludes) if truth(c) is True)
        for i, evidence in enumerate(owner.suggests):
            if truth(evidence.when) is True:
                yield (SUGGESTED, owner.id, i)
            elif self._is_missed(evidence.when):
                yield (DENIED, owner.id, i)
        if all(value is True for value in required):
            yield from ((CONFIRMED, owner.id, i) for i, c in enumerate(owner.confirms) if truth(c) is True)

    def _is_missed(self, condition: Condition) -> bool:
        """Whether evidence is known to be absent by its signs alone, or, if it has none, by its circumstances."""
        is_sign = {name: self._ruleset.type_of(name).sign for name in facts_of(condition)}
        if not any(is_sign.values()):
            return evaluate(condition, self._truth) is False
        return evaluate(condition, lambda test: self._truth(test) if is_sign[test.fact] else None) is False

    def value(self, fact: str) -> Value | None:
        """See ``Matcher.value``."""
        return self._values.get(fact)

    def values(self) -> Mapping[str, Value]:
        """See ``Matcher.values``."""
        return self._values

    def derivation(self, fact: str) -> tuple[Value, int] | None:
        """See ``Matcher.derivation``."""
        return self._derived.get(fact)

    def derived(self) -> Mapping[str, tuple[Value, int]]:
        """See ``Matcher.derived``."""
        return self._derived

    def conclusions(self) -> frozenset[Conclusion]:
        """See ``Matcher.conclusions``."""
        return frozenset(c for found in self._concluded.values() for c in found)

    def close(self) -> None:
        """Nothing to free."""
