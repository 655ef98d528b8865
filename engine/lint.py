"""The linter of knowledge bases: a function of the engine, used by the command line, the tests and CI.

It refuses what would make advice wrong or unreachable. Every problem is one sentence with its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import lintlogic, lintprose, lintsignatures
from .compiler import Records, read_folder
from .errors import EngineError, FactError
from .knowledge import BUILT_IN, Knowledge, open_index
from .model import FactSpec, Incident, Remedy
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Context:
    """The folder under examination, and everything it may refer to."""

    records: Records
    facts: dict[str, FactSpec]
    incidents: dict[str, Incident]
    remedies: dict[str, Remedy]
    type_of: Callable[[str], FactSpec]


def lint(*folders: str, built_in: bool = True) -> list[str]:
    """Problems of the folders, each laid over the built-in knowledge base (or over nothing)."""
    problems: list[str] = []
    for folder in folders:
        try:
            alone = os.path.realpath(folder) == os.path.realpath(BUILT_IN) or not built_in
            base = None if alone else Knowledge(open_index(BUILT_IN))
            records = read_folder(folder, base.vocabulary if base else None)
            found = sorted(_check(_context(records, base)))
            problems += [p if p.startswith(folder) else os.path.join(folder, p) for p in found]
        except EngineError as error:
            problems.append(str(error))
    return problems


def _context(records: Records, base: Knowledge | None) -> Context:
    facts, incidents, remedies = dict(records.facts), dict(records.incidents), dict(records.remedies)
    if base:
        facts = {**{f.name: f for f in base.facts()}, **facts}
        incidents = {**{i: base.incident(i) for i in base.incident_ids}, **incidents}
        remedies = {**{r: base.remedy(r) for r in base.remedy_ids}, **remedies}
    return Context(records, facts, incidents, remedies, Vocabulary(facts, facts.__getitem__).spec)


def _check(context: Context) -> Iterator[str]:
    yield from _references(context)
    records = context.records
    for spec in records.facts.values():
        yield from lintsignatures.check(spec)
        yield from lintlogic.check_fact(spec, context.type_of)
    for incident in records.incidents.values():
        yield from lintlogic.check_incident(incident, context.type_of)
    yield from lintlogic.check_twins(records.incidents, context.incidents)
    yield from lintlogic.check_lookalikes(records.incidents, context.incidents)
    for remedy in records.remedies.values():
        yield from lintlogic.check_remedy(remedy, context.type_of)
        yield from lintlogic.check_settings(remedy, context.type_of)
    for kind, file in records.files.items():
        yield from lintprose.check(kind.split("/")[0], file, context.type_of)


def _references(context: Context) -> Iterator[str]:
    used: set[str] = set()
    for incident in context.records.incidents.values():
        for name in incident.remedies:
            used.add(name)
            if name not in context.remedies:
                yield f'{incident.path}: there is no remedy "{name}"'
        for lookalike in incident.lookalikes:
            if lookalike.id not in context.incidents:
                yield f'{incident.path}: there is no incident "{lookalike.id}" to be confused with'
        for fact in (*incident.explains, *(f for x in incident.lookalikes for f in x.by)):
            try:
                context.type_of(fact)
            except FactError as error:
                yield f"{incident.path}: {error.message}"
        if not incident.remedies:
            yield f"{incident.path}: an incident needs at least one remedy"
    referenced = {name for incident in context.incidents.values() for name in incident.remedies}
    for remedy in context.records.remedies.values():
        if remedy.id not in referenced:
            yield f"{remedy.path}: no incident uses this remedy"
