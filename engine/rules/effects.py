"""What an answer would do to an incident: to its score, and how much the incident expects it."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from ..facts import Value
from ..model import VENDORS, Condition, Evidence, FactSpec, Incident, Test
from ..tuples import NamedTuple
from .answers import answers
from .conditions import Truth, evaluate, facts_of, leaves
from .predicates import Predicate
from .scale import DENIAL, EXCLUDED_BITS, EXPECTED_BITS, WEIGHTS

_Then = Callable[[Test], Truth]

VENDOR = "gpu.vendor"
_READ_FIRST = ("suggests", "confirms", "requires", "excludes")
_MAKERS = frozenset(VENDORS) - {"none"}


class Effect(NamedTuple):
    """An answer's effect on an incident: bits added to its score, whether it is proof, and how many bits
    likelier the answer is with the incident than without."""

    bits: float
    confirms: bool
    expected: float


def is_of_others(vendor: Value | None, vendors: Collection[str]) -> bool:
    """Whether GPUs are of a maker that a page does not speak of; one that names no maker speaks of all."""
    return bool(vendors) and vendor in VENDORS and vendor != "none" and vendor not in vendors


class Outcomes(NamedTuple):
    """What the answers to one question would do to one incident; ``given`` is the chance of each answer if the
    incident is the case."""

    answers: tuple[Value, ...]
    effects: tuple[Effect, ...]
    given: tuple[float, ...]


class Effects:
    """Tells effects of answers, given what is known now: ``value`` gives a fact, or None, and ``now`` whether a test
    holds."""

    def __init__(
        self, value: Callable[[str], Value | None], now: _Then, type_of: Callable[[str], FactSpec]
    ) -> None:
        self._value = value
        self._now = now
        self._type_of = type_of
        self._tests: dict[int, Predicate] = {}  # by identity: the records live as long as the knowledge base

    def excludes(self, incident: Incident) -> bool:
        """Whether the incident is ruled out by what is known."""
        return (
            any(evaluate(c, self._now) is True for c in incident.excludes)
            or any(evaluate(c, self._now) is False for c in incident.requires)
            or is_of_others(self._value(VENDOR), incident.vendors)
        )

    def speaks(self, read: "ReadFacts", fact: str) -> bool:
        """Whether an open fact is worth asking for the sake of an incident for which nothing speaks yet: one answer
        alone would speak for it, or it waits for this sign or choice."""
        spec = self._type_of(fact)
        if not spec.question:
            return False
        waits = spec.sign or spec.type == "choice"
        for effect in self.of(read, fact, answers(spec, read.reads[fact])):
            if effect.bits > 0 or effect.confirms or (waits and effect.expected > 0):
                return True
        return False

    def of(self, read: "ReadFacts", fact: str, listed: Sequence[Value]) -> tuple[Effect, ...]:
        """The effects of answers to the question for one fact."""
        touched = read.touched(fact)
        undecided = [
            (evidence, denial)
            for evidence, denial in touched.suggests
            if evaluate(evidence.when, self._now) is None
        ]
        return tuple(self._effect(read, touched, undecided, fact, answer) for answer in listed)

    def _effect(
        self,
        read: "ReadFacts",
        touched: "Touched",
        undecided: "list[tuple[Evidence, Condition | None]]",
        fact: str,
        answer: Value,
    ) -> Effect:
        then = self._then(fact, answer)
        if fact == VENDOR and is_of_others(answer, read.incident.vendors):
            return Effect(EXCLUDED_BITS, False, EXPECTED_BITS["excluded"])
        if any(evaluate(c, then) is True for c in touched.excludes) or any(
            evaluate(c, then) is False for c in touched.requires
        ):
            return Effect(EXCLUDED_BITS, False, EXPECTED_BITS["excluded"])
        bits = expected = 0.0
        for evidence, denial in undecided:
            weight, after = WEIGHTS[evidence.weight], evaluate(evidence.when, then)
            if after is True:
                bits, expected = bits + weight, expected + weight
            elif denial is not None and evaluate(denial, then) is True:
                bits, expected = bits - DENIAL[evidence.weight], expected - DENIAL[evidence.weight]
            else:
                expected += weight / 4 * (self._promise(evidence.when, fact, then) if after is None else -1)
        confirms = False
        for condition in touched.confirms:
            after = evaluate(condition, then)
            confirms = confirms or (after is True and not read.incident.collective)
            expected += EXPECTED_BITS["confirms"] if after else 0.5 if after is None else -0.5
        return Effect(bits, confirms, expected)

    def _promise(self, condition: Condition, fact: str, then: _Then) -> int:
        """+1 if the answer is one of those that the condition waits for, -1 if it is not."""
        return 1 if any(test.fact == fact and then(test) is True for test in leaves(condition)) else -1

    def _then(self, fact: str, answer: Value) -> _Then:
        alone = {fact: answer}

        def then(test: Test) -> Truth:
            if test.fact != fact and test.argument != fact:
                return self._now(test)
            reads = test.reads
            if fact not in reads:
                return self._now(test)
            if len(reads) == 1:
                return self._predicate(test).holds(alone)
            told = {name: answer if name == fact else self._value(name) for name in reads}
            return self._predicate(test).holds({n: value for n, value in told.items() if value is not None})

        return then

    def _predicate(self, test: Test) -> Predicate:
        predicate = self._tests.get(id(test))
        if predicate is None:
            predicate = self._tests[id(test)] = Predicate(test, self._type_of(test.fact))
        return predicate


class Touched(NamedTuple):
    """The entries of an incident that read one fact."""

    excludes: tuple[Condition, ...]
    requires: tuple[Condition, ...]
    suggests: tuple[tuple[Evidence, Condition | None], ...]
    confirms: tuple[Condition, ...]


class Absences(Protocol):
    """When each entry of ``suggests`` counts as absent."""

    def __getitem__(self, index: int) -> Condition | None:
        """The condition of one; None if that cannot be."""


class ReadFacts:
    """The facts that an incident reads, each with the conditions that read it; and what was found out last.

    ``denials``: of each of its ``suggests`` when it counts as absent. ``knows_vendors``: whether the vocabulary has the
    maker of the GPUs, which every incident of some makers reads.
    """

    def __init__(self, incident: Incident, denials: Absences, knows_vendors: bool) -> None:
        self.incident = incident
        self._denials = denials
        self.reads: dict[str, list[Condition]] = {}
        self.known: tuple[Value | None, ...] | None = None
        self.excluded: bool | None = None
        self.active: list[str] | None = None
        self.speaks: dict[str, bool] = {}
        self.outcomes: dict[str, Outcomes] = {}
        self._touched: dict[str, Touched] = {}
        self._beside: dict[str, set[str]] = {}
        for clause in sorted(incident.conditions(), key=lambda c: _READ_FIRST.index(c.slot)):
            read = dict.fromkeys(facts_of(clause.when))
            for fact in read:
                self.reads.setdefault(fact, []).append(clause.when)
                self._beside.setdefault(fact, set()).update(read)
        if knows_vendors and not _MAKERS.issubset(incident.vendors):
            self.reads.setdefault(VENDOR, [])
            self._beside.setdefault(VENDOR, {VENDOR})

    def touched(self, fact: str) -> Touched:
        """The entries that an answer about the fact may decide."""
        found = self._touched.get(fact)
        if found is None:
            incident, read = self.incident, {id(condition) for condition in self.reads[fact]}
            found = self._touched[fact] = Touched(
                tuple(c for c in incident.excludes if id(c) in read),
                tuple(c for c in incident.requires if id(c) in read),
                tuple((e, self._denials[i]) for i, e in enumerate(incident.suggests) if id(e.when) in read),
                tuple(c for c in incident.confirms if id(c) in read),
            )
        return found

    def forget(self, known: tuple[Value | None, ...]) -> None:
        """Drop what rests on facts that changed: an answer matters through the conditions that read it."""
        before = self.known or (None,) * len(known)
        changed = {f for f, old, new in zip(self.reads, before, known, strict=True) if old != new}
        for fact in self.reads:
            if not changed.isdisjoint(self._beside[fact]):
                self.speaks.pop(fact, None)
                self.outcomes.pop(fact, None)
        self.known, self.excluded, self.active = known, None, None
