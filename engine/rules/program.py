"""The knowledge base compiled to rules over tokens, which is all that a rule engine gets to see.

Every test of a fact has two tokens: one for "it holds" and one for "it is known not to hold". An unknown
fact has neither, so the rules are monotone and no order of facts can change a conclusion. A nested
condition gets a token of its own, with a rule for each way to reach it.
"""

from collections.abc import Callable, Iterable
from typing import Any

from ..model import All, Condition, Either, Evidence, FactSpec, Incident, Not, Test
from ..tuples import NamedTuple
from .conditions import as_json, facts_of

Conclusion = tuple[str, str, int]
"""What a rule concludes: the kind, whose it is, and which entry of that slot."""

CONFIRMED, RULED_OUT, MISSING, SUGGESTED, DENIED, VALUE = (
    "confirmed",  # requires are met and confirms[i] holds
    "ruled out",  # excludes[i] holds
    "missing",  # requires[i] is known not to hold
    "suggested",  # suggests[i] holds
    "denied",  # suggests[i] is known not to hold
    "value",  # derived[i] of a fact holds
)


class Rule(NamedTuple):
    """``head`` follows from all of ``body``."""

    head: int
    body: tuple[int, ...]


class Block(NamedTuple):
    """Rules that are brought into the engine together, when a trigger holds or when asked for."""

    owner: str
    rules: tuple[Rule, ...]
    triggers: tuple[int, ...]


