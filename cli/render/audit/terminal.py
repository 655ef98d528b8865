"""An audit on a terminal: what to do first, then the findings, the worst first."""

from __future__ import annotations

from typing import Any

from ..screen import Screen

Json = dict[str, Any]
STYLES = {
    "wrong": "bold red",
    "crash": "bold red",
    "hang": "bold red",
    "slow": "bold yellow",
    "missing": "bold yellow",
    "note": "cyan",
}
NAMES = {
    "wrong": "WRONG RESULTS",
    "crash": "CRASH",
    "hang": "HANG",
    "slow": "SLOW",
    "missing": "GPU MISSING",
    "note": "NOTE",
}
_LISTED = 8
_NAMED = 6


def terminal(document: Json, width: int, full: bool = False) -> Screen:
    """The audit laid out; without ``full`` only the worst findings are told."""
    screen = Screen(width)
    findings = document["findings"]
    screen.line(
        headline(document), "bold red" if findings else "bold green" if _enough(document) else "bold yellow"
    )
    if document["products"]:
        told = ", ".join(f"{p['title']} {p['version']}" for p in document["products"])
        screen.paragraph(told, 2, "dim", "installed: ")
    _upgrades(screen, document, full)
    shown = findings if full else findings[:_LISTED]
    for finding in shown:
        _finding(screen, finding)
    if len(findings) > len(shown):
        screen.line()
        screen.line(f"{len(findings) - len(shown)} more findings: gpudoctor audit --full", "bold")
    _rest(screen, document, full)
    return screen


def headline(document: Json) -> str:
    """The verdict in one sentence."""
    findings = document["findings"]
    if findings:
        counts: dict[str, int] = {}
        for finding in findings:
            counts[finding["severity"]] = counts.get(finding["severity"], 0) + 1
        told = ", ".join(f"{counts[name]} {NAMES[name].lower()}" for name in NAMES if name in counts)
        return f"{len(findings)} finding{'s' * (len(findings) != 1)}: {told}"
    if _enough(document):
        return "Nothing found."
    return "Too little known: nothing here says which GPUs, releases or ranks there are. This is not a sign of health."


def _enough(document: Json) -> bool:
    return bool(document["verdict"] != "too little known")


def _upgrades(screen: Screen, document: Json, full: bool) -> None:
    upgrades = document["upgrades"] if full else document["upgrades"][:_NAMED]
    if not upgrades:
        return
    screen.heading("The smallest upgrades that clear the most")
    for one in upgrades:
        cleared = len(one["clears"])
        brings = f", brings {len(one['brings'])}" if one["brings"] else ""
        leaves = f", leaves {len(one['leaves'])}" if one["leaves"] else ""
        screen.spans(
            (f"{one['title']} {one['installed']} -> {one['to']}", "bold"),
            (f"  clears {cleared}{leaves}{brings}", ""),
            indent=2,
        )
        if one["command"]:
            screen.line(one["command"], "green", 6)


def _finding(screen: Screen, finding: Json) -> None:
    screen.line()
    place = f"  {finding['where']}" if finding["where"] else ""
    screen.spans(
        (NAMES[finding["severity"]], STYLES[finding["severity"]]),
        (f"  {finding['id']}", "bold"),
        (place, "dim"),
    )
    screen.paragraph(finding["title"], 2, "bold")
    screen.paragraph(finding["what"], 2)
    screen.paragraph(finding["fix"], 2, first="fix: ")
    if finding["command"]:
        screen.line(finding["command"], "green", 6)
    if finding["leads_to"]:
        screen.line(f"gpudoctor explain {finding['leads_to']}", "dim", 2)
    for source in finding["sources"][:1]:
        screen.line(source["url"], "dim", 2)


def _rest(screen: Screen, document: Json, full: bool) -> None:
    undecided = document["undecided"]
    if undecided:
        facts = list(dict.fromkeys(fact for one in undecided for fact in one["needs"]))
        few = ", ".join(facts[:4]) + (" ..." if len(facts) > 4 else "")
        on = f"on {few}" if few else "on what the job uses, or on when they began"
        plural, verb = ("s", "depend") if len(undecided) != 1 else ("", "depends")
        screen.heading(f"{len(undecided)} more known issue{plural} {verb} {on}{'' if full else ' (--full)'}")
        for one in undecided if full else ():
            told = f" (if {', '.join(one['needs'])} fit)" if one["needs"] else ""
            screen.paragraph(f"{one['title']}{told}", 2, first=f"{one['id']}: ")
    for one in document["suppressed"]:
        screen.line()
        screen.paragraph(
            f"{one['id']} at {one['where']} until {one['until']}: {one['reason']}", 0, "dim", "suppressed: "
        )
    for note in document["notes"]:
        screen.paragraph(note, 0, "dim", "note: ")
    screen.line()
    kb = document["kb"]
    held = f"{kb['known_issues']} known issues, {kb['pitfalls']} pitfalls"
    screen.paragraph(f"knowledge base {kb['version']} ({kb['digest']}, {held})", 0, "dim")
