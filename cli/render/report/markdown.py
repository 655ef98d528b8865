"""The blocks of a report as Markdown, fit for pasting into an issue tracker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ...language import ENGLISH
from .blocks import (
    ADDRESS,
    BODY,
    LINK,
    MARKDOWN,
    NAME,
    QUOTED,
    STRESSED,
    STRONG,
    VALUE,
    Block,
    Candidate,
    Clipped,
    Commands,
    Fold,
    Heading,
    Instruction,
    Item,
    Json,
    Line,
    Numbered,
    Paragraph,
    Report,
    Section,
    Span,
    Table,
    Title,
    Unfold,
)
from .forms import BRIEF_ISSUE, blocks


def markdown_report(document: Json, form: tuple[Section, ...] = BRIEF_ISSUE) -> str:
    """The diagnosis as a Markdown document."""
    return written(blocks(Report(document, ENGLISH.say), form, MARKDOWN))


def written(listed: Iterable[Block]) -> str:
    """Blocks as Markdown: those of one list on neighbouring lines, an empty line between all others."""
    out: list[str] = []
    before = ""
    for block in listed:
        lines, kind = _lines(block)
        if out and not (kind and kind == before):
            out.append("")
        out += lines
        before = kind
    return "\n".join(out).rstrip() + "\n"


def _lines(block: Block) -> tuple[list[str], str]:
    """The lines of a block, and the list to which it belongs, if to one."""
    if isinstance(block, Title):
        return [f"## gpudoctor: {escape(block.text)}"], ""
    if isinstance(block, Heading):
        return [f"### {block.brief or block.text}"], ""
    if isinstance(block, Line):
        return [_inline(block.spans)], ""
    if isinstance(block, Paragraph):
        label = f"**{block.label.strip().rstrip(':').capitalize()}:** " if block.label else ""
        return [label + _inline(block.spans)], ""
    if isinstance(block, Clipped):
        return [_clipped(block)], "items"
    if isinstance(block, Fold):
        return [f"<details><summary>{block.title}</summary>"], ""
    if isinstance(block, Unfold):
        return ["</details>"], ""
    if isinstance(block, Item):
        notes = [f"  {_inline((note,))}" for note in block.notes if note.only in ("", MARKDOWN)]
        return [f"- {_inline(block.spans)}", *notes], "items"
    if isinstance(block, Candidate):
        hosts = f" on {code(block.hosts)}" if block.hosts else ""
        named = f"({_inline((block.incident,))}, {block.standing.text}){hosts}"
        return [f"- {_inline((block.title,))} {named}"], "items"
    if isinstance(block, Numbered):
        return [f"#### {block.number}. {_inline((block.title,))}"], ""
    if isinstance(block, Instruction):
        return [f"{block.number}. {escape(block.text)}"], "steps"
    if isinstance(block, Commands):
        indent = "   " if block.of_step else ""
        return [f"{indent}{line}" for line in ("```sh", *block.text.splitlines(), "```")], ""
    if isinstance(block, Table):
        return _table(block), ""
    return [], ""


def _clipped(block: Clipped) -> str:
    """An item, or what belongs to the item above."""
    label = block.label.removeprefix("- ").strip()
    told = f"{escape(label)} {_inline(block.spans)}" if label else _inline(block.spans)
    told += _inline(block.tail)
    return f"  {told}" if block.depth > BODY else f"- {told}"


def _table(block: Table) -> list[str]:
    return [
        f"<details><summary>{block.title}</summary>",
        "",
        f"| {' | '.join(block.head)} |",
        f"|{'---|' * len(block.head)}",
        *(f"| {' | '.join(_inline((cell,)).replace('|', _BAR) for cell in row)} |" for row in block.rows),
        "",
        "</details>",
    ]


_BAR = "\\|"


def _inline(spans: tuple[Span, ...]) -> str:
    return "".join(_ROLES.get(span.role, _escaped)(span) for span in spans if span.only in ("", MARKDOWN))


def escape(text: str) -> str:
    """Text in which nothing is Markdown and nobody is mentioned."""
    for mark in ("\\", "`", "*", "_", "<", "[", "@"):
        text = text.replace(mark, "\\" + mark if mark != "@" else "@\u200b")
    return re.sub(r"#(?=\d)", "#\u200b", text)  # nor another issue


def code(text: str) -> str:
    """Code in which nothing is Markdown: fenced by more backticks than stand in it."""
    text = " ".join(text.split()) or " "
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"


def _escaped(span: Span) -> str:
    return escape(span.text)


def _value(span: Span) -> str:
    """A value on one line: a line break would end the item or the row."""
    return escape(" ".join(span.text.split()))


def _link(span: Span) -> str:
    return f"[{escape(span.text)}]({span.target})" if span.target else escape(span.text)


_ROLES: dict[str, Callable[[Span], str]] = {
    NAME: lambda span: f"`{span.text}`",
    VALUE: _value,
    QUOTED: lambda span: code(span.text),
    STRONG: lambda span: f"**{escape(span.text)}**",
    STRESSED: lambda span: f"*{escape(span.text)}*",
    LINK: _link,
    ADDRESS: lambda span: f"<{span.text}>",
}
