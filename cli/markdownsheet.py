"""Markdown of the knowledge base laid out for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from ..engine.markdown import plain
from .paint import Sheet, table
from .textreport import VARIANTS


def lay_out(sheet: Sheet, tokens: Sequence[Token], indent: int = 2) -> None:
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
            sheet.line()
            sheet.line(text, "bold" if level == 2 else "italic", 0 if level == 2 else indent)
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
            row.append(plain(tokens[position + 1].content))
        elif kind == "tr_close":
            rows.append(tuple(row))
            row = []
        elif kind == "table_close":
            for line in table(rows):
                sheet.paragraph(line, indent) if len(line) > sheet.width else sheet.line(line, indent=indent)
            rows = []
        elif kind == "inline" and not row:
            sheet.paragraph(plain(token.content), indent + 3 * max(0, len(numbers) - 1), first=first)
            first = ""
        elif kind in ("fence", "code_block"):
            for line in token.content.rstrip("\n").splitlines():
                sheet.line(line, "green", indent + 4)
        elif kind == "footnote_block_open":
            break
        position += 1
