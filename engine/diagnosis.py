"""What a session concludes, as one plain document: the JSON that every output is made of.

Explanation is part of it: every incident carries the facts under it, every ruled-out one the fact that
did it, and everything that no rule explains is listed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .conditions import facts_of, witnesses
from .facts import Origin, Settled
from .model import Cond, FactSpec, Incident, Remedy, Source, Step
from .planner import Question
from .program import CONFIRMED, MISSING, RULED_OUT, SUGGESTED
from .session import Session
from .standing import CONFIRMED_STANDING, EXCLUDED, LIKELY, Standing

SCHEMA = "gpudoctor/diagnosis/1"
DIAGNOSED, NARROWED, INSUFFICIENT, NO_KNOWN = (
    "diagnosed",
    "narrowed",
    "insufficient evidence",
    "no known incident",
)
EXIT_STATUS = {DIAGNOSED: 1, NARROWED: 1, INSUFFICIENT: 3, NO_KNOWN: 0}
LEAD_BITS = 2.0
"""An incident clearly leads when its score is this far above the next one's."""
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
        }
        if self.fleet is not None:
            document["fleet"] = self.fleet
        return document


def diagnose(session: Session) -> Diagnosis:
    """Everything that the session concludes now."""
    standings = session.standings()
    standing = [s for s in standings if s.standing != EXCLUDED]
    facts = session.facts()
    loose = loose_facts(session, standing, facts)
    verdict = verdict_of(session, standing, facts, loose)
    listed = standing[:LISTED]
    return Diagnosis(
        verdict=verdict,
        kb=kb_part(session),
        facts=[fact_part(f) for f in facts if f.value is not None],
        incidents=[incident_part(session, s) for s in listed],
        ruled_out=[ruled_out_part(session, s) for s in standings if s.standing == EXCLUDED],
        next=[] if _settled(standing) else [question_part(q) for q in _next(session, standing)],
        gaps=gaps_part(session, facts, listed),
        unexplained=unexplained_part(session, loose),
        engine=session.engine,
        notes=notes_of(session),
        warnings=tuple(warnings_part(session, facts)),
    )


def kb_part(session: Session) -> Json:
    """Which knowledge base concluded."""
    knowledge = session.knowledge
    return {
        "version": knowledge.version,
        "digest": knowledge.digest,
        "incidents": len(knowledge.incident_ids),
    }


def notes_of(session: Session) -> tuple[str, ...]:
    """What there is to say about the run itself."""
    notes = tuple(session.notes)
    if session.engine != "durable":
        notes += ("durable-rules is not in use here: the reference matcher did the work",)
    return notes


def loose_facts(session: Session, standing: list[Standing], facts: list[Settled]) -> list[Settled]:
    """Signs of trouble that no standing incident accounts for."""
    explained: set[str] = set()
    for one in standing:
        explained |= _accounted(session, one, session.knowledge.incident(one.id))
    return [f for f in facts if _is_loose(session, f, explained)]


def warnings_part(session: Session, facts: list[Settled]) -> list[Json]:
    """Remarks on environment variables, whatever the fault."""
    if not any(fact.name.startswith("env.") for fact in facts):
        return []
    from .advisories import warnings_of

    return [warning._asdict() for warning in warnings_of(session)]


def _next(session: Session, standing: list[Standing]) -> list[Question]:
    """What to find out: between the incidents that stand, or, where none does, between all."""
    return session.planner.best(3, {s.id for s in standing} or None)


def _settled(standing: list[Standing]) -> bool:
    return bool(standing) and standing[0].standing == CONFIRMED_STANDING


def verdict_of(session: Session, standing: list[Standing], facts: list[Settled], loose: list[Settled]) -> str:
    """The verdict of a run."""
    if standing:
        first = standing[0]
        if first.standing == CONFIRMED_STANDING:
            return DIAGNOSED
        if first.standing == LIKELY:
            lead = first.score - standing[1].score if len(standing) > 1 else LEAD_BITS
            return DIAGNOSED if lead >= LEAD_BITS else NARROWED
        return INSUFFICIENT
    if session.partial or any(f.conflicts for f in facts):
        return (
            INSUFFICIENT  # what was ruled out may rest on the wrong one of two statements, or on half a log
        )
    if loose and not any(_is_secondary(session, f) for f in loose):
        return NO_KNOWN
    measured = [f for f in facts if f.value is not None and _is_outcome(session, f.name)]
    if measured and all(f.value == "pass" for f in measured) and not session.error_lines():
        return NO_KNOWN
    return INSUFFICIENT


