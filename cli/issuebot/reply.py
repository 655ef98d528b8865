"""What to say under an issue: the short diagnosis, the questions that would settle it, or nothing."""

from __future__ import annotations

import re
from typing import Any

from ...engine import Knowledge, Session
from ...probes.redact import redact
from ...probes.report import Reader
from ..render.report.markdown import escape, markdown_report

MARK = "<!-- gpudoctor -->"
"""By this the comment is found again, together with who wrote it."""
LONGEST_ISSUE = 200_000
LONGEST_COMMENT = 60_000
"""GitHub takes 65,536 characters."""
QUESTIONS = 2
_TEMPLATE = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EVENTS = ("opened", "edited", "reopened")

Json = dict[str, Any]


def text_of(payload: Json) -> str | None:
    """Title and text of the issue of an event; None where there is nothing to answer."""
    issue = payload.get("issue")
    if payload.get("action") not in _EVENTS or not isinstance(issue, dict):
        return None
    sender = payload.get("sender")
    by_program = isinstance(sender, dict) and sender.get("type") == "Bot"
    if by_program or "pull_request" in issue or issue.get("state") == "closed" or "comment" in payload:
        return None
    title, body = issue.get("title"), issue.get("body")
    parts = [part for part in (title, body) if isinstance(part, str)]
    return _TEMPLATE.sub("", "\n\n".join(parts))[:LONGEST_ISSUE].strip() or None


def answer(knowledge: Knowledge, text: str) -> str | None:
    """The comment in Markdown; None where nothing is known to say."""
    session = Session(knowledge, "reference")
    try:
        for fact in Reader(knowledge).read([text.encode("utf-8", "surrogatepass")], "issue"):
            session.add(fact)
        document = session.diagnosis().to_dict()
    finally:
        session.close()
    incidents = document["incidents"]
    leads = incidents and incidents[0]["standing"] != "possible"
    said = markdown_report(document) if leads else _questions(document)
    return _signed(redact(said)) if said else None


def _questions(document: Json) -> str:
    """The questions that would settle it, if a sign of trouble speaks for some incident; else nothing."""
    seen = any(
        reason["fact"].startswith(("symptom.", "xid.", "sxid.", "issue."))
        for incident in document["incidents"]
        for reason in incident["because"]
    )
    asked = document["next"][:QUESTIONS]
    if not seen or not asked:
        return ""
    lines = ["## gpudoctor: not enough evidence yet", "", "What would settle it:", ""]
    for number, question in enumerate(asked, start=1):
        choices = f" ({', '.join(question['choices'])})" if question["choices"] else ""
        lines.append(f"{number}. {escape(question['text'] + choices)}")
    lines += [
        "",
        "This answers what a machine can answer (read-only, no root); please add its output to the issue:",
        "",
        "```sh",
        "pipx run gpudoctor probe",
        "```",
    ]
    return "\n".join(lines) + "\n"


def _signed(said: str) -> str:
    if len(said) > LONGEST_COMMENT:
        # Whole lines, and nothing left open: what is folded is long and the least important.
        said = said.partition("<details>")[0][:LONGEST_COMMENT].rpartition("\n")[0] + "\n"
    note = "<sub>By rules, from the text above, and no human has looked at it. Edit the issue and this is edited.</sub>"
    return f"{MARK}\n{said}\n{note}\n"


WITHDRAWN = f"{MARK}\nThe issue has changed, and what was said here does not follow from it any more.\n"
