"""The tests under each entry on which a standing rests."""

from __future__ import annotations

from collections.abc import Iterable

from ..belief import Standing
from ..belief.standing import entry_of
from ..consultation import Consultation
from ..model import Incident, Test
from ..rules import CONFIRMED, DENIED, SUGGESTED, facts_of, witnesses


def accounted_for(session: Consultation, standing: Standing, incident: Incident) -> set[str]:
    """The facts that an incident accounts for: those it rests on, and, where something speaks for it, those that it
    explains. A road stands for the symptoms that lead to it (see ``symptoms_of``)."""
    if not any(kind in (CONFIRMED, SUGGESTED) for kind, _ in standing.entries):
        return set()
    return {test.fact for _, test in evidence_under(session, standing, incident)} | set(incident.explains)


def symptoms_of(session: Consultation, facts: Iterable[str]) -> set[str]:
    """The symptoms by which the roads among the facts are known."""
    spec = session.knowledge.vocabulary.spec
    roads = [name for name in facts if name.startswith("road.")]
    return {fact for road in roads for rule in spec(road).derived for fact in facts_of(rule.when)}


def evidence_under(
    session: Consultation, standing: Standing, incident: Incident
) -> list[tuple[tuple[str, int], Test]]:
    """The tests under each entry on which a standing rests."""
    found: list[tuple[tuple[str, int], Test]] = []
    for kind, index in standing.entries:
        condition, wanted = entry_of(incident, kind, index)
        if kind != DENIED:
            found += [((kind, index), test) for test in witnesses(condition, session.truth, wanted)]
    return found
