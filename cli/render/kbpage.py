"""An entry of the knowledge base laid out for a terminal, with the Markdown of its page."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from ...engine import Knowledge
from ...engine.knowledge.markdown import cited, plain
from ...engine.model import INCIDENT, KNOWN_ISSUE
from ..content.entries import describe, find
from .screen import Screen, table
from .words import VARIANTS


def explain_entry(screen: Screen, knowledge: Knowledge, name: str) -> None:
    """Lay an entry out. Raises UsageError for an unknown id."""
    entry = describe(knowledge, find(knowledge, name))
    screen.line(screen.say(entry.title), "bold")
    screen.line(" · ".join((f"{entry.kind} {entry.id}", *entry.about)), "dim")
    if entry.kind in (INCIDENT, KNOWN_ISSUE):
        screen.heading(screen.say("How it is recognised"))
    for rule in entry.rules:
        screen.paragraph(rule.sentence, 2, first="- ")
    if entry.remedies:
        screen.heading(screen.say("Remedies, in order"))
        for name_, title in entry.remedies:
            screen.paragraph(f"{screen.say(title)} ({name_})", 2, first="- ")
    if entry.kind == "incident" and entry.notes:
        screen.heading(screen.say("Look-alikes"))
    for note in entry.notes:
        screen.paragraph(note.text, 2, "bold red" if note.danger else "", f"{note.label}: ")
    lay_out(screen, entry.page.tokens)
    if entry.sources:
        screen.heading(screen.say("Sources"))
        for source in entry.sources:
            screen.line(f"[{source.id}] {source.url}", indent=2)
            screen.paragraph(
                f"{source.kind}{f', {source.date}' if source.date else ''}: {source.supports}", 6, "dim"
            )


def lay_out(screen: Screen, tokens: Sequence[Token], indent: int = 2) -> None:
    """Headings, paragraphs, lists, code blocks and tables of a page."""
    numbers: list[int | None] = []
    first = ""
    rows: list[tuple[str, ...]] = []
    row: list[str] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        kind = token.type
        if kind == "heading_open":
            level = int(token.tag[1])
            text = plain(tokens[position + 1].content)
            text = VARIANTS.get(text, text) if level > 2 else text
            screen.line()
            screen.line(text, "bold" if level == 2 else "italic", 0 if level == 2 else indent)
            position += 2
        elif kind in ("ordered_list_open", "bullet_list_open"):
            numbers.append(1 if kind.startswith("ordered") else None)
        elif kind in ("ordered_list_close", "bullet_list_close"):
            numbers.pop()
        elif kind == "list_item_open":
            number = numbers[-1]
            first = "- " if number is None else f"{number}. "
            if number is not None:
                numbers[-1] = number + 1
        elif kind in ("th_open", "td_open"):
            row.append(cited(tokens[position + 1].content))
        elif kind == "tr_close":
            rows.append(tuple(row))
            row = []
        elif kind == "table_close":
            for line in table(rows):
                screen.paragraph(line, indent) if len(line) > screen.width else screen.line(
                    line, indent=indent
                )
            rows = []
        elif kind == "inline" and not row:
            screen.paragraph(cited(token.content), indent + 3 * max(0, len(numbers) - 1), first=first)
            first = ""
        elif kind in ("fence", "code_block"):
            for line in token.content.rstrip("\n").splitlines():
                screen.line(line, "green", indent + 4)
        elif kind == "footnote_block_open":
            break
        position += 1
