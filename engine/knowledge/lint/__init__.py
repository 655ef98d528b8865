"""The linter of knowledge bases: a function of the engine, used by the command line, the tests and CI.

It refuses what would make advice wrong or unreachable. Every problem is one sentence with its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...errors import EngineError, FactError
from ...facts import Vocabulary
from ...model import KNOWN_ISSUE, FactSpec, Incident, Product, Remedy
from ...tuples import NamedTuple
from ..affected import fix_id
from ..base import Knowledge
from ..compiler import FolderRecords, read_folder
from ..opening import BUILT_IN, open_index
from . import citations, issues, ledger, logic, nodes, pitfalls, prose, signatures, wordings


@dataclass(frozen=True)
class Context:
    """The folder under examination, and everything it may refer to."""

    records: FolderRecords
    facts: dict[str, FactSpec]
    incidents: dict[str, Incident]
    remedies: dict[str, Remedy]
    products: dict[str, Product]
    type_of: Callable[[str], FactSpec]


def lint(*folders: str, built_in: bool = True) -> list[str]:
    """Problems of the folders, each laid over the built-in knowledge base (or over nothing)."""
    return [problem for folder in folders for problem in examine(folder, built_in).problems]


class Examined(NamedTuple):
    """A folder: what is wrong with it, and what it holds, if that could be read."""

    problems: list[str]
    records: FolderRecords | None


def examine(folder: str, built_in: bool = True) -> Examined:
    """Check one folder, laid over the built-in knowledge base (or over nothing)."""
    try:
        alone = os.path.realpath(folder) == os.path.realpath(BUILT_IN) or not built_in
        base = None if alone else Knowledge(open_index(BUILT_IN))
        records = read_folder(folder, base)
        found = sorted(_check(_context(records, base)))
    except EngineError as error:
        return Examined([str(error)], None)
    return Examined([p if p.startswith(folder) else os.path.join(folder, p) for p in found], records)


def _context(records: FolderRecords, base: Knowledge | None) -> Context:
    facts, incidents, remedies = dict(records.facts), dict(records.incidents), dict(records.remedies)
    products = dict(records.products)
    if base:
        facts = {**{f.name: f for f in base.facts()}, **facts}
        incidents = {**{i: base.incident(i) for i in base.incident_ids}, **incidents}
        remedies = {**{r: base.remedy(r) for r in base.remedy_ids}, **remedies}
        products = {**{p: base.product(p) for p in base.product_ids}, **products}
    return Context(records, facts, incidents, remedies, products, Vocabulary(facts, facts.__getitem__).spec)


def _check(context: Context) -> Iterator[str]:
    yield from _references(context)
    records = context.records
    for spec in records.facts.values():
        yield from signatures.check(spec)
        yield from logic.check_fact(spec, context.type_of)
    yield from wordings.check(records.facts.values(), context.facts.values())
    yield from wordings.check_pages(records.files[i.path] for i in records.incidents.values())
    for incident in records.incidents.values():
        yield from logic.check_incident(incident, context.type_of)
    yield from logic.check_twins(records.incidents, context.incidents)
    yield from logic.check_lookalikes(records.incidents, context.incidents)
    for remedy in records.remedies.values():
        if remedy.path.startswith("remedies/"):
            yield from logic.check_remedy(remedy, context.type_of)
            yield from logic.check_settings(remedy, context.type_of)
            yield from nodes.check(remedy)
    pages: list[Incident | Remedy] = [*records.incidents.values(), *records.remedies.values()]
    for page in pages:
        if page.checked and page.path.startswith(("incidents/", "remedies/")):
            yield from ledger.check(page.checked, page.path)
    yield from _issues(context)
    for pitfall in records.pitfalls.values():
        yield from pitfalls.check(pitfall, context.incidents, context.remedies, context.type_of)
    files = records.files.items()
    parsed = prose.parsed_together(t.content for _, file in files for t in prose.shell_blocks(file))
    for kind, file in files:
        yield from citations.check(file)
        yield from prose.check(kind.split("/")[0], file, context.type_of, parsed)


def _issues(context: Context) -> Iterator[str]:
    records = context.records
    found = {name: one for name, one in records.incidents.items() if one.kind == KNOWN_ISSUE}
    for issue in found.values():
        remedy, file = records.remedies[fix_id(issue.id)], records.files[issue.path]
        yield from issues.check_issue(issue, remedy, file, context.products.__getitem__, context.type_of)
    yield from issues.check_collisions(found, context.type_of)
    for product in records.products.values():
        yield from issues.check_product(product, context.type_of)


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
