"""``gpudoctor verify``: after the fix, probe and test again, and say what is cured."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from ..engine import EngineError, Knowledge, Session
from ..engine.cure import (
    CANNOT_TELL,
    COPIES,
    CURED,
    NOT_CURED,
    Cure,
    facts_to_measure,
    in_question,
    judge,
    overall,
)
from ..engine.cure import side_by_side as rows_of
from ..engine.facts import PROBE, Fact, Origin, Statement
from ..engine.sessionfile import load, read, save
from .collective import options_of, test
from .diagnose import load_knowledge, read_text, write
from .errors import DIAGNOSED, INSUFFICIENT, OK, UsageError
from .paint import Sheet, terminal_width

STATUS = {CURED: OK, NOT_CURED: DIAGNOSED, CANNOT_TELL: INSUFFICIENT}
_LARGEST = 16 << 20
_STYLES = {CURED: "bold green", NOT_CURED: "bold red", CANNOT_TELL: "bold yellow"}


def verify(arguments: argparse.Namespace) -> int:
    """Measure what the session's remedies promise, judge, keep the result in the session."""
    knowledge = load_knowledge(arguments.kb)
    try:
        text = read_text(arguments.session, _LARGEST)
        before = read(knowledge, text, arguments.session, arguments.engine).session
        saved = load(knowledge, arguments.session, arguments.engine)
        for dropped in saved.dropped:  # the file is written anew, without them
            saved.session.note(dropped)
        incidents = in_question(before)
        if not incidents:
            raise UsageError(
                f"{arguments.session}: no incident stands in this session: there is nothing to verify"
            )
        facts = facts_to_measure(before, incidents)
        renew(saved.session, measured(arguments, knowledge, facts))
        cures = [judge(before, saved.session, incident) for incident in incidents]
        document = document_of(before, saved.session, cures, facts)
        entry = {"at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **document}
        kept = saved.extra.get("verified")
        extra = {**saved.extra, "verified": [*(kept if isinstance(kept, list) else []), entry]}
        save(saved.session, arguments.session, extra)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, _rendered(document, arguments))
    return STATUS[document["verdict"]]


def measured(arguments: argparse.Namespace, knowledge: Knowledge, facts: list[str]) -> list[Statement]:
    """These facts as they are now, where a probe or the collective test can establish them."""
    found = [statement for statement in probed(arguments, knowledge) if statement.name in facts]
    known = {statement.name for statement in found}
    for fact in facts:
        if fact.startswith("env.") and fact not in known:
            value = os.environ.get(fact.removeprefix("env."))
            found.append(Fact(fact, "unset" if value is None else value, Origin(PROBE, "environment")))
    wanted = tuple(fact for fact in facts if fact.startswith("collective.") or fact == COPIES)
    return [*found, *test(options_of(arguments, only=wanted)).statements]


def probed(arguments: argparse.Namespace, knowledge: Knowledge) -> tuple[Statement, ...]:
    """What the live probes find. Raises UsageError."""
    from ..probes.live import ProbeError, examine
    from .progress import ProbeProgress

    try:
        with ProbeProgress(sys.stderr) as progress:
            return examine(knowledge, python=arguments.python, progress=progress).statements
    except ProbeError as error:
        raise UsageError(str(error)) from None


def renew(session: Session, statements: Iterable[Statement]) -> None:
    """Replace what was said of these facts, by whomever: it is of before the fix."""
    statements = list(statements)
    for name in {s.name for s in statements}:
        while session.forget(name):
            pass
    for statement in statements:
        session.add(statement)


def document_of(before: Session, now: Session, cures: list[Cure], facts: list[str]) -> dict[str, Any]:
    """The result as plain data."""
    return {
        "schema": "gpudoctor/verify/1",
        "verdict": overall(cures),
        "incidents": [
            {
                "id": cure.incident,
                "verdict": cure.verdict,
                "why": cure.why,
                "remedies": [
                    {
                        "id": found.remedy,
                        "after": [{"what": c.text, "before": c.before, "now": c.now} for c in found.checks],
                    }
                    for found in cure.remedies
                ],
            }
            for cure in cures
        ],
        "facts": rows_of(before, now, facts),
    }


def _rendered(document: dict[str, Any], arguments: argparse.Namespace) -> Any:
    if arguments.format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    sheet = Sheet(80 if arguments.output else terminal_width(sys.stdout))
    verdict = document["verdict"]
    sheet.line(verdict.upper(), _STYLES[verdict])
    for incident in document["incidents"]:
        sheet.spans(
            (incident["id"], "bold"), (f": {incident['verdict']}", _STYLES[incident["verdict"]]), indent=2
        )
        sheet.paragraph(incident["why"], 4)
    sheet.heading("Before and now")
    for row in document["facts"]:
        now = _said(row["now"]) if row["now"] is not None else f"? {row.get('reason', '')}".rstrip()
        style = "" if row["before"] == row["now"] else "bold"
        sheet.paragraph(f"{_said(row['before'])} -> {now}", 2, style, f"{row['fact']:28} ")
    sheet.heading("What the remedies promise")
    for incident in document["incidents"]:
        for remedy in incident["remedies"]:
            for check in remedy["after"]:
                marks = f"{_mark(check['before'])} -> {_mark(check['now'])}"
                sheet.paragraph(f"{marks}: {check['what']}", 2, "", f"{remedy['id']:28} ")
    return sheet


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "?" if value is None else str(value)


def _mark(truth: bool | None) -> str:
    return "?" if truth is None else "holds" if truth else "does not hold"
