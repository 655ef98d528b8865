"""A session: facts come and go, and what follows from them is always at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from ..belief import EXCLUDED, Standing, by_owner, ranked, stand
from ..belief.candidates import candidates
from ..belief.evidence import Seen, Traits, against, count, traits_of, worth
from ..belief.trust import trust_of
from ..facts import (
    ANSWER,
    ERROR_LINE,
    REPORT,
    RULE,
    TRUSTS,
    UNCOUNTED,
    WORDS,
    CannotTell,
    Fact,
    FactStore,
    Origin,
    Settled,
    Statement,
    Value,
)
from ..facts.secrecy import without_secrets
from ..knowledge import Knowledge
from ..knowledge.concerns import ROAD
from ..knowledge.naming import STARTERS, named_in, shown_in
from ..knowledge.postings import words_of
from ..knowledge.resemblance import Resemblances, Resembling
from ..model import ROADS, FactSpec, Test
from ..redaction import redact
from ..rules import (
    CONFIRMED,
    MISSING,
    RULED_OUT,
    SUGGESTED,
    Conclusion,
    Matcher,
    MatcherError,
    Predicate,
    Truth,
    evaluate,
    starts,
    witnesses,
)
from ..rules.effects import is_of_others
from ..rules.scale import DROPPED_BITS

IN_USE = ".in_use"
NEAR_ENOUGH = 0.07
"""So much must a page resemble what was read to be in question where no sign of it is there."""
ALIKE = 0.45
"""So much, where nothing that was read is known as trouble: a person tells it in words of his own."""


def make_matcher(knowledge: Knowledge, engine: str = "auto") -> Matcher:
    """The rule engine by name; ``auto`` takes durable-rules where it can be loaded."""
    if engine in ("auto", "durable"):
        from ..rules.durable import DurableJoin
        from ..rules.workingmemory import WorkingMemory

        try:
            join = DurableJoin(knowledge.rulesets())
        except MatcherError:
            if engine == "durable":
                raise
        else:
            return WorkingMemory(knowledge.layout, knowledge.vocabulary.spec, join)
    from ..rules.reference import ReferenceMatcher

    return ReferenceMatcher(knowledge.reference_ruleset())


class Consultation:
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
        self._tests: dict[Test, Predicate] = {}
        self._truths: dict[Test, Truth] = {}
        self._standings: list[Standing] | None = None
        self._words: dict[Fact, None] = {}
        self._nearest: Resemblances | None = None
        self._vocables: frozenset[str] = frozenset()
        self._hints: frozenset[str] | None = None
        self._roads: frozenset[str] | None = None
        self._traits: dict[str, Traits] = {}
        self._read = 0
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
        self.notes.append(redact(text))
        self.partial = self.partial or partial

    # Statements

    def add(self, statement: Statement) -> None:
        """Take a fact, or that it cannot be established, from a probe, a report or a file."""
        statement = without_secrets(statement)
        if isinstance(statement, Fact) and statement.name == ERROR_LINE:
            self._error_lines[statement.origin] = None
            self._standings = self._roads = None
            return
        if isinstance(statement, Fact) and statement.name == WORDS:
            self._words[statement] = None
            self._standings = self._nearest = self._hints = self._roads = None
            return
        self._read += self._store.add(statement) and statement.origin.kind == REPORT
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
        statement = without_secrets(statement)
        if isinstance(statement, Fact) and statement.name == ERROR_LINE:
            self._error_lines.pop(statement.origin, None)
            self._standings = self._roads = None
        elif isinstance(statement, Fact) and statement.name == WORDS:
            self._words.pop(statement, None)
            self._standings = self._nearest = self._hints = self._roads = None
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
        self._standings = self._nearest = self._roads = None
        self._truths.clear()

    # What holds

    def value(self, name: str) -> Value | None:
        """The value of a fact, told or derived; None if it is not known."""
        return self._matcher.value(name)

    def settled(self, name: str) -> Settled | None:
        """A fact with its origins and conflicts, or why it cannot be established; None if never mentioned."""
        told = self._store.settle(name)
        if told is not None and told.value is not None:
            return told
        derived = self._matcher.derivation(name)
        if derived is None:
            return told
        value, index = derived
        spec = self._type_of(name)
        place = f"{spec.path}#{index + 1}"
        return Settled(name, value, (Origin(RULE, place, _because(spec, index), self._trust(spec, index)),))

    def _trust(self, spec: FactSpec, index: int) -> str:
        """What a rule concludes is trusted as far as the least trusted fact under it."""
        under = witnesses(spec.derived[index].when, self.truth)
        known = [found for leaf in under for name in leaf.reads if (found := self.settled(name))]
        return max((found.trust for found in known), key=TRUSTS.index, default="")

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
        return [*self._store.statements(), *sorted(self._words, key=lambda fact: fact.origin.order())]

    def doubts(self) -> list[Fact]:
        """What was read in somebody's words with doubt and is not known: no fact before it is answered."""
        return [fact for fact in self._store.doubts() if self.is_open(fact.name)]

    def error_lines(self) -> list[Origin]:
        """Error lines of reports that no signature knows."""
        return sorted(self._error_lines, key=lambda origin: origin.order())

    def truth(self, test: Test) -> Truth:
        """Whether one test holds now."""
        if self._matcher.value(test.fact) is None:
            return None  # as of most facts in most runs: nothing of them need be read
        if test in self._truths:
            return self._truths[test]
        predicate = self._tests.get(test)
        if predicate is None:
            predicate = self._tests[test] = Predicate(test, self._type_of(test.fact))
        values = {name: value for name in test.reads if (value := self.value(name)) is not None}
        found = self._truths[test] = predicate.holds(values)
        return found

    # What follows

    def standings(self) -> list[Standing]:
        """Every incident for which something speaks, best first; ruled-out ones last."""
        if self._standings is None:
            self._standings = ranked(self._stand())
        return self._standings

    def _stand(self) -> list[Standing]:
        owners = by_owner(self._matcher.conclusions())
        near = self.nearest()
        known = self._known()
        seen = self._seen(known)
        knows_road = bool(self._known_roads())
        near_enough = self._near_enough(seen)
        speaking = {owner for owner, said in owners.items() if self._is_spoken_for(owner, said)}
        weighed = candidates(self.knowledge.concerns, seen.signs, known, self.roads(), near.listed)
        vendor = self.vendor()
        found = []
        for name in sorted(speaking.union(weighed)):
            if name not in speaking and is_of_others(vendor, self.knowledge.concerns.page(name).vendors):
                continue  # never in question: its record need not be read
            traits = self.traits(name)
            # Rules are brought in as they are triggered: of others the matcher need not know everything, and what it
            # happens to know would depend on the matcher.
            spoken = name in speaking
            concluded = owners[name] if spoken else against(traits, self.truth)
            counted = count(traits, self, self.knowledge.concerns.rarity, near.of(name), seen)
            standing = stand(traits.incident, concluded, worth(counted), self)
            if spoken:
                if standing.evidence > DROPPED_BITS or standing.standing == EXCLUDED:
                    found.append(standing)
            elif not standing.contested and self._is_in_question(
                standing, concluded, counted, near.of(name), knows_road, near_enough
            ):
                found.append(standing)
        return found

    def seen(self) -> Seen:
        """The signs that hold, those in doubt, and the products that are named."""
        return self._seen(self._known())

    def _known(self) -> list[str]:
        return sorted(self._matcher.values())

    def _seen(self, known: list[str]) -> Seen:
        concerns = self.knowledge.concerns
        rarity, names = concerns.rarity, concerns.names()
        told = {name.partition(".")[0] for name in known if not name.endswith(IN_USE)}.intersection(
            names.values()
        )
        told.update(names[value] for name in STARTERS if (value := str(self.value(name))) in names)
        shown = self._shown() | told
        return Seen(
            {name: rarity(name) for name in known if self.holds_sign(name)},
            {fact.name: rarity(fact.name) for fact in self.doubts()},
            named_in(self._vocables, names) | shown,
            {name: concerns.rarity_of_product(name) for name in shown},
        )

    def _shown(self) -> frozenset[str]:
        """The products that the texts show."""
        self.nearest()  # which takes the words apart
        names = self.knowledge.concerns.names()
        hits = [name for name in names if name in self._vocables]
        words = [
            word
            for text in (self._words if hits else ())
            for word in str(text.value).split()
            if any(map(word.lower().__contains__, hits))
        ]
        words += [name.removeprefix("env.") for name in self._store.names() if name.startswith("env.")]
        return shown_in(words, names, self.knowledge.concerns.marks())

    def _is_spoken_for(self, name: str, concluded: Iterable[Conclusion]) -> bool:
        """Whether an entry that a sign starts speaks for the incident."""
        return any(
            kind == CONFIRMED or (kind == SUGGESTED and self._starts(name, index))
            for kind, _, index in concluded
        )

    def _starts(self, name: str, index: int) -> bool:
        traits = self.traits(name)
        return starts(traits.incident.suggests[index], traits.told.__contains__)

    def _is_in_question(
        self,
        standing: Standing,
        concluded: Iterable[Conclusion],
        counted: Mapping[str, float],
        near: Resembling | None,
        knows_road: bool,
        near_enough: float,
    ) -> bool:
        """Whether an incident for which no entry speaks yet may be the case: a sign of it or its road is there."""
        refuted = any(kind in (RULED_OUT, MISSING) for kind, _, _ in concluded)
        comes_with = counted["road"] and (counted["fits"] or knows_road)  # a hint alone is too little
        alike = near.strength * near.share**2 if near else 0.0
        resembles = alike >= near_enough
        fits = not counted["vendor"] and (counted["part"] or counted["rare"] or comes_with or resembles)
        return bool(fits) and not refuted and standing.evidence > DROPPED_BITS

    def _near_enough(self, seen: Seen) -> float:
        """How much a page of which no sign is there must resemble what was read to be in question."""
        if self._has_trouble() or (self._words and seen.signs):
            return NEAR_ENOUGH
        return ALIKE if self._is_told() else inf

    def _has_trouble(self) -> bool:
        """Whether anything tells of trouble, be it an error line that no signature knows."""
        return bool(self.roads() or self._error_lines)

    def _is_told(self) -> bool:
        """Whether what was read has words of a person."""
        from ..language.small import is_prose

        return any(is_prose(str(words.value)) for words in self._words)

    def traits(self, incident: str) -> Traits:
        """The record of an incident as belief needs it."""
        found = self._traits.get(incident)
        if found is None:
            record = self.knowledge.incident(incident)
            found = self._traits[incident] = traits_of(record, self.knowledge.concerns)
        return found

    def nearest(self) -> Resemblances:
        """The incidents whose pages share words with what was read or said."""
        if self._nearest is None:
            said = [s for s in self._store.statements() if isinstance(s, Fact) and s.value is True]
            signs = [s for s in said if self._type_of(s.name).sign and s.origin.trust not in UNCOUNTED]
            lines = {w for s in signs if s.origin.kind == REPORT for w in s.origin.text.split()}
            told = [self._type_of(s.name).title for s in signs if s.origin.kind != REPORT]
            texts = [str(fact.value).split() for fact in self._words]
            explained = words_of(" ".join(w for text in texts for w in text if w in lines))
            words = words_of(" ".join(w for text in texts for w in text if w not in lines))
            self._vocables = frozenset((*words, *explained))
            words += words_of(" ".join(told))
            self._nearest = (
                self.knowledge.resemblance.nearest(words, explained) if words or explained else Resemblances()
            )
        return self._nearest

    def holds_sign(self, fact: str) -> bool:
        """Whether a sign of trouble is known to be there."""
        if fact.startswith(ROAD) or self._matcher.value(fact) is not True:
            return False
        spec = self._type_of(fact)
        return spec.sign and not spec.harmless

    def roads(self) -> frozenset[str]:
        """What the person comes with, as far as it is known; else what the words of the report hint at."""
        if self._roads is None:
            self._roads = self._known_roads() or self._hinted()
        return self._roads

    def _known_roads(self) -> frozenset[str]:
        names = self.knowledge.vocabulary
        return frozenset(r for r in ROADS if f"road.{r}" in names and self.value(f"road.{r}") is True)

    def _hinted(self) -> frozenset[str]:
        if not self._error_lines and any(
            self._type_of(name).harmless for name, value in self._matcher.values().items() if value is True
        ):
            return frozenset()  # what sounds like trouble is known to be none
        if self._hints is None:
            from ..language.hints import roads_hinted

            self._hints = roads_hinted("\n".join(str(fact.value) for fact in self._words))
        return self._hints

    def vendor(self) -> str:
        """The vendor of the GPUs, or nothing."""
        return str(self.value("gpu.vendor") or "")

    def trust(self, fact: str) -> int:
        """How far what holds of a fact is trusted."""
        settled = self.settled(fact)
        return trust_of(settled.origins if settled else ())

    def is_contested(self, fact: str) -> bool:
        """Whether somebody says otherwise of a fact."""
        settled = self._store.settle(fact)
        return bool(settled and settled.conflicts)

    def hindrances(self, remedy: str) -> list[int]:
        """The ``applies`` entries of a remedy that are known not to hold here."""
        applies = self.knowledge.remedy(remedy).applies
        return [i for i, a in enumerate(applies) if evaluate(a.when, self.truth) is False]


def _typed(spec: FactSpec, value: Any) -> Value:
    from ..facts import parse_value

    return parse_value(spec, value)


def _because(spec: FactSpec, index: int) -> str:
    from ..rules import words

    return words(spec.derived[index].when)
