"""The end: sources, all facts, which knowledge this was, and notes on the run."""

from __future__ import annotations

from ..words import show
from .blocks import (
    ADDRESS,
    MARKDOWN,
    NAME,
    TERMINAL,
    VALUE,
    Block,
    Heading,
    Item,
    Json,
    Line,
    Paragraph,
    Report,
    Space,
    Span,
    Table,
    text,
)


def sources(report: Report) -> list[Block]:
    """Every address that was cited above, with its number, and those of the incident that leads."""
    incidents = report.document["incidents"]
    own = [source["url"] for source in report.leading["sources"]] if report.leading else []
    for url in own:
        report.cite(url)
    known = {s["url"]: s for i in incidents for s in i["sources"]}
    known |= {s["url"]: s for i in incidents for r in i["remedies"] for s in r["sources"]}
    # Without numbers in its text, Markdown names the sources of the incident alone.
    named = [url for url in dict.fromkeys(own) if ("source", url) not in report.shown]
    if not report.citations:
        return []
    out: list[Block] = [Heading(report.say("Sources"), only="" if named else TERMINAL)]
    for url, number in report.citations.items():
        out.append(Line(text(f"[{number}] {url}{_kind(known.get(url))}"), depth=1, only=TERMINAL))
    return [*out, *(Item((Span(url, ADDRESS),), only=MARKDOWN) for url in named)]


def _kind(source: Json | None) -> str:
    return f" ({source['kind']} {source['date']})".replace(" )", ")") if source else ""


def facts(report: Report) -> list[Block]:
    """Everything that is known, as a table."""
    rows = []
    for fact in report.document["facts"]:
        origin = fact["from"][0]
        place = f"{origin['kind']} {origin['where']}".strip()
        rows.append((Span(fact["name"], NAME), Span(show(fact["value"]), VALUE), Span(place, VALUE)))
    return [Table("Facts", ("fact", "value", "from"), tuple(rows))]


def footer(report: Report) -> list[Block]:
    """The knowledge base, the engine, and what the run has to say of itself."""
    kb, engine = report.document["kb"], report.document["engine"]
    count = f"{kb['incidents']} incidents, {kb['known_issues']} known issues"
    long = f"knowledge base {kb['version']} ({kb['digest']}, {count}); rules: {engine}"
    short = f"Knowledge base {kb['version']} ({kb['digest']}), rules: {engine}."
    return [
        Space(),
        Paragraph(text(long), tone="dim", depth=0, only=TERMINAL),
        Paragraph(text(short), depth=0, only=MARKDOWN),
        *(Paragraph(text(note), tone="dim", depth=0) for note in report.document["notes"]),
    ]
