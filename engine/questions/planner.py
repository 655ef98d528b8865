"""The next question, probe or test: expected information gain for its cost.

The incidents still standing are the hypotheses; their scores are bits, so two to the score is proportional to
a probability. Beside them stands everything that nothing speaks for yet, together as likely as an incident
with a few bits. A question is worth asking if an answer could change who leads or how firmly; a person who
did not know the last answers is less likely to know the next.
"""

from collections.abc import Collection
from math import log2
from typing import NamedTuple

from ..belief import CONFIRMED_STANDING, EXCLUDED, LIKELY, Standing
from ..consultation import Consultation
from ..facts import ANSWER, DOUBTED, CannotTell, Value
from ..model import FactSpec, told_as
from ..rules.effects import Effect, Outcomes
from ..scale import ELSEWHERE_BITS, LIKELY_BITS
from .outlook import Outlook

HYPOTHESES = 30
"""So many incidents are weighed against each other; what stands below them is part of what lies elsewhere."""
OTHERS = 300
"""So many faults for which nothing speaks yet are weighed beside them."""
WORTH_ASKING = 0.008
"""Bits for a unit of cost: a question that promises less is not asked."""
WORTH_ASKING_IN_DOUBT = 0.003
WORTH_NAMING = 0.01
"""Bits: what a diagnosis names as open may promise less."""
SEPARATES = 0.08
"""Bits: so much makes a question worth asking although no answer alone would change who leads."""
PATIENCE = 4.0
"""After so many answers that told nothing a question must promise twice as much, and more and more from there on: a
person answers a few questions gladly, and the best ones were asked first."""
_CANNOT_TELL = {1: 0.05, 2: 0.1, 3: 0.2, 4: 0.35, 5: 0.5}
"""Chance that a person cannot answer a question of that cost."""
_LIKELY_ENOUGH = 0.02
"""An answer less likely than this does not justify a question."""


MOST_DOUBTS = 3
"""So many readings are asked about before other questions."""
ROAD = "road"
"""The fact that says what a person comes with."""


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


def doubt_text(title: str) -> str:
    """How a doubtful reading is asked; the chat says the same in the person's language."""
    return f"I read: {title}. Right?"


class Planner:
    """Weighs the open facts of a session; keeps what did not change between two questions."""

    def __init__(self, session: Consultation) -> None:
        self._session = session
        self._knowledge = session.knowledge
        self.outlook = Outlook(session)

    def next(self, leaving_out: Collection[str] = ()) -> Question | None:
        """The question to ask now; None when no answer would be worth it."""
        standing = [s for s in self._session.standings() if s.standing != EXCLUDED]
        if standing and standing[0].standing == CONFIRMED_STANDING:
            return None
        if doubt := self._doubt(leaving_out):
            return doubt
        if self._asks_for_road(leaving_out):
            return _road_question(self._knowledge.vocabulary.spec(ROAD))
        field = _Field(self._session, self.outlook, standing, None)
        worth = self._worth(standing)
        for open_question in self._weighed(field):
            if open_question.gain < worth * open_question.spec.cost:
                return None
            if told_as(open_question.spec) not in leaving_out and field.matters(open_question):
                return _question(field, open_question)
        return None

    def _doubt(self, leaving_out: Collection[str]) -> Question | None:
        """What was read with doubt and would speak for an incident."""
        session = self._session
        said = session.statements()
        answered = {s.name for s in said if s.origin.kind == ANSWER}
        if len(answered & {s.name for s in said if s.origin.trust == DOUBTED}) >= MOST_DOUBTS:
            return None
        for fact in session.doubts():
            spec = self._knowledge.vocabulary.spec(fact.name)
            if fact.name not in leaving_out and spec.question and self._knowledge.concerns.by_sign(fact.name):
                return Question("question", fact.name, doubt_text(spec.title), (), spec.cost, 1.0, ())
        return None

    def _asks_for_road(self, leaving_out: Collection[str]) -> bool:
        """Whether nothing tells yet what the person comes with: then that comes first."""
        session = self._session
        known = ROAD in self._knowledge.vocabulary
        return known and ROAD not in leaving_out and session.is_open(ROAD) and not session.roads()

    def _worth(self, standing: list[Standing]) -> float:
        """Bits for a unit of cost that a question must promise: the less is settled, the less is enough."""
        worth = WORTH_ASKING if standing and standing[0].standing == LIKELY else WORTH_ASKING_IN_DOUBT
        if not standing:
            # Where nothing stands every question gains little: one of a thousand incidents is a small part of all.
            worth = min(WORTH_ASKING, 1 / max(len(self._knowledge.fault_ids), 1))
        return worth * (1 + (self._in_vain() / PATIENCE) ** 2)

    def _in_vain(self) -> int:
        """How many answers told nothing: not known, or a sign that is not there."""
        said = (s for s in self._session.statements() if s.origin.kind == ANSWER)
        return sum(
            isinstance(s, CannotTell) or (s.value is False and self._knowledge.vocabulary.spec(s.name).sign)
            for s in said
        )

    def best(self, count: int = 3, only: Collection[str] | None = None) -> list[Question]:
        """What to find out, best first; ``only`` restricts the hypotheses to some incidents."""
        standing = [s for s in self._session.standings() if s.standing != EXCLUDED]
        field = _Field(self._session, self.outlook, standing, only)
        found = [one for one in self._weighed(field) if one.gain > WORTH_NAMING]
        return [_question(field, one) for one in found[:count]]

    def _weighed(self, field: "_Field") -> "list[_Open]":
        told, untold = _answered(self._session)
        willing = 1 - untold / (told + untold + 3)
        weighed = [field.weigh(spec, incidents, willing) for spec, incidents in field.open_facts()]
        weighed.sort(key=lambda one: (-one.gain / one.spec.cost, one.spec.name))
        once: dict[str, _Open] = {}
        for one in weighed:
            once.setdefault(told_as(one.spec), one)
        return list(once.values())


