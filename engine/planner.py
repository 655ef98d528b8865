"""The next question, probe or test: expected information gain for its cost.

The incidents still standing, and "something else", are the hypotheses; their scores are bits, so two to
the score is proportional to a probability. What an answer would do to a score is not modelled apart: the
rules are evaluated as if it had been given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import log2
from typing import NamedTuple

from .conditions import Truth, evaluate, facts_of
from .facts import PROBE
from .model import DENIAL, FREQUENCIES, WEIGHTS, Cond, FactSpec, Incident
from .predicates import Predicate
from .session import Session
from .standing import EXCLUDED
from .values import UNSET, Value

BASE_RATE = {"true": 0.1, "false": 0.9}
_OTHER_BITS = 3.0  # the weight of "none of these"
_RULED_OUT_BITS = -12.0
_CONFIRMED_BITS = 9.0
_CANNOT_TELL = {1: 0.05, 2: 0.1, 3: 0.2, 4: 0.35, 5: 0.5}
"""Chance that a person cannot answer a question of that cost."""


class Question(NamedTuple):
    """Something worth finding out.

    ``kind`` is ``question``, ``probe`` or ``test``; ``cost`` goes from 1 (a look) to 5 (a reboot).
    """

    kind: str
    fact: str
    text: str
    choices: tuple[str, ...]
    cost: int
    gain_bits: float
    separates: tuple[str, ...]


class Planner:
    """Weighs every open fact of a session once; make a new one after each answer.

    ``only`` restricts the hypotheses to some incidents.
    """

    def __init__(self, session: Session, only: Collection[str] | None = None) -> None:
        self._session = session
        self._only = only
        self._knowledge = session.knowledge
        self._values: dict[str, Value] = {}
        self._tests: dict[str, Predicate] = {}
        self._bits = self._hypotheses()
        self._mass = {name: 2.0**bits for name, bits in self._bits.items()}
        self._total = sum(self._mass.values()) + 2.0**_OTHER_BITS

    def _hypotheses(self) -> dict[str, float]:
        standing = {s.id: s for s in self._session.standings()}
        bits = {}
        for name in self._knowledge.incident_ids if self._only is None else sorted(self._only):
            incident = self._knowledge.incident(name)
            found = standing.get(name)
            if found is not None:
                if found.standing != EXCLUDED:
                    bits[name] = found.score
            elif not self._excluded(incident):
                bits[name] = FREQUENCIES[incident.frequency] - 1.0
        return bits

    def _excluded(self, incident: Incident) -> bool:
        return any(evaluate(c, self._session.truth) is True for c in incident.excludes) or any(
            evaluate(c, self._session.truth) is False for c in incident.requires
        )

    def best(self, count: int = 3) -> list[Question]:
        """The questions with the most gain for their cost, best first."""
        readers: dict[str, list[Incident]] = {}
        for name in self._bits:
            incident = self._knowledge.incident(name)
            for fact in dict.fromkeys(f for c in _conditions(incident) for f in facts_of(c)):
                readers.setdefault(fact, []).append(incident)
        asked = []
        for fact, incidents in sorted(readers.items()):
            spec = self._knowledge.vocabulary.spec(fact)
            if spec.question and self._may_ask(fact):
                question = self._weigh(spec, incidents)
                if question.gain_bits > 0.02:
                    asked.append(question)
        return sorted(asked, key=lambda q: (-q.gain_bits / q.cost, q.fact))[:count]

    def _may_ask(self, fact: str) -> bool:
        """What nobody spoke of; and what a probe could not find out, which a person may know."""
        settled = self._session.settled(fact)
        return settled is None or (settled.value is None and all(o.kind == PROBE for o in settled.origins))

    def _weigh(self, spec: FactSpec, incidents: list[Incident]) -> Question:
        answers = list(_answers(spec, [c for i in incidents for c in _conditions(i)]))
        shift = {i.id: [self._shift(i, spec.name, answer) for answer in answers] for i in incidents}
        prior = [_base_rate(spec, answer, len(answers)) for answer in answers]
        likelihood = {}
        for name, bits in shift.items():
            weights = [p * 2.0**b for p, b in zip(prior, bits, strict=True)]
            total = sum(weights)
            likelihood[name] = [w / total for w in weights] if total else prior
        gain = _gain(self._mass, self._total, likelihood, prior)
        gain *= 1 - _CANNOT_TELL[spec.cost]
        separates = sorted(shift, key=lambda n: (-self._mass[n] * (max(shift[n]) - min(shift[n])), n))[:5]
        kind = "test" if spec.probe == "collective" else "question"
        shown = tuple(str(a) for a in answers) if spec.type == "choice" else ()
        return Question(
            kind, spec.name, spec.question, spec.values or shown, spec.cost, round(gain, 4), tuple(separates)
        )

    def _shift(self, incident: Incident, fact: str, answer: Value) -> float:
        """How many bits the answer would add to the incident's score."""
        bits = 0.0
        for condition in (*incident.excludes, *(["not", c] for c in incident.requires)):
            if evaluate(condition, lambda leaf: self._truth(leaf, fact, answer)) is True:
                return _RULED_OUT_BITS
        for evidence in incident.suggests:
            if fact in facts_of(evidence.when):
                now = evaluate(evidence.when, self._session.truth)
                then = evaluate(evidence.when, lambda leaf: self._truth(leaf, fact, answer))
                if then is not now:
                    bits += WEIGHTS[evidence.weight] if then else -DENIAL[evidence.weight]
                elif then is None:
                    bits += WEIGHTS[evidence.weight] / 4 * self._promise(evidence.when, fact, answer)
        if not incident.collective:
            for condition in incident.confirms:
                if fact in facts_of(condition):
                    then = evaluate(condition, lambda leaf: self._truth(leaf, fact, answer))
                    if then is True:
                        bits += _CONFIRMED_BITS
                    elif then is None:
                        bits += self._promise(condition, fact, answer)
        return bits

    def _promise(self, condition: Cond, fact: str, answer: Value) -> int:
        """+1 if the answer is one of those the condition waits for, -1 if it is not."""
        for leaf in _leaves_of(condition, fact):
            if self._truth(leaf, fact, answer) is True:
                return 1
        return -1

    def _truth(self, leaf: Cond, fact: str, answer: Value) -> Truth:
        if leaf[1] != fact and leaf[3] != fact:
            return self._session.truth(leaf)
        key = repr(leaf)
        test = self._tests.get(key)
        if test is None:
            test = self._tests[key] = Predicate(leaf, self._knowledge.vocabulary.spec(leaf[1]))
        values = {fact: answer}
        for name in (leaf[1], leaf[3] if leaf[2] in ("above", "below", "same") else fact):
            if name != fact and (known := self._session.value(name)) is not None:
                values[name] = known
        return test.holds(values)


