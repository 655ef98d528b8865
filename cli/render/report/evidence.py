"""What else there is: other incidents, contradictions, what is ruled out, not explained, not known, and to ask."""

from __future__ import annotations

from ....engine.patterns import lazy_pattern
from ..words import show
from .blocks import (
    DEEP,
    LINK,
    MARKDOWN,
    NAME,
    QUOTED,
    TERMINAL,
    VALUE,
    Block,
    Candidate,
    Heading,
    Item,
    Json,
    Line,
    Paragraph,
    Report,
    Span,
    equals,
    joined,
    text,
)
from .leading import STANDINGS, where

MOST_LISTED = 10
MOST_IN_BRIEF = 2
_SENTENCE = lazy_pattern(r"(?<=[.!?。])\s+")


def others(report: Report) -> list[Block]:
    """The incidents that stand beside the one that leads, or all where none does."""
    beside = report.leading is not None
    if not report.others:
        return []
    heading = Heading(report.say("Also possible" if beside else "Possible"))
    return [heading, *(_candidate(report, incident, beside) for incident in report.others)]


def _candidate(report: Report, incident: Json, beside: bool) -> Candidate:
    say = report.say
    details = [
        Paragraph(text(one["text"]), say("known issue of "), "dim", DEEP)
        for one in incident.get("affects", ())
    ]
    if incident.get("nodes"):
        details.append(Paragraph(text(where(incident)), tone="bold", depth=DEEP))
    if incident["because"]:
        known = ", ".join(f"{r['fact']} = {show(r['value'])}" for r in incident["because"][:3])
        details.append(Paragraph(text(known), say("because "), "dim", DEEP))
    if incident["open"]:
        details.append(Paragraph(text(", ".join(incident["open"][:4])), say("open: "), "dim", DEEP))
    first = next((remedy for remedy in incident["remedies"] if remedy["applies"]), None)
    if first and (not beside or incident.get("nodes")):
        told = f"{say(first['title'])} (gpudoctor explain {first['id']})"
        details.append(Paragraph(text(told), say("first: "), depth=DEEP))
    return Candidate(
        Span(say(incident["standing"]), tone=STANDINGS[incident["standing"]]),
        Span(incident["id"], NAME, "bold"),
        Span(say(incident["title"]), LINK, target=incident.get("page", "")),
        incident["nodes"]["hosts"] if incident.get("nodes") else "",
        tuple(details),
    )


def contradictions(report: Report) -> list[Block]:
    """Facts on which sources disagree: what is used, and against what."""
    found: list[Block] = []
    for fact in report.document["facts"]:
        if fact.get("conflicts"):
            against = joined([_side(other) for other in fact["conflicts"]], "; ")
            name = Span(fact["name"], NAME)
            found.append(Item((name, Span(": "), *_side(fact), Span(" is used, against "), *against)))
    return _under("Contradictions", report, found)


def _side(said: Json) -> tuple[Span, ...]:
    origin = said["from"][0]
    return Span(show(said["value"]), VALUE), Span(f" ({origin['kind']} {origin['where']}".rstrip() + ")")


def ruled_out(report: Report) -> list[Block]:
    """Incidents that had evidence, and what speaks against them."""
    found: list[Block] = [
        Item(
            (
                Span(report.say(entry["title"]), LINK, target=entry.get("page", "")),
                Span(" ("),
                Span(entry["id"], NAME),
                Span("): "),
                *joined([equals(reason) for reason in entry["because"]]),
            )
        )
        for entry in report.document["ruled_out"]
    ]
    return _under("Ruled out", report, found)


def signs(report: Report) -> list[Block]:
    """Signs of trouble where no incident stands: they are what there is to say, so they come first."""
    return [] if report.document["incidents"] else _under("Signs of trouble", report, _signs(report))


def unexplained(report: Report) -> list[Block]:
    """Signs of trouble that no incident accounts for."""
    if not report.document["incidents"]:
        return []
    return _under("Not explained by anything above", report, _signs(report), "Not explained")


