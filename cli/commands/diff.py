"""``gpudoctor diff``: what changed between two captures, sessions or facts files, and which change does harm."""

from __future__ import annotations

import argparse
from typing import Any

from ...engine.session.change import difference
from ...engine.session.identity import OTHER, SAME
from ..errors import DIAGNOSED, OK
from ..inputs.knowledge import load_knowledge
from ..inputs.snapshots import snapshot
from ..output import as_json, width_of, write
from ..render.screen import Screen

_FULL = 40


def diff(arguments: argparse.Namespace) -> int:
    """Compare and print; exit 1 where a change is known to do harm."""
    knowledge = load_knowledge(arguments.kb)
    before, now = snapshot(knowledge, arguments.before), snapshot(knowledge, arguments.after)
    document = difference(knowledge, before, now).to_dict()
    write(arguments, as_json(document) if arguments.format == "json" else _screen(document, arguments))
    return DIAGNOSED if any(change["known"] for change in document["changes"]) else OK


def _screen(document: dict[str, Any], arguments: argparse.Namespace) -> Screen:
    screen = Screen(width_of(arguments))
    changes = document["changes"]
    machine = document["machine"]
    screen.line(f"{len(changes)} CHANGE{'' if len(changes) == 1 else 'S'}", "bold")
    if machine["is"] != SAME:
        style = "bold yellow" if machine["is"] == OTHER else "dim"
        screen.paragraph(f"Machine: {machine['why']}", 2, style)
    for change in changes[: None if arguments.full else _FULL]:
        known = change["known"]
        words = f"{_said(change['before'])} -> {_said(change['now'])}"
        screen.paragraph(words, 2, "bold red" if known else "", f"{change['fact']:28} ")
        for finding in known:
            screen.paragraph(f"{finding['id']}: {finding['title']}", 6, "", f"{finding['severity']}: ")
            if finding["fix"]:
                screen.paragraph(finding["fix"], 8, "dim")
    if len(changes) > _FULL and not arguments.full:
        screen.paragraph(f"and {len(changes) - _FULL} more (--full)", 2, "dim")
    for key, words in (("only_before", "known before only"), ("only_now", "known now only")):
        if document[key]:
            screen.paragraph(", ".join(document[key]), 2, "dim", f"{words}: ")
    return screen


def _said(value: str | None) -> str:
    return "not set" if value is None else value
