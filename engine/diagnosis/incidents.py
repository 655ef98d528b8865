"""An incident in the document: where it stands, the facts under it, what is open, what to do."""

from __future__ import annotations

from typing import Any

from ..belief import Standing
from ..consultation import Consultation
from ..facts import Origin, Settled
from ..model import KNOWN_ISSUE, Incident
from ..rules import CONFIRMED, MISSING, RULED_OUT, SUGGESTED, facts_of, witnesses
from .evidence import evidence_under
from .remedies import in_order, remedy_part, source_part

Json = dict[str, Any]

_SLOTS = {CONFIRMED: "confirms", SUGGESTED: "suggests", RULED_OUT: "excludes", MISSING: "requires"}


def _reasons(
    session: Consultation, standing: Standing, incident: Incident, kinds: tuple[str, ...]
) -> list[Json]:
    reasons: list[Json] = []
    for (kind, index), test in evidence_under(session, standing, incident):
        if kind not in kinds:
            continue
        weight = incident.suggests[index].weight if kind == SUGGESTED else ""
        reason = _reason(session, test.fact, _SLOTS[kind], weight)
        if all(known["fact"] != test.fact or known["slot"] != reason["slot"] for known in reasons):
            reasons.append(reason)
    order = {"confirms": 0, "suggests": 1, "excludes": 2, "requires": 3}
    weights = {"decisive": 0, "strong": 1, "weak": 2, "": 3}
    return sorted(reasons, key=lambda r: (order[r["slot"]], weights[r["weight"]], r["fact"]))


def _reason(session: Consultation, fact: str, slot: str, weight: str) -> Json:
    settled = session.settled(fact)
    origins = settled.origins[:3] if settled else ()
    value = session.value(fact)
    return {
        "fact": fact,
        "value": value,
        "slot": slot,
        "weight": weight,
        "from": [_origin(o) for o in origins],
    }


def incident_part(session: Consultation, standing: Standing) -> Json:
    """An incident as it stands, with its remedies."""
    incident = session.knowledge.incident(standing.id)
    because = _reasons(session, standing, incident, (CONFIRMED, SUGGESTED))
    for condition in incident.requires:
        for test in witnesses(condition, session.truth):
            because.append(_reason(session, test.fact, "requires", ""))
    return {
        "id": incident.id,
        "title": incident.title,
        "kind": incident.kind,
        "family": incident.family,
        **affects_part(session, incident),
        "standing": standing.standing,
        "score": round(standing.score, 2),
        "evidence": incident.grade,
        "summary": incident.summary,
        "cited": [source.url for source in incident.sources if source.id in incident.cited],
        "because": because,
        "contested": [_reason(session, fact, "requires", "") for fact in standing.contested],
        "open": _open(session, incident),
        "remedies": [remedy_part(session, name) for name in in_order(session, incident.remedies)],
        "sources": [source_part(s) for s in incident.sources],
    }


def affects_part(session: Consultation, incident: Incident) -> Json:
    """The releases that have a known issue, and its severity; nothing for other incidents."""
    if incident.kind != KNOWN_ISSUE:
        return {}
    from ..knowledge.affected import span

    product = session.knowledge.product
    listed = [{**one._asdict(), "text": span(one, product(one.product))} for one in incident.affects]
    return {"severity": incident.severity, "affects": listed}


def _open(session: Consultation, incident: Incident) -> list[str]:
    """Facts that nobody has spoken of and that would settle the incident."""
    conditions = [*incident.confirms, *incident.excludes, *incident.requires]
    names = dict.fromkeys(f for c in conditions for f in facts_of(c))
    return [name for name in names if session.value(name) is None]


def ruled_out_part(session: Consultation, standing: Standing) -> Json:
    """An incident that is ruled out, and by what."""
    incident = session.knowledge.incident(standing.id)
    because = _reasons(session, standing, incident, (RULED_OUT, MISSING))
    return {
        "id": incident.id,
        "title": incident.title,
        "kind": incident.kind,
        "because": [{"fact": r["fact"], "value": r["value"]} for r in because],
    }


def fact_part(fact: Settled) -> Json:
    """A fact as it stands in the JSON."""
    document: Json = {"name": fact.name, "value": fact.value, "from": [_origin(o) for o in fact.origins]}
    if fact.conflicts:
        document["conflicts"] = [{"value": c.value, "from": [_origin(c.origin)]} for c in fact.conflicts]
    return document


def _origin(origin: Origin) -> Json:
    return origin.to_dict()