def _is_outcome(session: Session, name: str) -> bool:
    """Whether a fact is an outcome of the collective test; gloo's says nothing of GPUs."""
    if not name.startswith("collective.") or name.startswith("collective.gloo"):
        return False
    return "pass" in session.knowledge.vocabulary.spec(name).values


def _is_secondary(session: Session, fact: Settled) -> bool:
    spec = session.knowledge.vocabulary.spec(fact.name)
    return spec.secondary or spec.harmless


def _is_loose(session: Session, fact: Settled, explained: set[str]) -> bool:
    """Whether this is a sign of trouble that no standing incident accounts for."""
    spec = session.knowledge.vocabulary.spec(fact.name)
    return spec.sign and not spec.harmless and fact.value is True and fact.name not in explained


def _accounted(session: Session, standing: Standing, incident: Incident) -> set[str]:
    used = {leaf[1] for _, leaf in _evidence(session, standing, incident)}
    return used | set(incident.explains)


def _evidence(session: Session, standing: Standing, incident: Incident) -> list[tuple[tuple[str, int], Cond]]:
    """The tests under each entry on which a standing rests."""
    found: list[tuple[tuple[str, int], Cond]] = []
    for kind, index in standing.entries:
        condition, wanted = _condition(incident, kind, index)
        if condition is not None:
            found += [((kind, index), leaf) for leaf in witnesses(condition, session.truth, wanted)]
    return found


def _condition(incident: Incident, kind: str, index: int) -> tuple[Cond | None, bool]:
    if kind == CONFIRMED:
        return incident.confirms[index], True
    if kind == SUGGESTED:
        return incident.suggests[index].when, True
    if kind == RULED_OUT:
        return incident.excludes[index], True
    if kind == MISSING:
        return incident.requires[index], False
    return None, True


_SLOTS = {CONFIRMED: "confirms", SUGGESTED: "suggests", RULED_OUT: "excludes", MISSING: "requires"}


def _reasons(session: Session, standing: Standing, incident: Incident, kinds: tuple[str, ...]) -> list[Json]:
    reasons: list[Json] = []
    for (kind, index), leaf in _evidence(session, standing, incident):
        if kind not in kinds:
            continue
        weight = incident.suggests[index].weight if kind == SUGGESTED else ""
        reason = _reason(session, leaf[1], _SLOTS[kind], weight)
        if all(known["fact"] != leaf[1] or known["slot"] != reason["slot"] for known in reasons):
            reasons.append(reason)
    order = {"confirms": 0, "suggests": 1, "excludes": 2, "requires": 3}
    weights = {"decisive": 0, "strong": 1, "weak": 2, "": 3}
    reasons.sort(key=lambda r: weights[r["weight"]])
    return sorted(reasons, key=lambda r: (order[r["slot"]], weights[r["weight"]], r["fact"]))


def _reason(session: Session, fact: str, slot: str, weight: str) -> Json:
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


def incident_part(session: Session, standing: Standing) -> Json:
    """An incident as it stands, with its remedies."""
    incident = session.knowledge.incident(standing.id)
    because = _reasons(session, standing, incident, (CONFIRMED, SUGGESTED))
    for condition in incident.requires:
        for leaf in witnesses(condition, session.truth):
            because.append(_reason(session, leaf[1], "requires", ""))
    return {
        "id": incident.id,
        "title": incident.title,
        "family": incident.family,
        "standing": standing.standing,
        "score": round(standing.score, 2),
        "evidence": incident.grade,
        "summary": incident.summary,
        "because": because,
        "open": _open(session, incident),
        "remedies": [remedy(session, name) for name in incident.remedies],
        "sources": [_source(s) for s in incident.sources],
    }


