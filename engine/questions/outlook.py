"""What each possible answer would do to each incident: to its score, and how much the incident expects it."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from ..consultation import Consultation
from ..facts import Value
from ..knowledge.prospects import Prospect
from ..model import ROADS, FactSpec
from ..rules.answers import answers, base_rates
from ..rules.effects import VENDOR, Effect, Effects, Outcomes, ReadFacts, is_of_others
from ..rules.scale import FREQUENCIES

_MOST_EXPECTED = 6.0
_OFF_THE_ROAD = 0.2
"""How much less likely a symptom is that belongs to another road than that by which the person came."""


class Outlook:
    """Effects of answers in one session. They are kept until a fact that the incident reads changes.

    Of incidents for which nothing speaks, and of which no fact is known, the knowledge base keeps a short form
    (``knowledge.prospects``); the record is read when one of its facts is known.
    """

    def __init__(self, session: Consultation) -> None:
        self._session = session
        self._knowledge = session.knowledge
        self._read: dict[str, ReadFacts] = {}
        self._prospects: dict[str, Prospect | None] = {}
        self._fresh: dict[str, Prospect] = {}
        self._kept: dict[tuple[str, str], Outcomes] = {}
        self._effects = Effects(session.value, session.truth, session.knowledge.vocabulary.spec)
        self._read_before = False
        self._roads: frozenset[str] = frozenset()

    def refresh(self, incidents: Iterable[str], others: Iterable[str] = ()) -> None:
        """Forget what no longer holds; call it once before looking at these incidents.

        ``others`` are those for which nothing speaks yet, of which only what is ``active`` is asked.
        """
        circumstances = (self._session.has_read, self._session.roads())
        if circumstances != (self._read_before, self._roads):
            self._read_before, self._roads = circumstances
            self._read.clear()
            self._kept.clear()
        value = self._session.value
        self._fresh.clear()
        touched = list(incidents)
        for name in others:
            prospect = self._prospect(name)
            if prospect is not None and all(value(fact) is None for fact in prospect.reads):
                self._fresh[name] = prospect
            else:
                touched.append(name)
        for name in touched:
            read = self.read_facts(name)
            known = tuple(map(value, read.reads))
            if known != read.known:
                read.forget(known)

    def _prospect(self, incident: str) -> Prospect | None:
        if incident not in self._prospects:
            self._prospects[incident] = self._knowledge.prospect(incident)
        return self._prospects[incident]

    def read_facts(self, incident: str) -> ReadFacts:
        """What the incident reads."""
        found = self._read.get(incident)
        if found is None:
            traits = self._session.traits(incident)
            knows_vendors = VENDOR in self._knowledge.vocabulary
            found = self._read[incident] = ReadFacts(traits.incident, traits.denials, knows_vendors)
        return found

    def reads(self, incident: str) -> Iterable[str]:
        """The facts that the incident reads."""
        prospect = self._prospect(incident)
        return prospect.reads if prospect else self.read_facts(incident).reads

    def frequency(self, incident: str) -> float:
        """How often the incident is met, in bits."""
        prospect = self._prospect(incident)
        return FREQUENCIES[prospect.frequency if prospect else self.read_facts(incident).incident.frequency]

    def is_excluded(self, incident: str) -> bool:
        """Whether the incident is ruled out by what is known."""
        if incident in self._fresh:
            return is_of_others(self._session.value(VENDOR), self._fresh[incident].vendors)
        read = self.read_facts(incident)
        if read.excluded is None:
            read.excluded = self._effects.excludes(read.incident)
        return read.excluded

    def active(self, incident: str) -> Iterable[str]:
        """The open facts worth asking for the sake of an incident for which nothing speaks yet: those of which
        one answer alone would speak for it, and signs and choices that it waits for."""
        if incident in self._fresh:
            return self._fresh[incident].asks
        read = self.read_facts(incident)
        if read.active is None:
            for fact in read.reads:
                if fact not in read.speaks and self._session.value(fact) is None:
                    read.speaks[fact] = self._effects.speaks(read, fact)
            read.active = [fact for fact in read.reads if read.speaks.get(fact)]
        return read.active

    def answers(self, spec: FactSpec, incidents: Iterable[str]) -> tuple[Value, ...]:
        """The answers to a question that these incidents can tell apart."""
        if spec.type in ("bool", "choice"):
            return answers(spec, ())
        return answers(spec, [c for i in incidents for c in self.read_facts(i).reads[spec.name]])

    def base_rates(self, spec: FactSpec, listed: tuple[Value, ...]) -> list[float]:
        """How likely each answer is where no incident bears on it."""
        rates = base_rates(spec, listed, self._read_before)
        roads = self._roads
        if spec.type == "bool" and spec.road in ROADS and roads and spec.road not in roads:
            # Who comes with a crash hardly has a hang as well.
            rates = [
                rate * _OFF_THE_ROAD if answer else 1 - (1 - rate) * _OFF_THE_ROAD
                for rate, answer in zip(rates, listed, strict=True)
            ]
        return rates

    def tells_at_most(self, spec: FactSpec) -> float:
        """Bits that the answer to a question of yes or no tells at most where one of its readers is the case: how far
        the strongest effects can turn what is answered anyway (Kullback and Leibler's divergence)."""
        rates = self.base_rates(spec, answers(spec, ()))
        up, down = float(2**_MOST_EXPECTED), float(2**-_MOST_EXPECTED)
        divergences: list[float] = []
        for turned in ((up, down), (down, up)):
            weights = [rate * by for rate, by in zip(rates, turned, strict=True)]
            given = [weight / sum(weights) for weight in weights]
            pairs = zip(given, rates, strict=True)
            divergences.append(sum((now * log2(now / rate) for now, rate in pairs if now > 0), 0.0))
        return max(divergences)

    def outcomes(self, incident: str, spec: FactSpec, listed: tuple[Value, ...]) -> Outcomes:
        """What each of the listed answers would do to the incident."""
        fresh = self._fresh.get(incident)
        if fresh is not None and fresh.asks[spec.name]:
            found = self._kept.get((incident, spec.name))
            if found is None:
                found = self._outcomes(spec, listed, fresh.effects(spec.name))
                self._kept[incident, spec.name] = found
            return found
        read = self.read_facts(incident)
        kept = read.outcomes.get(spec.name)
        if kept is not None and (kept.answers is listed or kept.answers == listed):
            return kept
        effects = self._effects.of(read, spec.name, listed)
        found = self._outcomes(spec, listed, effects)
        read.outcomes[spec.name] = found
        return found

    def _outcomes(self, spec: FactSpec, listed: tuple[Value, ...], effects: tuple[Effect, ...]) -> Outcomes:
        weights = [
            rate * 2.0 ** max(min(effect.expected, _MOST_EXPECTED), -_MOST_EXPECTED)
            for rate, effect in zip(self.base_rates(spec, listed), effects, strict=True)
        ]
        total = sum(weights)
        return Outcomes(listed, effects, tuple(w / total for w in weights))
