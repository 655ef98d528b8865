"""A session: facts come and go, and what follows from them is always at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .conditions import Truth
from .facts import ANSWER, ERROR_LINE, REPORT, RULE, CannotTell, Fact, FactStore, Origin, Settled, Statement
from .knowledge import Knowledge
from .matcher import Matcher, MatcherError
from .model import Cond, FactSpec
from .predicates import Predicate
from .program import CONFIRMED, SUGGESTED, starts
from .standing import EXCLUDED, Standing, by_owner, ranked, stand
from .values import Value

if TYPE_CHECKING:
    from .diagnosis import Diagnosis
    from .planner import Planner, Question

DROPPED_BITS = -2.0
"""An incident of which the absent evidence outweighs the present by this much is no longer listed."""
ENGINES = ("auto", "durable", "reference")


def make_matcher(knowledge: Knowledge, engine: str = "auto") -> Matcher:
    """The rule engine by name; ``auto`` takes durable-rules where it can be loaded."""
    if engine in ("auto", "durable"):
        from .durable import DurableJoin
        from .workingmemory import WorkingMemory

        try:
            join = DurableJoin(knowledge.rulesets())
        except MatcherError:
            if engine == "durable":
                raise
        else:
            return WorkingMemory(knowledge.program, knowledge.vocabulary.spec, join, knowledge.layout)
    from .reference import ReferenceMatcher

    return ReferenceMatcher(knowledge.reference_ruleset())


class Session:
    """Facts in, standings out. Not for use from several threads at once.

    ``engine`` is ``auto``, ``durable`` or ``reference``. Raises MatcherError if ``durable`` is asked for and
    cannot be loaded.
    """

    def __init__(self, knowledge: Knowledge, engine: str = "auto") -> None:
        self.knowledge = knowledge
        self._type_of = knowledge.vocabulary.spec
        self._store = FactStore(self._type_of)
        self._matcher = make_matcher(knowledge, engine)
        self._error_lines: dict[Origin, None] = {}
        self._tests: dict[str, Predicate] = {}
        self._standings: list[Standing] | None = None
        self._read = 0
        self._planner: Planner | None = None
        self.notes: list[str] = []
        self.partial = False

    @property
    def engine(self) -> str:
        """The rule engine in use: ``durable`` or ``reference``."""
        return self._matcher.name

    def close(self) -> None:
        """Free what the rule engine holds."""
        self._matcher.close()

    def note(self, text: str, partial: bool = False) -> None:
        """Say something about the run; ``partial``: not all of the evidence was read."""
        self.notes.append(text)
        self.partial = self.partial or partial

    # Statements

    def add(self, statement: Statement) -> None:
        """Take a fact, or that it cannot be established, from a probe, a report or a file."""
        if isinstance(statement, Fact) and statement.name == ERROR_LINE:
            self._error_lines[statement.origin] = None
            self._standings = None
            return
        self._store.add(statement)
        self._read += statement.origin.kind == REPORT
        self._update(statement.name)

    def tell(self, name: str, value: Any, where: str = "") -> None:
        """A person's answer; replaces an earlier one. Raises FactError."""
        spec = self._type_of(name)
        fact = Fact(name, _typed(spec, value), Origin(ANSWER, where))
        self._store.drop(name, (ANSWER,))
        self.add(fact)

    def cannot_tell(self, name: str, reason: str = "the person does not know") -> None:
        """A person cannot answer; never taken for "no". Replaces an earlier answer."""
        self._type_of(name)
        self._store.drop(name, (ANSWER,))
        self.add(CannotTell(name, reason, Origin(ANSWER)))

    def withdraw(self, statement: Statement) -> None:
        """Take back one thing that was added."""
        if isinstance(statement, Fact) and statement.name == ERROR_LINE:
            self._error_lines.pop(statement.origin, None)
            self._standings = None
        elif self._store.remove(statement):
            self._read -= statement.origin.kind == REPORT
            self._update(statement.name)

    def forget(self, name: str) -> bool:
        """Take the answer to ``name`` back, or whatever else was said of it; whether there was anything."""
        gone = self._store.drop(name, (ANSWER,)) or self._store.drop(name)
        self._read = sum(s.origin.kind == REPORT for s in self._store.statements())
        self._update(name)
        return gone

    def _update(self, name: str) -> None:
        settled = self._store.settle(name)
        self._matcher.assign(name, settled.value if settled else None)
        self._standings = None

    # What holds

    def value(self, name: str) -> Value | None:
        """The value of a fact, told or derived; None if it is not known."""
        return self._matcher.value(name)

    def settled(self, name: str) -> Settled | None:
        """A fact with its origins and conflicts, or why it cannot be established; None if never mentioned."""
        told = self._store.settle(name)
        if told is not None and told.value is not None:
            return told
        derived = self._matcher.derived().get(name)
        if derived is None:
            return told
        value, index = derived
        spec = self._type_of(name)
        return Settled(name, value, (Origin(RULE, f"{spec.path}#{index + 1}", _because(spec, index)),))

    def is_open(self, name: str) -> bool:
        """Whether nobody spoke of a fact and no rule concluded it."""
        return not self._store.speaks_of(name) and self._matcher.value(name) is None

    @property
    def has_read(self) -> bool:
        """Whether anything was read from a report."""
        return self._read > 0

    def facts(self) -> list[Settled]:
        """Every fact that is known, or known not to be knowable, sorted by name."""
        names = {*self._store.names(), *self._matcher.derived()}
        return [found for name in sorted(names) if (found := self.settled(name)) is not None]

    def statements(self) -> list[Statement]:
        """Everything that was said, for saving."""
        return list(self._store.statements())

    def error_lines(self) -> list[Origin]:
        """Error lines of reports that no signature knows."""
        return sorted(self._error_lines, key=lambda origin: origin.order())

    def truth(self, leaf: Cond) -> Truth:
        """Whether one test holds now."""
        key = repr(leaf)
        test = self._tests.get(key)
        if test is None:
            test = self._tests[key] = Predicate(leaf, self._type_of(leaf[1]))
        names = (leaf[1], leaf[3]) if leaf[2] in ("above", "below", "same") else (leaf[1],)
        values = {name: value for name in names if (value := self.value(name)) is not None}
        return test.holds(values)

    # What follows

    def standings(self) -> list[Standing]:
        """Every incident for which something speaks, best first; ruled-out ones last."""
        if self._standings is None:
            self._standings = ranked(self._stand())
        return self._standings

    def _stand(self) -> list[Standing]:
        found = []
        for owner, concluded in by_owner(self._matcher.conclusions()).items():
            if not any(kind in (CONFIRMED, SUGGESTED) for kind, _, _ in concluded):
                continue
            incident = self.knowledge.incident(owner)
            sign = any(
                kind == CONFIRMED
                or (kind == SUGGESTED and starts(incident.suggests[index], lambda n: self._type_of(n).sign))
                for kind, _, index in concluded
            )
            if sign:
                standing = stand(incident, concluded)
                if standing.evidence > DROPPED_BITS or standing.standing == EXCLUDED:
                    found.append(standing)
        return found

    def hindrances(self, remedy: str) -> list[int]:
        """The ``applies`` entries of a remedy that are known not to hold here."""
        return sorted(
            index
            for kind, owner, index in self._matcher.conclusions()
            if kind == "hindered" and owner == remedy
        )

    @property
    def planner(self) -> Planner:
        """What weighs the questions that are open."""
        if self._planner is None:
            from .planner import Planner

            self._planner = Planner(self)
        return self._planner

    def next_question(self) -> Question | None:
        """The question, probe or test with the most to gain for its cost; None when nothing would help."""
        return self.planner.next()

    def diagnosis(self) -> Diagnosis:
        """Everything that follows from what was said so far."""
        from .diagnosis import diagnose

        return diagnose(self)


def _typed(spec: FactSpec, value: Any) -> Value:
    from .values import parse_value

    return parse_value(spec, value)


def _because(spec: FactSpec, index: int) -> str:
    from .conditions import words

    return words(spec.derived[index].when)
