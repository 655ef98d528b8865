"""``gpudoctor verify``: after the fix, probe and test again, and say what is cured."""

from __future__ import annotations

import argparse
import datetime
import os
from collections.abc import Iterable
from typing import Any

from ...engine import EngineError, Knowledge, Session
from ...engine.facts import PROBE, Fact, Origin, Statement
from ...engine.session.cure import (
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
from ...engine.session.cure import side_by_side as rows_of
from ...engine.session.identity import OTHER, SAME, compare
from ...engine.session.sessionfile import load, read, save
from ..errors import DIAGNOSED, INSUFFICIENT, OK, UsageError
from ..inputs.collectives import options_of, run_test
from ..inputs.knowledge import load_knowledge
from ..inputs.machine import identity_here, probed
from ..inputs.texts import read_text
from ..output import as_json, width_of, write
from ..render.screen import Screen

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
        same, whose = compare(before.identity, identity_here())
        found = measured(arguments, knowledge, facts)
        obstacle = _obstacle(before, found, same, whose)
        if obstacle:  # nothing that was measured here is about the session
            cures = [Cure(incident, CANNOT_TELL, obstacle, ()) for incident in incidents]
        else:
            renew(saved.session, [statement for statement in found if statement.name in facts])
            cures = [judge(before, saved.session, incident) for incident in incidents]
        document = document_of(before, saved.session, cures, [] if obstacle else facts)
        document["machine"] = {"is": same, "why": whose}
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
    wanted_here = {*facts, "gpu.count", "gpu.vendor"}
    found = [statement for statement in probed(arguments, knowledge) if statement.name in wanted_here]
    known = {statement.name for statement in found}
    for fact in facts:
        if fact.startswith("env.") and fact not in known:
            value = os.environ.get(fact.removeprefix("env."))
            found.append(Fact(fact, "unset" if value is None else value, Origin(PROBE, "environment")))
    wanted = tuple(fact for fact in facts if fact.startswith("collective.") or fact == COPIES)
    return [*found, *run_test(options_of(arguments, only=wanted)).statements]


def _obstacle(before: Session, found: list[Statement], same: str, whose: str) -> str:
    """Why what was measured here says nothing of the session; nothing if it does."""
    if same == OTHER:
        return f"this is not the machine of the session: {whose}"
    now = {statement.name: statement.value for statement in found if isinstance(statement, Fact)}
    tested = any(
        name.startswith("collective.")
        and (not name.startswith("collective.gloo") or before.value(name) is not None)
        for name in now
    )
    if same != SAME and not tested and now.get("gpu.count", 0) == 0:
        return "there is no GPU in this machine: verify where the job runs"
    was, vendor = before.value("gpu.vendor"), now.get("gpu.vendor")
    if not tested and was in ("nvidia", "amd") and vendor not in (was, None):
        return f"the session is about GPUs of {was}, and none is here"
    return ""


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
        return as_json(document)
    screen = Screen(width_of(arguments))
    verdict = document["verdict"]
    screen.line(verdict.upper(), _STYLES[verdict])
    if document["machine"]["is"] == "unknown":
        screen.paragraph(f"Machine: {document['machine']['why']}", 2, "dim")
    for incident in document["incidents"]:
        screen.spans(
            (incident["id"], "bold"), (f": {incident['verdict']}", _STYLES[incident["verdict"]]), indent=2
        )
        screen.paragraph(incident["why"], 4)
    screen.heading("Before and now")
    for row in document["facts"]:
        now = _said(row["now"]) if row["now"] is not None else f"? {row.get('reason', '')}".rstrip()
        style = "" if row["before"] == row["now"] else "bold"
        screen.paragraph(f"{_said(row['before'])} -> {now}", 2, style, f"{row['fact']:28} ")
    screen.heading("What the remedies promise")
    for incident in document["incidents"]:
        for remedy in incident["remedies"]:
            for check in remedy["after"]:
                marks = f"{_mark(check['before'])} -> {_mark(check['now'])}"
                screen.paragraph(f"{marks}: {check['what']}", 2, "", f"{remedy['id']:28} ")
    return screen


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "?" if value is None else str(value)


def _mark(truth: bool | None) -> str:
    return "?" if truth is None else "holds" if truth else "does not hold"
