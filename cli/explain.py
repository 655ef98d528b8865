"""``gpudoctor explain`` and ``gpudoctor search``: the knowledge base on the terminal."""

from __future__ import annotations

import argparse
import difflib
import sys

from ..engine import EngineError, FactError, Knowledge
from ..engine.conditions import words
from ..engine.markdown import read_page
from ..engine.model import EnvVar, FactSpec, Incident, Remedy
from .diagnose import load_knowledge
from .errors import OK, UsageError
from .markdownsheet import lay_out
from .paint import Sheet, paint, terminal_width, wants_color


def explain(arguments: argparse.Namespace) -> int:
    """Print one entry."""
    knowledge = load_knowledge(arguments.kb)
    sheet = Sheet(terminal_width(sys.stdout))
    explain_entry(sheet, knowledge, arguments.id)
    paint(sheet, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK


def explain_entry(sheet: Sheet, knowledge: Knowledge, name: str) -> None:
    """Lay an incident, remedy or fact out. Raises UsageError for an unknown id."""
    entry = find(knowledge, name)
    if isinstance(entry, Incident):
        _incident(sheet, entry)
    elif isinstance(entry, Remedy):
        _remedy(sheet, entry)
    else:
        _fact(sheet, entry)
    path = knowledge.file(entry.path)
    try:
        with open(path, encoding="utf-8") as file:
            page = read_page(file.read(), entry.path)
    except (OSError, EngineError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    lay_out(sheet, page.tokens)
    if entry.sources:
        sheet.heading("Sources")
        for source in entry.sources:
            sheet.line(f"[{source.id}] {source.url}", indent=2)
            sheet.paragraph(
                f"{source.kind}{f', {source.date}' if source.date else ''}: {source.supports}", 6, "dim"
            )


def find(knowledge: Knowledge, name: str) -> Incident | Remedy | FactSpec:
    """An entry by id. Raises UsageError that suggests the nearest."""
    if name in knowledge.incident_ids:
        return knowledge.incident(name)
    if name in knowledge.remedy_ids:
        return knowledge.remedy(name)
    for known in knowledge.incident_ids:
        if name in knowledge.incident(known).aliases:
            return knowledge.incident(known)
    try:
        return knowledge.vocabulary.spec(name)
    except FactError:
        every = [*knowledge.incident_ids, *knowledge.remedy_ids, *knowledge.vocabulary.names]
        near = difflib.get_close_matches(name, every, 3, cutoff=0.5)
        hint = f"; near to it: {', '.join(near)}" if near else "; try gpudoctor search"
        raise UsageError(f'there is no incident, remedy or fact "{name}"{hint}') from None


def _incident(sheet: Sheet, incident: Incident) -> None:
    sheet.line(incident.title, "bold")
    sheet.line(
        f"incident {incident.id} · {incident.family} · {', '.join(incident.vendors)} · {incident.grade}",
        "dim",
    )
    sheet.heading("How it is recognised")
    for line in rules_in_words(incident):
        sheet.paragraph(line, 2, first="- ")
    sheet.heading("Remedies, in order")
    for remedy in incident.remedies:
        sheet.line(f"- {remedy}", indent=2)


def rules_in_words(incident: Incident) -> list[str]:
    """The rules of an incident, one line each."""
    lines = [f"required: {words(c)}" for c in incident.requires]
    lines += [f"proof: {words(c)}" for c in incident.confirms]
    lines += [f"{e.weight} sign: {words(e.when)}" for e in incident.suggests]
    lines += [f"ruled out by: {words(c)}" for c in incident.excludes]
    return lines


def _remedy(sheet: Sheet, remedy: Remedy) -> None:
    sheet.line(remedy.title, "bold")
    needs = f" · needs {', '.join(remedy.needs)}" if remedy.needs else ""
    sheet.line(f"remedy {remedy.id} · {remedy.kind}{needs}", "dim")
    sheet.paragraph(f"Risk: {remedy.risk}. Cost: {remedy.cost or 'none known'}.", 2)
    if remedy.danger:
        sheet.paragraph(remedy.danger, 2, "bold red", "DANGER: ")
    for entry in remedy.applies:
        sheet.paragraph(f"applies if {words(entry.when)}; otherwise: {entry.why}", 2, "dim", "- ")


def _fact(sheet: Sheet, fact: FactSpec) -> None:
    sheet.line(fact.title, "bold")
    values = f": {', '.join(fact.values)}" if fact.values else ""
    sheet.line(f"fact {fact.name} · {fact.type}{values}", "dim")
    if fact.question:
        sheet.paragraph(fact.question, 2, first="Asked as: ")
    for derivation in fact.derived:
        value = f"number of items of {derivation.items_of}" if derivation.items_of else derivation.value
        sheet.paragraph(f"{value} if {words(derivation.when)}", 2, first="- ")
    if fact.env:
        for line in _variable(fact.env):
            sheet.paragraph(line, 2)
    for signature in fact.signatures:
        for line in signature.matches[:1]:
            sheet.paragraph(line, 2, "dim", "seen as: ")


def _variable(env: EnvVar) -> list[str]:
    """What is documented of an environment variable, one line each."""
    lines = []
    if env.allowed:
        lines.append(f"Documented values: {', '.join(env.allowed)}")
    if env.default:
        lines.append(f"Default: {env.default}")
    if env.since:
        lines.append(f"Read since: {env.since}")
    if env.until:
        lines.append(f"{'Renamed in' if env.alias else 'Not read any more since'}: {env.until}")
    if env.renamed:
        still = "; the old name is still read where this one is unset" if env.alias else ""
        lines.append(f"Takes its place: {env.renamed}{still}")
    if env.role:
        lines.append(f"Role: {env.role}")
    lines += [f"Harm with {value}: {why}" for value, why in env.hurts]
    return lines


def search(arguments: argparse.Namespace) -> int:
    """Print entries that match the words; exit 0 also when nothing does."""
    knowledge = load_knowledge(arguments.kb)
    hits = knowledge.search(" ".join(arguments.words))[:12]
    sheet = Sheet(terminal_width(sys.stdout))
    if not hits:
        sheet.line("Nothing in the knowledge base holds these words.")
    for hit in hits:
        sheet.spans((f"{hit.kind:9}", "cyan"), (hit.id, "bold"))
        sheet.paragraph(hit.title, 9)
    paint(sheet, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK
