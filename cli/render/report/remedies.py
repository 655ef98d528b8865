"""What to do: the remedies that apply with their steps, then those that do not with the reason."""

from __future__ import annotations

from ..words import VARIANTS
from .blocks import (
    INNER,
    LINK,
    MARKDOWN,
    STRESSED,
    TERMINAL,
    Block,
    Commands,
    Heading,
    Instruction,
    Json,
    Line,
    Numbered,
    Paragraph,
    Report,
    Space,
    Span,
    text,
)

MOST_REMEDIES = 4


def what_to_do(report: Report) -> list[Block]:
    """The remedies of the incident that leads."""
    if report.leading is None:
        return []
    listed = report.leading["remedies"]
    rest = [remedy for remedy in listed if ("remedy", remedy["id"]) not in report.shown]
    if listed and not rest:
        return []
    return [Heading(report.say("What to do")), *remedies(report, rest)]


def remedies(report: Report, listed: list[Json]) -> list[Block]:
    """Remedies in the order of the knowledge base; those beyond the first few by name."""
    say = report.say
    applying = [remedy for remedy in listed if remedy["applies"]]
    out: list[Block] = []
    for number, remedy in enumerate(applying[:MOST_REMEDIES], start=1):
        out += [Space()] if number > 1 else []
        out += _remedy(report, number, remedy)
    for remedy in applying[MOST_REMEDIES:]:
        named = text(f"{say(remedy['title'])} ({remedy['id']})")
        out.append(Paragraph(named, say("also: "), only=TERMINAL))
    for remedy in listed:
        if not remedy["applies"]:
            told = text(f"{say(remedy['title'])}: {hindrances(report, remedy)}")
            out.append(Paragraph(told, say("not here: "), "dim", only=TERMINAL))
    if not listed:
        out.append(Paragraph(text(say("No remedy is known.")), only=TERMINAL))
    return out


def hindrances(report: Report, remedy: Json) -> str:
    """Why a remedy does not apply here, in the language of the report."""
    whole: str = remedy["why_not"]
    told: str = report.say(whole)
    return told if told != whole else "; ".join(map(report.say, whole.split("; ")))


def _remedy(report: Report, number: int, remedy: Json) -> list[Block]:
    say, page = report.say, remedy.get("page", "")
    needs = ", ".join(map(say, remedy["needs"]))
    facts = [say("risk: ") + say(remedy["risk"])]
    facts += [say("needs: ") + needs] if needs else []
    facts += [say("cost: ") + say(remedy["cost"])] if remedy["cost"] else []
    brief = f"{remedy['kind']}, risk: {remedy['risk']}"
    brief += f"; needs {', '.join(remedy['needs'])}" if needs else ""
    out: list[Block] = [
        Numbered(number, Span(say(remedy["title"]), LINK, "bold", page), say(remedy["kind"])),
        Paragraph(text("; ".join(facts)), tone="dim", depth=INNER, only=TERMINAL),
        Paragraph((Span(brief, STRESSED),), only=MARKDOWN),
    ]
    if remedy["danger"]:
        out.append(Paragraph(text(say(remedy["danger"])), say("DANGER") + ": ", "bold red", INNER))
    if page:
        out.append(Line((Span(page, tone="dim"),), INNER, only=TERMINAL))
    variant = ""
    for place, step in enumerate(remedy["steps"], start=1):
        if step["variant"] != variant:
            variant = step["variant"]
            runtime = say(VARIANTS.get(variant, variant)) + ":"
            out.append(Line((Span(runtime, tone="italic"),), INNER, only=TERMINAL))
        out.append(Instruction(place, say(step["text"])))
        out += [Commands(command, of_step=True) for command in step["commands"]]
    for label, entries in (("Verify", remedy["verify"]), ("Undo", remedy["undo"])):
        for place, entry in enumerate(entries):
            words, _, commands = entry.partition("\n")
            out.append(Paragraph(text(say(words)), f"{say(label)}: ", depth=INNER, repeated=place > 0))
            out += [Commands(commands)] if commands else []
    if remedy["sources"]:
        marks = " ".join(f"[{report.cite(source['url'])}]" for source in remedy["sources"])
        out.append(Paragraph(text(f"{say('sources')} {marks}"), tone="dim", depth=INNER, only=TERMINAL))
    return out
