"""A diagnosis as text for a terminal: verdict first, then why, then what to do."""

from __future__ import annotations

from typing import Any

from .fleettext import nodes_section, where
from .language import ENGLISH, Language
from .paint import Sheet, columns

Json = dict[str, Any]

_VERDICTS = {
    "diagnosed": ("DIAGNOSED", "bold green"),
    "narrowed": ("NARROWED DOWN", "bold yellow"),
    "insufficient evidence": ("NOT ENOUGH EVIDENCE", "bold yellow"),
    "no known incident": ("NO KNOWN INCIDENT", "bold cyan"),
}
_STYLES = {"confirmed": "bold green", "likely": "bold yellow", "possible": "cyan"}
VARIANTS = {
    "bare": "On the machine itself",
    "systemd": "systemd service",
    "docker": "Docker or Podman",
    "compose": "Compose",
    "kubernetes": "Kubernetes",
    "slurm": "Slurm",
    "ray": "Ray",
}
"""What a runtime is called over its steps."""
MOST_REMEDIES = 4
_QUOTED = 140


def text_report(
    diagnosis: Json, width: int = 80, language: Language = ENGLISH, in_chat: bool = False
) -> Sheet:
    """Lay the diagnosis out; in a conversation without the remedies, which come one at a time there, and
    without what the next question will be about anyway."""
    sheet = Sheet(width, language)
    urls: dict[str, int] = {}
    word, style = _VERDICTS[diagnosis["verdict"]]
    incidents = diagnosis["incidents"]
    if incidents and incidents[0]["standing"] != "possible":
        first = incidents[0]
        sheet.line(sheet.say(word), style)
        sheet.paragraph(sheet.say(first["title"]), 0, "bold")
        sheet.spans((sheet.say(first["standing"]), _STYLES[first["standing"]]), (f" · {first['id']}", "dim"))
        if "page" in first:
            sheet.line(first["page"], "dim")
        if first.get("nodes"):
            sheet.paragraph(where(first), 0, "bold")
        if "fleet" in diagnosis:
            nodes_section(sheet, diagnosis["fleet"])
        _incident(sheet, first, urls, in_chat)
        others = incidents[1:]
    else:
        sheet.line(sheet.say(word), style)
        sheet.paragraph(sheet.say(nothing(diagnosis)), 2)
        if "fleet" in diagnosis:
            nodes_section(sheet, diagnosis["fleet"])
        others = incidents
    if others:
        _others(sheet, others, bool(incidents) and incidents[0] not in others)
    _conflicts(sheet, diagnosis["facts"])
    _ruled_out(sheet, diagnosis["ruled_out"])
    _unexplained(sheet, diagnosis["unexplained"])
    _warnings(sheet, diagnosis.get("warnings", []))
    if in_chat:
        return sheet
    _gaps(sheet, diagnosis["gaps"])
    _next(sheet, diagnosis["next"])
    _sources(sheet, incidents, urls)
    _footer(sheet, diagnosis)
    return sheet


def nothing(diagnosis: Json) -> str:
    """The sentence for a diagnosis in which no incident leads."""
    if diagnosis["verdict"] == "no known incident":
        return "The evidence is there, and no incident of the knowledge base fits it."
    if diagnosis["incidents"]:
        return "What is known fits several incidents and decides for none. This is not a sign of health."
    if any(fact["name"] == "gpu.count" and fact["value"] == 0 for fact in diagnosis["facts"]):
        return "There is no GPU here, so there was nothing to examine. This is not a sign of health."
    return "Nothing in the input speaks for a known incident. This is not a sign of health."


def _incident(sheet: Sheet, incident: Json, urls: dict[str, int], in_chat: bool) -> None:
    sheet.line()
    sheet.paragraph(sheet.say(incident["summary"]), 2)
    sheet.heading(sheet.say("Why"))
    reasons(sheet, incident)
    if in_chat:
        return
    sheet.heading(sheet.say("What to do"))
    remedies(sheet, incident["remedies"], urls)