def _answered(session: Consultation) -> tuple[int, int]:
    """How many questions the person answered, and to how many they did not know the answer."""
    answers = [s for s in session.statements() if s.origin.kind == ANSWER]
    untold = sum(isinstance(s, CannotTell) for s in answers)
    return len(answers) - untold, untold


class _Open(NamedTuple):
    """An open fact: its possible answers, how likely each is, what each does to whom, and the gain."""

    spec: FactSpec
    answers: tuple[Value, ...]
    rates: list[float]
    outcomes: list[tuple[str, Outcomes]]
    gain: float


def _question(field: "_Field", one: _Open) -> Question:
    spec = one.spec
    kind = "test" if spec.probe == "collective" else "question"
    choices = spec.values if spec.type == "choice" else ()
    separated = field.separated(one)
    return Question(kind, told_as(spec), spec.question, choices, spec.cost, round(one.gain, 4), separated)


def _road_question(spec: FactSpec) -> Question:
    return Question(
        "question", spec.name, spec.question, spec.values, spec.cost, round(log2(len(spec.values)), 4), ()
    )


class _Field:
    """The hypotheses of one moment, and what answers would do to them."""

    def __init__(
        self, session: Consultation, outlook: Outlook, standing: list[Standing], only: Collection[str] | None
    ) -> None:
        self._session = session
        self._outlook = outlook
        self._knowledge = session.knowledge
        held = [s for s in standing if only is None or s.id in only][:HYPOTHESES]
        self._score = {s.id: s.score for s in held}
        self._leader = standing[0] if standing else None
        self._second = standing[1].score if len(standing) > 1 else -9.0
        self._mass = {name: 2.0**score for name, score in self._score.items()}
        inside = sum(self._mass.values())
        self._total = inside + 2.0**ELSEWHERE_BITS
        if only is None and inside < 2.0 ** (ELSEWHERE_BITS + 1):
            others = self._others({s.id for s in session.standings()})
            outlook.refresh(self._mass, others)
            self._add(others)
        else:
            outlook.refresh(self._mass)

    def _others(self, known: Collection[str]) -> list[str]:
        """Where little speaks for anything, every fault is a hypothesis; of very many the commonest to which a road
        of the person leads. A known issue comes in by its sign or by its release, not by being asked for."""
        faults = [name for name in self._knowledge.fault_ids if name not in known]
        if len(faults) <= OTHERS:
            return faults
        concerns, roads = self._knowledge.concerns, sorted(self._session.roads())
        led = {name for road in roads for name in concerns.by_road(road)}.intersection(faults) or set(faults)
        return sorted([name for name in self._knowledge.commonest_faults() if name in led][:OTHERS])

    def _add(self, others: list[str]) -> None:
        """Make those of the others hypotheses that are not ruled out."""
        rates = {
            name: 2.0 ** self._outlook.frequency(name)
            for name in others
            if not self._outlook.is_excluded(name)
        }
        share = 2.0**ELSEWHERE_BITS / (2 * sum(rates.values()) or 1)  # half of it are causes unknown to us
        self._mass.update((name, rate * share) for name, rate in rates.items())

    def open_facts(self) -> list[tuple[FactSpec, list[str]]]:
        """Every fact that can be asked and of which nobody spoke, with the hypotheses that it bears on."""
        readers: dict[str, list[str]] = {}
        for name in self._mass:
            whole = name in self._score
            for fact in self._outlook.reads(name) if whole else self._outlook.active(name):
                readers.setdefault(fact, []).append(name)
        found = []
        for fact, incidents in sorted(readers.items()):
            if not self._session.is_open(fact):
                continue
            spec = self._knowledge.vocabulary.spec(fact)
            if spec.question and self._session.is_open(told_as(spec)):
                found.append((spec, incidents))
        return found

    def weigh(self, spec: FactSpec, incidents: list[str], willing: float) -> _Open:
        """An open fact with its gain: mutual information, in bits, between the answer and the hypotheses."""
        listed = self._outlook.answers(spec, incidents)
        rates = self._outlook.base_rates(spec, listed)
        outcomes = [(name, self._outlook.outcomes(name, spec, listed)) for name in incidents]
        held = [(self._mass[name], outcome.given) for name, outcome in outcomes]
        total = self._total
        rest = total - sum(mass for mass, _ in held)
        gain = 0.0
        for index, base in enumerate(rates):
            joint = [(mass * given[index], given[index]) for mass, given in held]
            marginal = (sum(part for part, _ in joint) + rest * base) / total
            gain += sum(part * log2(given / marginal) for part, given in joint)
            gain += rest * base * log2(base / marginal)
        gain = max(gain / total, 0.0) * (1 - _CANNOT_TELL[spec.cost]) * willing
        # The last bits of a logarithm differ between machines; what is equal shall rank equal on all of them.
        return _Open(spec, listed, rates, outcomes, round(gain, 9))

    def separated(self, one: _Open) -> tuple[str, ...]:
        """The incidents that the answer tells apart, the likeliest first."""
        spread = {
            name: self._mass[name]
            * (max(e.expected for e in outcome.effects) - min(e.expected for e in outcome.effects))
            for name, outcome in one.outcomes
        }
        return tuple(sorted(spread, key=lambda name: (-spread[name], name))[:5])

    def matters(self, one: _Open) -> bool:
        """Whether a likely enough answer would change who leads, or how firmly; while nothing is likely, whether it
        tells a good part of the hypotheses apart, which brings what the rules need together a step nearer."""
        if one.gain >= SEPARATES and (self._leader is None or self._leader.standing != LIKELY):
            return True
        rest = self._total - sum(self._mass[name] for name, _ in one.outcomes)
        for index, base in enumerate(one.rates):
            shared = sum(self._mass[name] * outcome.given[index] for name, outcome in one.outcomes)
            if (shared + rest * base) / self._total >= _LIKELY_ENOUGH and self._changes(one.outcomes, index):
                return True
        return False

    def _changes(self, outcomes: list[tuple[str, Outcomes]], answer: int) -> bool:
        effects = {name: outcome.effects[answer] for name, outcome in outcomes}
        lead = -9.0
        if self._leader is not None:
            own = effects.pop(self._leader.id, Effect(0.0, False, 0.0))
            before, after = self._leader.evidence, self._leader.evidence + own.bits
            if own.confirms or (before >= LIKELY_BITS) is not (after >= LIKELY_BITS):
                return True
            lead = self._leader.score + own.bits
            if lead < self._second:
                return True
        for name, effect in effects.items():
            frequency = self._outlook.frequency(name)
            if effect.confirms or (
                effect.bits > 0 and self._score.get(name, frequency) + effect.bits >= lead
            ):
                return True
        return False
