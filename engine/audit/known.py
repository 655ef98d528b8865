"""What is known of one subject of an audit: what was stated, and what follows from it when it is asked for.

Rules are followed backwards, fact by fact: an audit asks for a few dozen facts, and must not wait for the rule engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from ..errors import FactError
from ..facts import Fact, FactStore, Statement, Value
from ..facts.secrecy import without_secrets
from ..knowledge import Knowledge
from ..model import MADE_SIGNS, Condition, FactSpec, Test
from ..rules import Predicate, Truth, evaluate, witnesses
from ..tuples import NamedTuple

_LATER = ("symptom.", "collective.", "skew.", *MADE_SIGNS)
"""What only a job that has run can tell."""
_OF_A_JOB = (
    "env.",
    "container.",
    "parallel.",
    "serving.",
    "model.",
    "spec.",
    "shm.",
    "limit.",
    "launcher",
    "runtime",
    "node.",
    "gpu.visible",
)
"""What each job has of its own: that of another on the machine says nothing of this one."""


class Subject(NamedTuple):
    """The machine or its software, under an empty name, or one launch of a spec."""

    name: str
    statements: tuple[Statement, ...]
    kind: str = ""
    where: str = ""


class SubjectFacts:
    """The facts of one subject. ``beneath``: those of the machine, without what belongs to its jobs."""

    def __init__(self, knowledge: Knowledge, subject: Subject, beneath: SubjectFacts | None = None) -> None:
        self.subject = subject
        self._vocabulary = knowledge.vocabulary
        self._store = FactStore(knowledge.vocabulary.spec)
        self._beneath = beneath
        self._values: dict[str, Value | None] = {}
        self._tests: dict[Test, Predicate] = {}
        for statement in subject.statements:
            try:
                self._store.add(without_secrets(statement))
            except FactError:
                if not subject.kind:  # a facts file is taken whole; of a spec what does not fit says nothing
                    raise

    def value(self, name: str) -> Value | None:
        """The value of a fact, stated or derived; None if it is not known."""
        if name not in self._values:
            self._values[name] = None  # for a circle, which the compiler refuses anyway
            self._values[name] = self._find(name)
        return self._values[name]

    def supposing(self, values: Mapping[str, Value]) -> SubjectFacts:
        """The same subject if these facts were so."""
        other = copy(self)
        other._values = dict(values)
        return other

    def _find(self, name: str) -> Value | None:
        settled = self._store.settle(name)
        if settled is not None:
            return settled.value
        if self._beneath and not name.startswith(_OF_A_JOB):
            below = self._beneath.value(name)
            if below is not None:
                return below
        if name.startswith(_LATER):
            return None
        return self._derived(self._vocabulary.spec(name))

    def _derived(self, spec: FactSpec) -> Value | None:
        for rule in spec.derived:
            if evaluate(rule.when, self.truth) is not True:
                continue
            if rule.copy_of:
                return self.value(rule.copy_of)
            if rule.items_of:
                listed = str(self.value(rule.items_of) or "")
                return len([item for item in listed.split(",") if item.strip()])
            from ..facts import parse_value

            return parse_value(spec, rule.value)
        return None

    def where(self, name: str) -> str:
        """The place that states a fact; empty where none does."""
        settled = self._store.settle(name)
        if settled is not None and settled.value is not None:
            origin = settled.origins[0]
            return origin.where or origin.kind
        return self._beneath.where(name) if self._beneath and not name.startswith(_OF_A_JOB) else ""

    def truth(self, test: Test) -> Truth:
        """Whether one test holds."""
        predicate = self._tests.get(test)
        if predicate is None:
            predicate = self._tests[test] = Predicate(test, self._vocabulary.spec(test.fact))
        values = {name: value for name in test.reads if (value := self.value(name)) is not None}
        if not values and self.subject.kind and test.operator in ("set", "unset"):
            return test.operator == "unset"  # a spec is the whole of what it sets
        return predicate.holds(values)

    def holds(self, condition: Condition) -> Truth:
        """Whether a condition holds."""
        return evaluate(condition, self.truth)

    def reasons(self, condition: Condition) -> tuple[tuple[str, str], ...]:
        """The facts by which a condition holds, with their values."""
        names = dict.fromkeys(name for test in witnesses(condition, self.truth) for name in test.reads)
        return tuple((name, _shown(value)) for name in names if (value := self.value(name)) is not None)

    def variables(self) -> list[tuple[str, str]]:
        """The environment variables of this subject with their values, sorted."""
        names = [name for name in self._store.names() if name.startswith("env.")]
        return [(n.removeprefix("env."), str(v)) for n in names if (v := self.value(n)) is not None]

    def states(self, names: Iterable[str]) -> bool:
        """Whether the subject itself, not the machine beneath, speaks of one of the facts."""
        return any((found := self._store.settle(n)) is not None and found.value is not None for n in names)

    def facts(self) -> list[Fact]:
        """What was stated, with its places."""
        return [s for s in self._store.statements() if isinstance(s, Fact)]


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