def _open(session: Session, incident: Incident) -> list[str]:
    """Facts that nobody has spoken of and that would settle the incident."""
    conditions = [*incident.confirms, *incident.excludes, *incident.requires]
    names = dict.fromkeys(f for c in conditions for f in facts_of(c))
    return [name for name in names if session.value(name) is None]


def ruled_out_part(session: Session, standing: Standing) -> Json:
    """An incident that is ruled out, and by what."""
    incident = session.knowledge.incident(standing.id)
    because = _reasons(session, standing, incident, (RULED_OUT, MISSING))
    return {
        "id": incident.id,
        "title": incident.title,
        "because": [{"fact": r["fact"], "value": r["value"]} for r in because],
    }


def remedy(session: Session, name: str) -> Json:
    """A remedy as it applies to this machine: the steps for its runtime, or why it does not apply."""
    found = session.knowledge.remedy(name)
    hindrances = [found.applies[i].why for i in session.hindrances(name)]
    already = [f"{n} is already {v} here" for n, v in found.sets if session.value(f"env.{n}") == v]
    if found.sets and len(already) == len(found.sets):
        hindrances += already
    chosen = steps_here(session, found)
    return {
        "id": found.id,
        "title": found.title,
        "kind": found.kind,
        "applies": not hindrances,
        "why_not": "; ".join(hindrances),
        "steps": [{"text": s.text, "commands": list(s.commands), "variant": v} for v, s in chosen],
        "verify": [_step_text(s) for s in found.verify],
        "undo": [_step_text(s) for s in found.undo],
        "risk": found.risk,
        "cost": found.cost,
        "danger": found.danger,
        "needs": list(found.needs),
        "sets": dict(found.sets),
        "limits": found.limits,
        "sources": [_source(s) for s in found.sources],
    }


def steps_here(session: Session, found: Remedy) -> list[tuple[str, Step]]:
    """The common steps, then the variants that fit this runtime; without a fitting one, the plainest."""
    steps = [("", step) for step in found.steps.get("", ())]
    named = [name for name in found.steps if name]
    fitting = [name for name in named if session.value(f"variant.{name}") is True]
    if not fitting:
        open_ones = [name for name in named if session.value(f"variant.{name}") is not False]
        fitting = open_ones if len(open_ones) == 1 or "bare" not in open_ones else ["bare"]
    for name in fitting:
        steps += [(name, step) for step in found.steps[name]]
    return steps


def _step_text(step: Step) -> str:
    return "\n".join([step.text, *step.commands]).strip()


def _source(source: Source) -> Json:
    return {"url": source.url, "kind": source.kind, "date": source.date, "supports": source.supports}


def fact_part(fact: Settled) -> Json:
    """A fact as it stands in the JSON."""
    document: Json = {"name": fact.name, "value": fact.value, "from": [_origin(o) for o in fact.origins]}
    if fact.conflicts:
        document["conflicts"] = [{"value": c.value, "from": [_origin(c.origin)]} for c in fact.conflicts]
    return document


def _origin(origin: Origin) -> Json:
    return {"kind": origin.kind, "where": origin.where, "text": origin.text}


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


def gaps_part(session: Session, facts: list[Settled], standing: list[Standing]) -> list[Json]:
    """Facts that could not be established and that a standing incident reads."""
    wanted: set[str] = set()
    for one in standing:
        incident = session.knowledge.incident(one.id)
        conditions = [
            *incident.requires,
            *incident.confirms,
            *incident.excludes,
            *(e.when for e in incident.suggests),
        ]
        wanted |= {f for c in conditions for f in facts_of(c)}
    return [
        {"fact": f.name, "reason": f.reason}
        for f in facts
        if f.value is None and (f.name in wanted or not standing)
    ]


def unexplained_part(session: Session, loose: list[Settled]) -> list[Json]:
    """Signs and error lines for which nothing accounts."""
    found = [{"where": o.where, "text": o.text, "fact": f.name} for f in loose for o in f.origins[:1]]
    return found + [{"where": o.where, "text": o.text, "fact": ""} for o in session.error_lines()]


def spec_of(session: Session, name: str) -> FactSpec:
    """The vocabulary entry of a fact."""
    return session.knowledge.vocabulary.spec(name)
