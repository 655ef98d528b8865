"""The reference matcher: the meaning of the rules, written down as directly as possible.

It evaluates every condition where it stands, without tokens, joins or bookkeeping of support, and so is
the oracle that the rule engine is tested against. It also takes over where durable-rules cannot be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .conditions import Truth, evaluate, facts_of
from .facttypes import TypeOf
from .model import Cond, FactSpec, Incident, Remedy
from .predicates import Predicate
from .program import CONFIRMED, DENIED, HINDERED, MISSING, RULED_OUT, SUGGESTED, Conclusion
from .values import Value, parse_value
from .workingmemory import derived_value


class Ruleset:
    """What the reference matcher reads: records, and which of them depend on which fact."""

    def __init__(
        self,
        facts: Iterable[FactSpec],
        incidents: Iterable[Incident],
        remedies: Iterable[Remedy],
        type_of: TypeOf,
    ) -> None:
        self.type_of = type_of
        self.derivations = _in_order([fact for fact in facts if fact.derived])
        self.owners: list[Incident | Remedy] = [*incidents, *remedies]
        self.readers: dict[str, list[int]] = {}
        for number, owner in enumerate(self.owners):
            for fact in dict.fromkeys(f for c in _conditions(owner) for f in facts_of(c)):
                self.readers.setdefault(fact, []).append(number)


def _conditions(owner: Incident | Remedy) -> list[Cond]:
    if isinstance(owner, Remedy):
        return [a.when for a in owner.applies]
    return [*owner.requires, *owner.confirms, *owner.excludes, *(e.when for e in owner.suggests)]


def _in_order(facts: list[FactSpec]) -> list[FactSpec]:
    """Derived facts after the derived facts that they read."""
    by_name = {fact.name: fact for fact in facts}
    ordered: dict[str, FactSpec] = {}

    def visit(fact: FactSpec) -> None:
        if fact.name in ordered:
            return
        for derivation in fact.derived:
            for name in (*facts_of(derivation.when), derivation.items_of):
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
        self._tests: dict[str, Predicate] = {}

    def assign(self, fact: str, value: Value | None) -> None:
        """See ``Matcher.assign``."""
        if value is None:
            self._told.pop(fact, None)
        else:
            self._told[fact] = value
        before = self._values
        self._values, self._derived = dict(self._told), {}
        for spec in self._ruleset.derivations:
            if spec.name not in self._told:
                self._derive(spec)
        for changed in self._values.keys() | before.keys():
            if self._values.get(changed) != before.get(changed):
                for number in self._ruleset.readers.get(changed, ()):
                    self._concluded.pop(number, None)
                    self._concluded[number] = list(self._conclude(self._ruleset.owners[number]))

    def _derive(self, spec: FactSpec) -> None:
        for index, derivation in enumerate(spec.derived):
            if evaluate(derivation.when, self._truth) is True:
                text = derived_value(derivation.items_of, derivation.value, self._values)
                if text is not None:
                    value = parse_value(spec, text)
                    self._values[spec.name], self._derived[spec.name] = value, (value, index)
                    return

    def _truth(self, leaf: Cond) -> Truth:
        key = repr(leaf)
        test = self._tests.get(key)
        if test is None:
            test = self._tests[key] = Predicate(leaf, self._ruleset.type_of(leaf[1]))
        return test.holds(self._values)

    def _conclude(self, owner: Incident | Remedy) -> Iterable[Conclusion]:
        truth: Callable[[Cond], Truth] = lambda condition: evaluate(condition, self._truth)  # noqa: E731
        if isinstance(owner, Remedy):
            yield from (
                (HINDERED, owner.id, i) for i, a in enumerate(owner.applies) if truth(a.when) is False
            )
            return
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

    def _is_missed(self, condition: Cond) -> bool:
        """Whether evidence is known to be absent by its signs alone, or, if it has none, by its circumstances."""
        is_sign = {name: self._ruleset.type_of(name).sign for name in facts_of(condition)}
        if not any(is_sign.values()):
            return evaluate(condition, self._truth) is False
        return evaluate(condition, lambda leaf: self._truth(leaf) if is_sign[leaf[1]] else None) is False

    def value(self, fact: str) -> Value | None:
        """See ``Matcher.value``."""
        return self._values.get(fact)

    def derived(self) -> Mapping[str, tuple[Value, int]]:
        """See ``Matcher.derived``."""
        return self._derived

    def conclusions(self) -> frozenset[Conclusion]:
        """See ``Matcher.conclusions``."""
        return frozenset(c for found in self._concluded.values() for c in found)

    def close(self) -> None:
        """Nothing to free."""
