"""The hypotheses of one moment, the open facts that bear on them, and how much each answer is expected to tell.

A fact is weighed only where it may be among the best: how much it can tell at most is known from how likely the
hypotheses are that read it, without looking at a single answer.
"""

from collections.abc import Callable, Collection, Iterator
from heapq import heapify, heappop, heappush
from math import log2

from ..belief import LIKELY, Standing
from ..consultation import Consultation
from ..facts import Value
from ..model import FactSpec, told_as
from ..rules.effects import Effect, Outcomes
from ..rules.scale import ELSEWHERE_BITS, LIKELY_BITS
from ..tuples import NamedTuple
from .outlook import Outlook

HYPOTHESES = 30
"""So many incidents are weighed against each other; what stands below them is part of what lies elsewhere."""
OTHERS = 300
"""So many faults for which nothing speaks yet are weighed beside them."""
SEPARATES = 0.08
"""Bits: so much makes a question worth asking although no answer alone would change who leads."""
_CANNOT_TELL = {1: 0.05, 2: 0.1, 3: 0.2, 4: 0.35, 5: 0.5}
"""Chance that a person cannot answer a question of that cost."""
_LIKELY_ENOUGH = 0.02
"""An answer less likely than this does not justify a question."""
_UNREAD, _PRICED, _UNWEIGHED, _WEIGHED = range(4)
"""How exactly is known what a fact can tell."""
_ROUNDED = 1e-8
"""Bits: gains are rounded, and what is an upper bound must be one of the rounded gain too."""


class OpenFact(NamedTuple):
    """An open fact: its possible answers, how likely each is, what each does to whom, and the gain."""

    spec: FactSpec
    answers: tuple[Value, ...]
    rates: list[float]
    outcomes: list[tuple[str, Outcomes]]
    gain: float


class Hypotheses:
    """The hypotheses of one moment, and what answers would do to them."""

    def __init__(
        self, session: Consultation, outlook: Outlook, standing: list[Standing], only: Collection[str] | None
    ) -> None:
        self._session = session
        self._outlook = outlook
        self._knowledge = session.knowledge
        self._readers: dict[str, list[str]] | None = None
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

    def readers(self) -> dict[str, list[str]]:
        """Every fact of which nobody spoke, with the hypotheses that it bears on; listed once for this moment."""
        if self._readers is None:
            self._readers = self._listed_readers()
        return self._readers

    def _listed_readers(self) -> dict[str, list[str]]:
        readers: dict[str, list[str]] = {}
        for name in self._mass:
            whole = name in self._score
            for fact in self._outlook.reads(name) if whole else self._outlook.active(name):
                readers.setdefault(fact, []).append(name)
        return {fact: readers[fact] for fact in sorted(readers) if self._session.is_open(fact)}

    def askable(self, fact: str) -> FactSpec | None:
        """The entry of an open fact that a person can be asked for, if it is one."""
        spec = self._knowledge.vocabulary.spec(fact)
        return spec if spec.question and self._session.is_open(told_as(spec)) else None

    def ranked(self, willing: float, least: float = 0.0) -> Iterator[OpenFact]:
        """The open facts of which more than ``least`` bits are expected, those first that tell most for their cost.

        Each is read, and then weighed, when it may be the next: an iteration that ends early has weighed few.
        """
        readers = self.readers()
        # By what a fact can tell at most for its cost, first as if it were cheap. Of equals what is known less exactly
        # comes first: it must not be overtaken.
        waiting: list[tuple[float, int, str, OpenFact | None]] = []
        for fact, incidents in readers.items():
            bound = self._most(incidents) * willing
            if bound > least:
                waiting.append((-bound, _UNREAD, fact, None))
        heapify(waiting)
        seen: set[str] = set()
        while waiting:
            first, exact, fact, weighed = heappop(waiting)
            if weighed is not None:
                told = told_as(weighed.spec)
                if told not in seen and weighed.gain > least:
                    yield weighed
                seen.add(told)
            elif exact == _UNREAD and (cost := self._knowledge.cost(fact)) is not None:
                bound = -first * (1 - _CANNOT_TELL[cost]) if cost else 0.0
                if bound > least:
                    heappush(waiting, (-bound / cost, _PRICED, fact, None))
            elif spec := self.askable(fact):
                if exact < _UNWEIGHED:
                    most = self._most(readers[fact])
                    bound = self._tighter(spec, readers[fact], most) * willing * (1 - _CANNOT_TELL[spec.cost])
                    if bound > least:
                        heappush(waiting, (-bound / spec.cost, _UNWEIGHED, fact, None))
                else:
                    weighed = self.weigh(spec, readers[fact], willing)
                    heappush(waiting, (-weighed.gain / spec.cost, _WEIGHED, fact, weighed))

    def weighed(self, shows: Callable[[FactSpec], bool], willing: float) -> list[OpenFact]:
        """The open facts of a kind that tell something, the most telling first."""
        readers = self.readers()
        asked = {fact: spec for fact in readers if (spec := self.askable(fact)) and shows(spec)}
        found = [self.weigh(spec, readers[fact], willing) for fact, spec in asked.items()]
        return sorted((one for one in found if one.gain > 0), key=lambda one: (-one.gain, one.spec.name))

    def _most(self, incidents: list[str]) -> float:
        """Bits that a fact can tell at most: it cannot tell more than which of its readers is the case, or none."""
        total = self._total
        shares = [self._mass[name] / total for name in incidents]
        shares.append(max(1 - sum(shares), 0.0))
        return _ROUNDED + sum((share * log2(1 / share) for share in shares if share > 0), 0.0)

    def _tighter(self, spec: FactSpec, incidents: list[str], most: float) -> float:
        """A tighter bound than ``most`` where there is one: what an answer tells is no more than what it tells where
        a reader is the case, times how likely that is."""
        if spec.type != "bool":
            return most
        share: float = sum(self._mass[name] for name in incidents) / self._total
        bound: float = _ROUNDED + share * self._outlook.tells_at_most(spec)
        return min(most, bound)

    def weigh(self, spec: FactSpec, incidents: list[str], willing: float) -> OpenFact:
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
        return OpenFact(spec, listed, rates, outcomes, round(gain, 9))

    def separated(self, one: OpenFact) -> tuple[str, ...]:
        """The incidents that the answer tells apart, the likeliest first."""
        spread = {
            name: self._mass[name]
            * (max(e.expected for e in outcome.effects) - min(e.expected for e in outcome.effects))
            for name, outcome in one.outcomes
        }
        return tuple(sorted(spread, key=lambda name: (-spread[name], name))[:5])

    def matters(self, one: OpenFact) -> bool:
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
