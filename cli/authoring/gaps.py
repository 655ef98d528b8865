"""``gpudoctor kb list --gaps``: list what the knowledge base lacks, and what may have gone stale."""

from __future__ import annotations

import datetime
import re
from fnmatch import fnmatchcase

from ...engine import Knowledge
from ...engine.knowledge.casefile import LOG_LINES, Case
from ...engine.model import FactSpec, Incident
from ...engine.rules import facts_of
from ...probes.parsers import PARSERS
from ...probes.parsers.mentions import MENTIONED
from .casetest import IN_CHECKOUT, load_cases
from .ledger import unchecked

STALE_YEARS = 2
_PINNED = re.compile(r"/(?:blob|tree|releases/tag)/v?\d|/commit/")
"""An address of one release or commit says the same for ever."""


def gaps(knowledge: Knowledge) -> list[str]:
    """One line for each gap."""
    incidents = [knowledge.incident(name) for name in knowledge.fault_ids]
    issues = [knowledge.incident(name) for name in sorted(knowledge.issue_ids)]
    cases = load_cases([IN_CHECKOUT]) if IN_CHECKOUT.is_dir() else []
    return [
        *_without_cases(incidents, cases),
        *_without_log(incidents, cases),
        *_not_told_apart(incidents, cases),
        *_not_linked(knowledge, incidents),
        *_stale_sources(incidents),
        *unchecked(knowledge),
        *_unestablished(knowledge, incidents),
        *_never_asked(knowledge, [*incidents, *issues]),
    ]


def _without_cases(incidents: list[Incident], cases: list[Case]) -> list[str]:
    found = []
    for incident in incidents:
        kinds = {case.kind for case in cases if case.incident == incident.id}
        missing = [kind for kind in ("match", "lookalike", "thin") if kind not in kinds]
        if missing:
            found.append(f"incident {incident.id}: no {', '.join(missing)} case")
    return found


def _without_log(incidents: list[Incident], cases: list[Case]) -> list[str]:
    """Incidents of which no case starts from a log, and which do not say why; first how many they are."""
    excused = {case.incident for case in cases if case.no_log or case.starts_from_log}
    missing = [incident.id for incident in incidents if incident.id not in excused]
    if not missing or not cases:
        return []
    told = f"{len(missing)} of {len(incidents)} incidents have no case that starts from a log"
    return [
        told,
        *(f"incident {name}: no case starts from a log of {LOG_LINES} lines or more" for name in missing),
    ]


def _not_told_apart(incidents: list[Incident], cases: list[Case]) -> list[str]:
    """Pairs of look-alikes of which no case shows that one comes first and not the other."""
    shown = {frozenset((case.incident, case.instead)) for case in cases if case.kind == "lookalike"}
    pairs = {frozenset((i.id, other.id)) for i in incidents for other in i.lookalikes}
    return [
        f"incidents {' and '.join(sorted(pair))}: no case separates them" for pair in _sorted(pairs - shown)
    ]


def _sorted(pairs: set[frozenset[str]]) -> list[frozenset[str]]:
    return sorted(pairs, key=sorted)


def _not_linked(knowledge: Knowledge, incidents: list[Incident]) -> list[str]:
    """Look-alikes that the rules name and the text for people does not."""
    found = []
    for incident in incidents:
        with open(knowledge.file(incident.path), encoding="utf-8") as file:
            _, _, told = file.read().partition("\n## Tell it apart\n")
        for other in incident.lookalikes:
            if f"/{other.id}.md)" not in told and f"]({other.id}.md)" not in told:
                found.append(f"incident {incident.id}: the text does not link its look-alike {other.id}")
    return found


def _stale_sources(incidents: list[Incident]) -> list[str]:
    limit = datetime.date.today().replace(day=1)
    oldest = f"{limit.year - STALE_YEARS}-{limit.month:02}"
    return [
        f"incident {incident.id}: source {source.id} is of {source.date}"
        for incident in incidents
        for source in incident.sources
        if source.date
        and source.date < oldest
        and source.kind in ("docs", "source", "release")
        and not _PINNED.search(source.url)
    ]


def _reads(incident: Incident) -> set[str]:
    return {fact for clause in incident.conditions() for fact in facts_of(clause.when)}


def _unestablished(knowledge: Knowledge, incidents: list[Incident]) -> list[str]:
    named = set(knowledge.vocabulary.names)  # families (xid.74, skew.x) are established as a whole
    read = sorted({fact for incident in incidents for fact in _reads(incident)} & named)
    parsed = {fact for parser in PARSERS for fact in parser.facts} | set(MENTIONED)
    parsed |= {name for name in read for family in parsed if "*" in family and fnmatchcase(name, family)}
    specs = map(knowledge.vocabulary.spec, read)
    return [
        f"fact {s.name}: no probe and no parser establishes it" for s in specs if not _established(s, parsed)
    ]


def _established(spec: FactSpec, parsed: set[str]) -> bool:
    return bool(spec.probe or spec.signatures or spec.derived or spec.name in parsed)


def _never_asked(knowledge: Knowledge, incidents: list[Incident]) -> list[str]:
    read = {fact for incident in incidents for fact in _reads(incident)}
    return [
        f"fact {spec.name}: its question is never asked, since no incident reads it"
        for spec in knowledge.facts()
        if spec.question and spec.name not in read and not _feeds(knowledge, spec.name, read)
    ]


def _feeds(knowledge: Knowledge, name: str, read: set[str]) -> bool:
    """Whether a fact that is read derives from this one."""
    return any(
        name in facts_of(derivation.when)
        for spec in knowledge.facts()
        if spec.derived and spec.name in read
        for derivation in spec.derived
    )