def reasons(sheet: Sheet, incident: Json) -> None:
    """The facts under a standing, each with where it came from."""
    for reason in incident["because"]:
        how = reason["slot"] if not reason["weight"] else f"{reason['weight']} sign"
        how = sheet.say({"confirms": "proof", "requires": "required"}.get(how, how))
        sheet.spans(
            ("- ", ""),
            (f"{reason['fact']} = {show(reason['value'])}", "bold"),
            (f"  ({how})", "dim"),
            indent=2,
        )
        for origin in reason.get("from", [])[:1]:
            where = sheet.say(
                {"answer": "answered", "file": "facts file"}.get(origin["kind"], origin["kind"])
            )
            said = origin["text"] if len(origin["text"]) <= _QUOTED else origin["text"][:_QUOTED] + "..."
            sheet.paragraph(": ".join(filter(None, (f"{where} {origin['where']}".strip(), said))), 6, "dim")


def show(value: Any) -> str:
    """A fact's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def remedies(sheet: Sheet, listed: list[Json], urls: dict[str, int]) -> None:
    """Remedies that apply, with their steps; then those that do not, with the reason."""
    applying = [r for r in listed if r["applies"]]
    for number, remedy in enumerate(applying[:MOST_REMEDIES], start=1):
        if number > 1:
            sheet.line()
        _remedy(sheet, number, remedy, urls)
    for remedy in applying[MOST_REMEDIES:]:
        sheet.paragraph(f"{sheet.say(remedy['title'])} ({remedy['id']})", 2, first=sheet.say("also: "))
    for remedy in listed:
        if not remedy["applies"]:
            sheet.paragraph(
                f"{sheet.say(remedy['title'])}: {remedy['why_not']}", 2, "dim", sheet.say("not here: ")
            )
    if not listed:
        sheet.paragraph(sheet.say("No remedy is known."), 2)


def _remedy(sheet: Sheet, number: int, remedy: Json, urls: dict[str, int]) -> None:
    sheet.spans(
        (f"{number}. ", "bold"),
        (sheet.say(remedy["title"]), "bold"),
        (f"  [{sheet.say(remedy['kind'])}]", "cyan"),
        indent=2,
    )
    facts = [sheet.say("risk: ") + remedy["risk"]]
    if remedy["needs"]:
        facts.append(sheet.say("needs: ") + ", ".join(remedy["needs"]))
    if remedy["cost"]:
        facts.append(sheet.say("cost: ") + remedy["cost"])
    sheet.paragraph("; ".join(facts), 5, "dim")
    if remedy["danger"]:
        sheet.paragraph(remedy["danger"], 5, "bold red", sheet.say("DANGER") + ": ")
    if "page" in remedy:
        sheet.line(remedy["page"], "dim", 5)
    variant = ""
    for place, step in enumerate(remedy["steps"], start=1):
        if step["variant"] != variant:
            variant = step["variant"]
            sheet.line(sheet.say(VARIANTS.get(variant, variant)) + ":", "italic", 5)
        sheet.paragraph(step["text"], 5, first=f"{place}) ")
        for command in step["commands"]:
            for line in command.splitlines():
                sheet.line(line, "green", 10)
    for label, entries in (("Verify", remedy["verify"]), ("Undo", remedy["undo"])):
        _entries(sheet, sheet.say(label), entries)
    marks = " ".join(f"[{_cite(urls, s['url'])}]" for s in remedy["sources"])
    if marks:
        sheet.paragraph(f"{sheet.say('sources')} {marks}", 5, "dim")


def _entries(sheet: Sheet, label: str, entries: list[str]) -> None:
    for place, entry in enumerate(entries):
        text, *commands = entry.split("\n")
        sheet.paragraph(text, 5, first=f"{label}: " if place == 0 else " " * (columns(label) + 2))
        for command in commands:
            sheet.line(command, "green", 10)


def _cite(urls: dict[str, int], url: str) -> int:
    return urls.setdefault(url, len(urls) + 1)


def _others(sheet: Sheet, incidents: list[Json], beside: bool) -> None:
    sheet.heading(sheet.say("Also possible" if beside else "Possible"))
    for incident in incidents:
        standing = (sheet.say(incident["standing"]).ljust(9) + " ", _STYLES[incident["standing"]])
        sheet.spans(standing, (incident["id"], "bold"), indent=2)
        sheet.paragraph(sheet.say(incident["title"]), 12)
        if incident.get("nodes"):
            sheet.paragraph(where(incident), 12, "bold")
        if incident["because"]:
            known = ", ".join(f"{r['fact']} = {show(r['value'])}" for r in incident["because"][:3])
            sheet.paragraph(known, 12, "dim", sheet.say("because "))
        if incident["open"]:
            sheet.paragraph(", ".join(incident["open"][:4]), 12, "dim", sheet.say("open: "))
        first = next((r for r in incident["remedies"] if r["applies"]), None)
        if first and (not beside or incident.get("nodes")):
            sheet.paragraph(
                f"{sheet.say(first['title'])} (gpudoctor explain {first['id']})",
                12,
                first=sheet.say("first: "),
            )


def _conflicts(sheet: Sheet, facts: list[Json]) -> None:
    conflicting = [f for f in facts if f.get("conflicts")]
    if conflicting:
        sheet.heading(sheet.say("Contradictions"))
    for fact in conflicting:
        kept = fact["from"][0]
        lost = "; ".join(
            f"{show(c['value'])} ({c['from'][0]['kind']} {c['from'][0]['where']})" for c in fact["conflicts"]
        )
        where = f"{kept['kind']} {kept['where']}".strip()
        sheet.paragraph(
            f"{fact['name']}: {show(fact['value'])} ({where}) is used, against {lost}", 2, first="- "
        )


def _ruled_out(sheet: Sheet, entries: list[Json]) -> None:
    if entries:
        sheet.heading(sheet.say("Ruled out"))
    for entry in entries:
        because = ", ".join(f"{r['fact']} = {show(r['value'])}" for r in entry["because"])
        sheet.paragraph(f"{sheet.say(entry['title'])} ({entry['id']}): {because}", 2, first="- ")


def _unexplained(sheet: Sheet, entries: list[Json]) -> None:
    if entries:
        sheet.heading(sheet.say("Not explained by anything above"))
    for entry in entries[:10]:
        text = entry["text"] or entry["fact"]
        sheet.paragraph(f"{entry['where']}: {text}" if entry["where"] else text, 2, first="- ")
    if len(entries) > 10:
        sheet.line(f"... and {len(entries) - 10} more", indent=2)


def _warnings(sheet: Sheet, warnings: list[Json]) -> None:
    if warnings:
        sheet.heading(sheet.say("Environment variables to look at"))
    for warning in warnings:
        name = warning["fact"].removeprefix("env.")
        sheet.paragraph(f"{name}={warning['value']}: {warning['text']}", 2, first="- ")


def _gaps(sheet: Sheet, gaps: list[Json]) -> None:
    if gaps:
        sheet.heading(sheet.say("Could not be established"))
        for gap in gaps[:10]:
            sheet.paragraph(f"{gap['fact']}: {gap['reason']}", 2, first="- ")


def _next(sheet: Sheet, questions: list[Json]) -> None:
    if questions:
        sheet.heading(sheet.say("What would settle it"))
    for question in questions:
        sheet.paragraph(sheet.say(question["text"]), 2, first="- ")
        detail = f"{question['fact']}; worth {question['gain_bits']:.2g} bits"
        if question["choices"]:
            detail += "; one of " + ", ".join(question["choices"])
        sheet.paragraph(detail, 4, "dim")


def _sources(sheet: Sheet, incidents: list[Json], urls: dict[str, int]) -> None:
    if incidents and incidents[0]["standing"] != "possible":
        for source in incidents[0]["sources"]:
            _cite(urls, source["url"])
    if urls:
        sheet.heading(sheet.say("Sources"))
    kinds = {s["url"]: s for i in incidents for s in i["sources"]}
    kinds.update({s["url"]: s for i in incidents for r in i["remedies"] for s in r["sources"]})
    for url, number in urls.items():
        source = kinds.get(url)
        sheet.line(
            f"[{number}] {url}"
            + (f" ({source['kind']} {source['date']})".replace(" )", ")") if source else ""),
            indent=2,
        )


def _footer(sheet: Sheet, diagnosis: Json) -> None:
    sheet.line()
    kb = diagnosis["kb"]
    sheet.paragraph(
        f"knowledge base {kb['version']} ({kb['digest']}, {kb['incidents']} incidents); "
        f"rules: {diagnosis['engine']}",
        0,
        "dim",
    )
    for note in diagnosis["notes"]:
        sheet.paragraph(note, 0, "dim")
