"""``gpudoctor explain`` and ``gpudoctor search``: the knowledge base on the terminal."""

from __future__ import annotations

import argparse
import sys

from ..engine import Knowledge
from .diagnose import load_knowledge
from .entries import describe, find
from .errors import OK
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
    entry = describe(knowledge, find(knowledge, name))
    sheet.line(entry.title, "bold")
    sheet.line(" · ".join((f"{entry.kind} {entry.id}", *entry.about)), "dim")
    if entry.kind == "incident":
        sheet.heading("How it is recognised")
    for rule in entry.rules:
        sheet.paragraph(rule.sentence, 2, first="- ")
    if entry.remedies:
        sheet.heading("Remedies, in order")
        for name_, title in entry.remedies:
            sheet.paragraph(f"{title} ({name_})", 2, first="- ")
    if entry.kind == "incident" and entry.notes:
        sheet.heading("Look-alikes")
    for note in entry.notes:
        sheet.paragraph(note.text, 2, "bold red" if note.danger else "", f"{note.label}: ")
    lay_out(sheet, entry.page.tokens)
    if entry.sources:
        sheet.heading("Sources")
        for source in entry.sources:
            sheet.line(f"[{source.id}] {source.url}", indent=2)
            sheet.paragraph(
                f"{source.kind}{f', {source.date}' if source.date else ''}: {source.supports}", 6, "dim"
            )


def search(arguments: argparse.Namespace) -> int:
    """Print entries that match the words or the error line; exit 0 also when nothing does."""
    from .finding import find_entries

    knowledge = load_knowledge(arguments.kb)
    hits = find_entries(knowledge, " ".join(arguments.words))[:12]
    sheet = Sheet(terminal_width(sys.stdout))
    if not hits:
        sheet.line("Nothing in the knowledge base holds these words.")
    for hit in hits:
        sheet.spans((f"{hit.kind:9}", "cyan"), (hit.id, "bold"))
        sheet.paragraph(hit.title, 9)
    paint(sheet, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK
