"""What a session concludes, as one plain document: the JSON that every output is made of.

Explanation is part of it: every incident carries the facts under it, every ruled-out one the fact that
did it, and everything that no rule explains is listed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from ..belief import CONFIRMED_STANDING, Standing
from ..consultation import Consultation
from ..facts import Origin, Settled
from ..facts.trouble import is_trouble
from ..model import KNOWN_ISSUE, Incident
from ..questions import Planner, Question
from ..rules import CONFIRMED, MISSING, RULED_OUT, SUGGESTED, facts_of, witnesses
from .evidence import evidence_under
from .remedies import in_order, remedy_part, source_part
from .verdict import EXIT_STATUS, INSUFFICIENT, conclude, still_needed

SCHEMA = "gpudoctor/diagnosis/1"
RESEMBLING = 0.2
"""Pages that share less with the report are not named."""
MOST_RESEMBLING = 5
NEEDED = "not known; without it no machine of this kind is called clean"
LISTED = 8
"""So many incidents are told in full."""

Json = dict[str, Any]


class Diagnosis(NamedTuple):
    """The conclusions of a session at one moment. ``to_dict`` gives the documented JSON."""

    verdict: str
    kb: Json
    facts: list[Json]
    incidents: list[Json]
    ruled_out: list[Json]
    next: list[Json]
    gaps: list[Json]
    unexplained: list[Json]
    engine: str = "durable"
    notes: tuple[str, ...] = ()
    warnings: tuple[Json, ...] = ()
    fleet: Json | None = None
    resembles: tuple[Json, ...] = ()
    doubts: tuple[Json, ...] = ()
    meanings: tuple[Json, ...] = ()

    @property
    def exit_status(self) -> int:
        """0: nothing known matches and the evidence sufficed; 1: confirmed or likely; 3: insufficient."""
        return EXIT_STATUS[self.verdict]

    def to_dict(self) -> Json:
        """The stable JSON form (``diagnosis.schema.json``)."""
        document: Json = {
            "schema": SCHEMA,
            "kb": self.kb,
            "engine": self.engine,
            "verdict": self.verdict,
            "facts": self.facts,
            "incidents": self.incidents,
            "ruled_out": self.ruled_out,
            "next": self.next,
            "gaps": self.gaps,
            "unexplained": self.unexplained,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "resembles": list(self.resembles),
            "doubts": list(self.doubts),
            "meanings": list(self.meanings),
        }
        if self.fleet is not None:
            document["fleet"] = self.fleet
        return document


def diagnose(session: Consultation, planner: Planner) -> Diagnosis:
    """Everything that the session concludes now."""
    found = conclude(session)
    standing, facts = found.standing, found.facts
    listed = standing[:LISTED]
    return Diagnosis(
        verdict=found.verdict,
        kb=kb_part(session),
        facts=[fact_part(f) for f in facts if f.value is not None],
        incidents=[incident_part(session, s) for s in listed],
        ruled_out=[ruled_out_part(session, s) for s in found.ruled_out],
        next=[] if _settled(standing) else [question_part(q) for q in _next(planner, standing)],
        gaps=[
            *gaps_part(session, facts, listed),
            *(needs_part(session, facts) if found.verdict == INSUFFICIENT else ()),
        ],
        unexplained=unexplained_part(session, found.loose, found.explained.places),
        engine=session.engine,
        notes=notes_of(session),
        warnings=tuple(warnings_part(session, facts)),
        resembles=tuple(resembles_part(session, {s.id for s in listed})),
        doubts=tuple(doubts_part(session)),
        meanings=tuple(meanings_part(session, facts)),
    )


def kb_part(session: Consultation) -> Json:
    """Which knowledge base concluded."""
    knowledge = session.knowledge
    return {
        "version": knowledge.version,
        "digest": knowledge.digest,
        "incidents": len(knowledge.fault_ids),
        "known_issues": len(knowledge.issue_ids),
    }


def notes_of(session: Consultation) -> tuple[str, ...]:
    """What there is to say about the run itself."""
    notes = tuple(session.notes)
    if session.engine != "durable":
        notes += ("durable-rules is not in use here: the reference matcher did the work",)
    return notes


def resembles_part(session: Consultation, listed: Collection[str]) -> list[Json]:
    """The pages nearest by words that are not listed already: resembling, not deduced."""
    found = []
    for near in session.nearest():
        if near.share * near.strength < RESEMBLING:
            break  # nearest first
        incident = session.knowledge.incident(near.id)
        fits = session.vendor() in ("", "none", *incident.vendors)
        if near.id not in listed and fits:
            found.append({"id": near.id, "title": incident.title, "words": list(near.words)})
        if len(found) == MOST_RESEMBLING:
            break
    return found


def doubts_part(session: Consultation) -> list[Json]:
    """What was read in somebody's words with doubt: evidence of nothing until it is answered."""
    spec = session.knowledge.vocabulary.spec
    return [
        {
            "fact": fact.name,
            "value": fact.value,
            "where": fact.origin.where,
            "text": fact.origin.text,
            "means": spec(fact.name).title,
        }
        for fact in session.doubts()
    ]


