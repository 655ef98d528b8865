"""What leads: the verdict with its incident, the cause, and why."""

from __future__ import annotations

from ...content.grades import GRADES
from .blocks import (
    ADDRESS,
    MARKDOWN,
    NAME,
    QUOTED,
    STRONG,
    TERMINAL,
    Block,
    Heading,
    Item,
    Json,
    Line,
    Paragraph,
    Report,
    Space,
    Span,
    Title,
    equals,
    text,
)

VERDICTS = {
    "diagnosed": ("DIAGNOSED", "bold green"),
    "narrowed": ("NARROWED DOWN", "bold yellow"),
    "insufficient evidence": ("NOT ENOUGH EVIDENCE", "bold yellow"),
    "no known incident": ("NO KNOWN INCIDENT", "bold cyan"),
}
STANDINGS = {"confirmed": "bold green", "likely": "bold yellow", "possible": "cyan"}
_QUOTED = 140
"""Characters of a log's line on a terminal."""


def verdict(report: Report) -> list[Block]:
    """What this is, or that it is not known."""
    document, say, first = report.document, report.say, report.leading
    word, tone = VERDICTS[document["verdict"]]
    out: list[Block] = [Line((Span(say(word), tone=tone),), only=TERMINAL)]
    if first is None:
        told = say(nothing(document))
        out += [Title(document["verdict"].capitalize()), Paragraph(text(told), only=TERMINAL)]
        return out if document["incidents"] else [*out, Paragraph(text(told), only=MARKDOWN)]
    standing = say(first["standing"])
    out += [
        Title(first["title"]),
        Paragraph(text(say(first["title"])), tone="bold", depth=0, only=TERMINAL),
        Line(
            (Span(standing, tone=STANDINGS[first["standing"]]), Span(f" · {first['id']}", tone="dim")),
            wrap=True,
            only=TERMINAL,
        ),
        Paragraph(
            (
                Span(standing.capitalize(), STRONG),
                Span(" ("),
                Span(first["id"], NAME),
                Span(f"). {say(first['summary'])}"),
            ),
            only=MARKDOWN,
        ),
    ]
    for one in first.get("affects", ()):
        out.append(Paragraph(text(f"Known issue of {one['text']}."), only=MARKDOWN))
    if "page" in first:
        out.append(Line((Span(first["page"], ADDRESS, "dim"),)))
    if first.get("nodes"):
        out.append(Paragraph(text(where(first)), tone="bold", depth=0, only=TERMINAL))
        hosts = Span(first["nodes"]["hosts"], QUOTED)
        out.append(Paragraph((Span("Nodes:", STRONG), Span(" "), hosts), only=MARKDOWN))
    return out


def nothing(document: Json) -> str:
    """The sentence for a diagnosis in which no incident leads."""
    if document["verdict"] == "no known incident":
        return "There is enough evidence, but no incident in the knowledge base fits it."
    if document["incidents"]:
        return "The known facts fit several incidents and do not decide between them. This is not a sign of health."
    if document["unexplained"]:
        return "There are signs of trouble, but no incident in the knowledge base explains them."
    if any(fact["name"] == "gpu.count" and fact["value"] == 0 for fact in document["facts"]):
        return "There is no GPU here, so there was nothing to examine. This is not a sign of health."
    return "Nothing in the input points to a known incident. This is not a sign of health."


def where(incident: Json) -> str:
    """The nodes that an incident concerns, or nothing where it concerns all."""
    nodes = incident.get("nodes")
    return f"on {nodes['hosts']}" if nodes else ""


def cause(report: Report) -> list[Block]:
    """One sentence of cause; Markdown has it behind the standing."""
    first = report.leading
    if first is None:
        return []
    known = report.say("known issue of ")
    affected = [Paragraph(text(one["text"]), known, only=TERMINAL) for one in first.get("affects", ())]
    marks = [f"[{report.cite(url)}]" for url in first.get("cited", ())]
    graded = report.say(GRADES[first["evidence"]])
    return [
        Space(),
        *affected,
        Paragraph(text(" ".join((report.say(first["summary"]), *marks))), only=TERMINAL),
        Paragraph(text(graded), report.say("evidence: "), "dim", only=TERMINAL),
    ]


def why(report: Report) -> list[Block]:
    """The facts under a standing, each with where it came from."""
    if report.leading is None:
        return []
    reasons = [one for one in report.leading["because"] if ("reason", one["fact"]) not in report.shown]
    found = [_reason(report, reason) for reason in reasons]
    return [Heading(report.say("Why")), *found] if found else []


def _reason(report: Report, reason: Json) -> Item:
    how = reason["slot"] if not reason["weight"] else f"{reason['weight']} sign"
    how = report.say({"confirms": "proof", "requires": "required"}.get(how, how))
    aside = [Span(f"  ({how})", tone="dim", only=TERMINAL)]
    notes = []
    for origin in reason.get("from", [])[:1]:
        kind = report.say({"answer": "answered", "file": "facts file"}.get(origin["kind"], origin["kind"]))
        said = origin["text"] if len(origin["text"]) <= _QUOTED else origin["text"][:_QUOTED] + "..."
        place = ": ".join(filter(None, (f"{kind} {origin['where']}".strip(), said)))
        notes.append(Span(place, tone="dim", only=TERMINAL))
        if origin["where"]:
            aside.append(Span(f" ({origin['where']})", only=MARKDOWN))
        if origin["text"]:
            notes.append(Span(origin["text"], QUOTED, only=MARKDOWN))
    return Item((*equals(reason, "bold"), *aside), tuple(notes), notes_indent=6)
