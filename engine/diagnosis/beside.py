"""What the document says beside incidents: what resembles, what is in doubt, what facts mean, what is missing."""

from __future__ import annotations

from collections.abc import Collection

from ..belief import Standing
from ..consultation import Consultation
from ..facts import Settled
from ..facts.trouble import is_trouble
from ..rules import facts_of
from .incidents import Json
from .verdict import still_needed

RESEMBLING = 0.2
"""Pages that share less with the report are not named."""
MOST_RESEMBLING = 5
NEEDED = "not known; without it no machine of this kind is called clean"


def resembles_part(session: Consultation, listed: Collection[str]) -> list[Json]:
    """The pages nearest by words that are not listed already: resembling, not deduced."""
    found = []
    resemblances = session.nearest()
    for near in resemblances.listed:
        if near.share * near.strength < RESEMBLING:
            break  # nearest first
        incident = session.knowledge.incident(near.id)
        fits = session.vendor() in ("", "none", *incident.vendors)
        if near.id not in listed and fits:
            found.append({"id": near.id, "title": incident.title, "words": list(resemblances.words(near.id))})
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