def meanings_part(session: Consultation, facts: list[Settled]) -> list[Json]:
    """What single facts mean and what to do about them first, for those whose pages say it; values before flags."""
    found = []
    for fact in facts:
        spec = session.knowledge.vocabulary.spec(fact.name)
        shown = (
            spec.sign
            or spec.harmless
            or is_trouble(spec, fact.value)
            or fact.name.startswith(("log.", "ras."))
        )
        if spec.meaning and shown and fact.value not in (None, False, 0, ""):
            one = {"fact": fact.name, "value": fact.value, "title": spec.title}
            found.append({**one, "meaning": spec.meaning, "first": spec.first})
    return sorted(found, key=lambda one: one["value"] is True)


def warnings_part(session: Consultation, facts: list[Settled]) -> list[Json]:
    """Remarks on environment variables, whatever the fault."""
    if not any(fact.name.startswith("env.") for fact in facts):
        return []
    from ..consultation.advisories import warnings_of

    return [warning._asdict() for warning in warnings_of(session)]


def _next(planner: Planner, standing: list[Standing]) -> list[Question]:
    """What to find out: between the incidents that stand, or, where none does, between all."""
    return planner.best(3, {s.id for s in standing} or None)


def _settled(standing: list[Standing]) -> bool:
    return bool(standing) and standing[0].standing == CONFIRMED_STANDING


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


def question_part(question: Question) -> Json:
    """A question as it stands in the JSON."""
    return {
        "kind": question.kind,
        "fact": question.fact,
        "text": question.text,
        "choices": list(question.choices),
        "gain_bits": question.gain_bits,
        "cost": question.cost,
        "separates": list(question.separates),
    }


def gaps_part(session: Consultation, facts: list[Settled], standing: list[Standing]) -> list[Json]:
    """Facts that could not be established and that a standing incident reads."""
    wanted: set[str] = set()
    for one in standing:
        incident = session.knowledge.incident(one.id)
        wanted |= {f for clause in incident.conditions() for f in facts_of(clause.when)}
    return [
        {"fact": f.name, "reason": f.reason}
        for f in facts
        if f.value is None and (f.name in wanted or not standing)
    ]


def needs_part(session: Consultation, facts: list[Settled]) -> list[Json]:
    """What nobody spoke of and must be known of such a machine before it may be called clean."""
    told = {fact.name for fact in facts}
    return [{"fact": name, "reason": NEEDED} for name in still_needed(session) if name not in told]


def unexplained_part(session: Consultation, loose: list[Settled], told: Collection[str]) -> list[Json]:
    """Signs and error lines for which nothing accounts; of a line that is evidence already nothing is left."""
    found = []
    for fact in loose:
        title = session.knowledge.vocabulary.spec(fact.name).title
        found += [
            {"where": o.where, "text": o.text, "fact": fact.name, "means": title} for o in fact.origins[:1]
        ]
    lines = [o for o in session.error_lines() if o.where not in told]
    return found + [{"where": o.where, "text": o.text, "fact": ""} for o in lines]