def _signs(report: Report) -> list[Block]:
    entries = report.document["unexplained"]
    found: list[Block] = []
    for entry in entries[:MOST_LISTED]:
        place = (Span(entry["where"]), Span(": ")) if entry["where"] else ()
        means = entry.get("means", "")
        notes = (
            Span(f"{report.say(means)} (gpudoctor explain {entry['fact']})", tone="dim"),
        ) if means else ()  # fmt: skip
        found.append(Item((*place, Span(entry["text"] or entry["fact"], QUOTED)), notes))
    if len(entries) > MOST_LISTED:
        more = text(f"... and {len(entries) - MOST_LISTED} more")
        found.append(Line(more, depth=1, only=TERMINAL))
    return found


def meanings(report: Report) -> list[Block]:
    """What single signs mean and what to do about them first."""
    found: list[Block] = []
    for one in report.document.get("meanings", [])[:MOST_LISTED]:
        notes = [Span(report.say(one["meaning"]))]
        notes += [Span(f"{report.say('First:')} {report.say(one['first'])}")] if one["first"] else []
        found.append(Item(_named(report, one), tuple(notes)))
    return _under("What the signs mean", report, found)


def meanings_in_brief(report: Report) -> list[Block]:
    """The same in two lines each, where no incident leads."""
    return (
        []
        if report.leading
        else _meanings_in_brief(report, report.document.get("meanings", []), MOST_IN_BRIEF)
    )


def values_in_brief(report: Report) -> list[Block]:
    """Beside an incident that leads: only ranks, hung tools, and what the driver asks for."""
    listed = [one for one in report.document.get("meanings", []) if one["value"] is not True]
    return _meanings_in_brief(report, listed, 1) if report.leading else []


def _meanings_in_brief(report: Report, listed: list[Json], most: int) -> list[Block]:
    found: list[Block] = []
    told: set[str] = set()
    for one in listed[:most]:
        said = _SENTENCE.split(report.say(one["first"] or one["meaning"]))[0]
        fresh = said not in told  # codes of one kind ask for the same
        told.add(said)
        found.append(Item(_named(report, one), (Span(said),) if fresh else ()))
    return _under("What the signs mean", report, found)


def _named(report: Report, one: Json) -> tuple[Span, ...]:
    value = "" if one["value"] is True else f": {show(one['value'])}"
    return (Span(report.say(one["title"])), Span(value), Span(" ("), Span(one["fact"], NAME), Span(")"))


def warnings(report: Report) -> list[Block]:
    """Remarks on single environment variables."""
    found: list[Block] = [
        Item((Span(f"{one['fact'].removeprefix('env.')}={one['value']}", QUOTED), Span(f": {one['text']}")))
        for one in report.document.get("warnings", [])
    ]
    return _under("Environment variables to look at", report, found)


def doubts(report: Report) -> list[Block]:
    """What was read in somebody's words with doubt."""
    found: list[Block] = [
        Item((Span(report.say(one["means"])), Span(" ("), Span(one["fact"], NAME), Span(")")),
             (Span(f"{one['where']}: ", tone="dim"), Span(one["text"], QUOTED)))
        for one in report.document.get("doubts", [])[:MOST_LISTED]
    ]  # fmt: skip
    return _under("Read with doubt", report, found)


def gaps(report: Report) -> list[Block]:
    """What could not be established, and why."""
    found: list[Block] = [
        Item((Span(gap["fact"], NAME), Span(f": {gap['reason']}")))
        for gap in report.document["gaps"][:MOST_LISTED]
    ]
    return _under("Could not be established", report, found)


def next_questions(report: Report) -> list[Block]:
    """What to ask or measure next, and what it is worth."""
    found: list[Block] = []
    for question in report.document["next"]:
        if ("question", question["fact"]) in report.shown:
            continue
        detail = f"{question['fact']}; worth {question['gain_bits']:.2g} bits"
        if question["choices"]:
            detail += "; one of " + ", ".join(question["choices"])
        name = (
            Span(" (", only=MARKDOWN),
            Span(question["fact"], NAME, only=MARKDOWN),
            Span(")", only=MARKDOWN),
        )
        notes = (Span(detail, tone="dim", only=TERMINAL),)
        found.append(Item((Span(report.say(question["text"])), *name), notes))
    return _under("What would settle it", report, found)


def _under(title: str, report: Report, found: list[Block], brief: str = "") -> list[Block]:
    """Blocks under a heading, which is left out with them."""
    return [Heading(report.say(title), brief), *found] if found else []
