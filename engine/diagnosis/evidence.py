"""The tests under each entry on which a standing rests."""

from __future__ import annotations

from ..belief import Standing
from ..belief.standing import entry_of
from ..consultation import Consultation
from ..model import Incident, Test
from ..rules import CONFIRMED, DENIED, SUGGESTED, facts_of, witnesses


def accounted_for(session: Consultation, standing: Standing, incident: Incident) -> set[str]:
    """The facts that an incident accounts for: those it rests on, with the symptoms of its road, and, where
    something speaks for it, those that it explains."""
    if not any(kind in (CONFIRMED, SUGGESTED) for kind, _ in standing.entries):
        return set()
    used = {test.fact for _, test in evidence_under(session, standing, incident)}
    spec = session.knowledge.vocabulary.spec
    roads = {name for name in used if name.startswith("road.")}
    used |= {fact for road in roads for rule in spec(road).derived for fact in facts_of(rule.when)}
    return used | set(incident.explains)


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