class Program(NamedTuple):
    """Tests, conclusions and blocks of rules. Token ``2k`` says that test ``k`` holds, ``2k+1`` that it does
    not; tokens from ``2 * len(tests)`` on are conclusions (None for one that is only a step)."""

    tests: tuple[Test, ...]
    conclusions: tuple[Conclusion | None, ...]
    blocks: tuple[Block, ...]

    @property
    def first_conclusion(self) -> int:
        """The number of the first token that is not a test."""
        return 2 * len(self.tests)

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON, to compare two programs."""
        return {
            "tests": [as_json(test) for test in self.tests],
            "conclusions": self.conclusions,
            "blocks": [[b.owner, [[r.head, *r.body] for r in b.rules], b.triggers] for b in self.blocks],
        }


def starts(evidence: Evidence, is_sign: Callable[[str], bool]) -> bool:
    """Whether this evidence alone makes an incident worth considering.

    Weak evidence that only tells circumstances (a vendor, a launcher) does not.
    """
    return evidence.weight != "weak" or any(is_sign(fact) for fact in facts_of(evidence.when))


def denial_of(condition: Condition, is_sign: Callable[[str], bool]) -> Condition | None:
    """The condition under which evidence counts as absent; None if that cannot be.

    Where evidence joins a sign with circumstances (``symptom.hang`` on ``gpu.vendor: amd``), only the sign can
    be missed: another vendor makes the evidence meaningless, and says nothing against the incident.
    """
    if isinstance(condition, Test) and len(condition.reads) == 1:
        return Not(condition)  # most are so, and nothing of them need be known
    if any(map(is_sign, facts_of(condition))):
        return _reach(condition, False, is_sign)
    return Not(condition)


def _reach(condition: Condition, wanted: bool, is_sign: Callable[[str], bool]) -> Condition | None:
    """What the signs must say for the condition to be ``wanted``, whatever the circumstances."""
    if isinstance(condition, Test):
        if not is_sign(condition.fact):
            return None
        return condition if wanted else Not(condition)
    if isinstance(condition, Not):
        return _reach(condition.part, not wanted, is_sign)
    parts = [_reach(part, wanted, is_sign) for part in condition.parts]
    reachable = tuple(part for part in parts if part is not None)
    if isinstance(condition, All) is wanted:
        return All(reachable) if len(reachable) == len(parts) else None
    return Either(reachable) if reachable else None


def compile_program(
    facts: Iterable[FactSpec],
    incidents: Iterable[Incident],
    is_sign: Callable[[str], bool],
) -> Program:
    """All rules of a knowledge base. ``is_sign`` tells facts that speak of trouble from circumstances."""
    compiler = _Compiler(is_sign)
    for fact in facts:
        if fact.derived:
            compiler.add_fact(fact)
    for incident in incidents:
        compiler.add_incident(incident)
    return compiler.finish()


_LONGEST_BODY = 12
"""Longer rules are cut in two: the rule engine joins at most 16 conditions."""

_Rules = list[tuple[int, list[int]]]


class _Compiler:
    """Conclusions are numbered -1, -2, ... until the number of tests is known."""

    def __init__(self, is_sign: Callable[[str], bool]) -> None:
        self._is_sign = is_sign
        self._numbers: dict[Test, int] = {}
        self._tests: list[Test] = []
        self._conclusions: list[Conclusion | None] = []
        self._blocks: list[tuple[str, _Rules, set[int]]] = []

    def add_fact(self, fact: FactSpec) -> None:
        rules: _Rules = []
        triggers: set[int] = set()
        for index, derivation in enumerate(fact.derived):
            self._rule(rules, (VALUE, fact.name, index), [derivation.when], True)
            triggers |= self._watch(derivation.when, True)
        self._blocks.append((fact.name, rules, triggers))

    def add_incident(self, incident: Incident) -> None:
        rules: _Rules = []
        triggers: set[int] = set()
        for index, condition in enumerate(incident.confirms):
            self._rule(rules, (CONFIRMED, incident.id, index), [*incident.requires, condition], True)
            triggers |= self._watch(condition, True)
        for index, evidence in enumerate(incident.suggests):
            self._rule(rules, (SUGGESTED, incident.id, index), [evidence.when], True)
            denial = denial_of(evidence.when, self._is_sign)
            if denial is not None:
                self._rule(rules, (DENIED, incident.id, index), [denial], True)
            if starts(evidence, self._is_sign):
                triggers |= self._watch(evidence.when, True)
        for index, condition in enumerate(incident.excludes):
            self._rule(rules, (RULED_OUT, incident.id, index), [condition], True)
        for index, condition in enumerate(incident.requires):
            self._rule(rules, (MISSING, incident.id, index), [condition], False)
        self._blocks.append((incident.id, rules, triggers))

    def _rule(self, rules: _Rules, conclusion: Conclusion, conditions: list[Condition], wanted: bool) -> None:
        self._conclusions.append(conclusion)
        head = -len(self._conclusions)
        for way in self._ways(conditions[0], wanted) if len(conditions) == 1 else [conditions]:
            body = [token for condition in way for token in self._body(condition, wanted, rules)]
            while len(body) > _LONGEST_BODY:
                step = self._step()
                rules.append((step, body[:_LONGEST_BODY]))
                body = [step, *body[_LONGEST_BODY:]]
            rules.append((head, body))

    def _ways(self, condition: Condition, wanted: bool) -> list[list[Condition]]:
        """The ways to make a condition ``wanted``: one for each branch of an alternative, which needs no step then."""
        if isinstance(condition, (Test, Not)) or isinstance(condition, All) is wanted:
            return [[condition]]
        return [way for part in condition.parts for way in self._ways(part, wanted)]

    def _step(self) -> int:
        self._conclusions.append(None)
        return -len(self._conclusions)

    def _test(self, test: Test, wanted: bool) -> int:
        number = self._numbers.setdefault(test, len(self._tests))
        if number == len(self._tests):
            self._tests.append(test)
        return 2 * number + (not wanted)

    def _body(self, condition: Condition, wanted: bool, rules: _Rules) -> list[int]:
        """Tokens that together say that the condition is ``wanted``; nested choices become rules."""
        if isinstance(condition, Test):
            return [self._test(condition, wanted)]
        if isinstance(condition, Not):
            return self._body(condition.part, not wanted, rules)
        if isinstance(condition, All) is wanted:
            return [token for part in condition.parts for token in self._body(part, wanted, rules)]
        step = self._step()
        for part in condition.parts:
            rules.append((step, self._body(part, wanted, rules)))
        return [step]

    def _watch(self, condition: Condition, wanted: bool) -> set[int]:
        """Tokens of which one must be told before the condition can be ``wanted``."""
        if isinstance(condition, Test):
            return {self._test(condition, wanted)}
        if isinstance(condition, Not):
            return self._watch(condition.part, not wanted)
        parts = [self._watch(part, wanted) for part in condition.parts]
        if isinstance(condition, All) is wanted:
            return min(parts, key=lambda tokens: (not all(map(self._says_trouble, tokens)), len(tokens)))
        return set().union(*parts)

    def _says_trouble(self, token: int) -> bool:
        return self._is_sign(self._tests[token // 2].fact)

    def finish(self) -> Program:
        base = 2 * len(self._tests)

        def number(token: int) -> int:
            return token if token >= 0 else base - token - 1

        blocks = []
        for owner, rules, triggers in self._blocks:
            made = tuple(Rule(number(h), tuple(dict.fromkeys(number(t) for t in body))) for h, body in rules)
            blocks.append(Block(owner, made, tuple(sorted(triggers))))
        return Program(tuple(self._tests), tuple(self._conclusions), tuple(blocks))