def _conditions(incident: Incident) -> list[Cond]:
    return [*incident.requires, *incident.excludes, *incident.confirms, *(e.when for e in incident.suggests)]


def _leaves_of(condition: Cond, fact: str) -> Iterator[Cond]:
    from .conditions import leaves

    return (leaf for leaf in leaves(condition) if leaf[1] == fact)


def _base_rate(spec: FactSpec, answer: Value, count: int) -> float:
    if spec.type == "bool" and spec.sign:
        return BASE_RATE["true" if answer else "false"]
    return 1 / count


def _answers(spec: FactSpec, conditions: list[Cond]) -> Iterator[Value]:
    """Answers that the rules can tell apart: all values of a type, or one for each side of each bound."""
    if spec.type == "bool":
        yield from (True, False)
        return
    if spec.type == "choice":
        yield from spec.values
        return
    found: dict[Value, None] = {}
    for condition in conditions:
        for leaf in _leaves_of(condition, spec.name):
            for value in _samples(leaf):
                found[value] = None
    found[UNSET if spec.name.startswith("env.") else _elsewhere(spec)] = None
    yield from found


def _samples(leaf: Cond) -> Iterator[Value]:
    import re

    operator, argument = leaf[2], leaf[3]
    if operator in ("in", "contains"):
        yield from argument
    elif operator == "range":
        for bound in re.findall(r"\d[\w.]*", argument):
            yield bound.removesuffix(".*")
            yield bound.removesuffix(".*") + ".1"
    elif operator == "set":
        yield "1"


def _elsewhere(spec: FactSpec) -> Value:
    if spec.type == "int":
        return 0
    return "0.0.1" if spec.type == "version" else "something else"


def _gain(
    mass: dict[str, float], total: float, likelihood: dict[str, list[float]], prior: list[float]
) -> float:
    """Mutual information in bits between the answer and the hypotheses.

    Hypotheses without a likelihood of their own answer by ``prior``.
    """
    affected = sum(mass[name] for name in likelihood)
    rest = total - affected
    gain = 0.0
    for index, base in enumerate(prior):
        joint = [(mass[name], rates[index]) for name, rates in likelihood.items()]
        marginal = (sum(m * rate for m, rate in joint) + rest * base) / total
        if marginal <= 0:
            continue
        gain += sum(m / total * rate * log2(rate / marginal) for m, rate in joint if rate > 0)
        gain += rest / total * base * log2(base / marginal) if base > 0 else 0.0
    return max(gain, 0.0)
