"""What a diagnosis does wrong in a case of the knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..belief import CONFIRMED_STANDING, LIKELY, POSSIBLE
from ..knowledge.casefile import Case


def judge(case: Case, document: dict[str, Any]) -> Iterator[str]:
    """What a diagnosis does wrong in a case; nothing if it is as expected."""
    found = [(i["id"], i["standing"]) for i in document["incidents"]]
    first = found[0][0] if found else "nothing"
    standing = dict(found).get(case.incident, "")
    order = ("", POSSIBLE, LIKELY, CONFIRMED_STANDING)
    if case.kind == "match":
        if first != case.incident:
            yield f"{first} comes first"
        elif order.index(standing) < order.index(case.standing):
            yield f"it is only {standing}, not {case.standing}"
    elif case.kind == "lookalike":
        if first == case.incident and _speaks(document["incidents"][0]):
            yield "it comes first"
        elif standing in (LIKELY, CONFIRMED_STANDING):
            yield f"it is {standing}"
        if case.instead and first != case.instead:
            yield f"{first} comes first instead of {case.instead}"
    elif standing in (LIKELY, CONFIRMED_STANDING):
        yield f"it is {standing} on too little evidence"


def _speaks(incident: dict[str, Any]) -> bool:
    """Whether an entry of the page speaks for it; what only fits or resembles may be named first."""
    return any(reason["slot"] in ("confirms", "suggests") for reason in incident["because"])
