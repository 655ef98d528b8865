"""The report: one JSON document, and the same for people; written anew after every check, whole or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpudoctor.engine.writing import write_whole

from .checks import FAILED, PASSED, SKIPPED, Result, counts
from .samples import redacted

SCHEMA = "gpudoctor/gpu-report/1"
JSON, MARKDOWN = "gpu-report.json", "gpu-report.md"
_ORDER = {FAILED: 0, SKIPPED: 1, PASSED: 2}
_WORDS = {PASSED: "passed", FAILED: "**FAILED**", SKIPPED: "skipped"}


def as_document(
    machine: dict[str, Any],
    versions: dict[str, str],
    results: Sequence[Result],
    seconds: float,
    taken: str,
    ended: str,
    samples: Sequence[str],
) -> dict[str, Any]:
    """Everything as plain data. ``ended`` says why it is not complete; empty where it is."""
    document = {
        "schema": SCHEMA,
        "taken": taken,
        "seconds": round(seconds, 1),
        "complete": not ended,
        "ended": ended,
        "machine": machine,
        "versions": versions,
        "counts": counts(results),
        "checks": [result.to_dict() for result in results],
        "samples": list(samples),
    }
    return json.loads(redacted_json(document))


def redacted_json(document: dict[str, Any]) -> str:
    """The document without secrets and names; text by text, so that it stays JSON."""
    return json.dumps(_redacted(document), indent=1, ensure_ascii=False)


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, list):
        return [_redacted(item) for item in value]
    if isinstance(value, dict):
        return {key: _redacted(item) for key, item in value.items()}
    return value


def markdown(document: dict[str, Any]) -> str:
    """For people: what it came to, what failed and why, everything else by group."""
    found = document["counts"]
    verdict = f"{found[PASSED]} passed, {found[FAILED]} failed, {found[SKIPPED]} skipped"
    lines = [
        "# gpudoctor on this machine",
        "",
        f"**{verdict}** in {document['seconds']:.0f} s, {document['taken']}.",
    ]
    if document["ended"]:
        lines += ["", f"Not complete: {document['ended']}."]
    lines += ["", "## Machine", "", "| | |", "|---|---|"]
    for name, value in {**document["machine"], **document["versions"]}.items():
        shown = "<br>".join(map(str, value)) if isinstance(value, list) else str(value)
        lines.append(f"| {name.replace('_', ' ')} | {_cell(shown)} |")
    failed = [check for check in document["checks"] if check["outcome"] == FAILED]
    if failed:
        lines += ["", "## Failed", ""]
        lines += [f"- **{check['group']}: {check['name']}**: {_cell(check['reason'])}" for check in failed]
    for group in dict.fromkeys(check["group"] for check in document["checks"]):
        lines += ["", f"## {group.capitalize()}", "", "| check | | seconds | |", "|---|---|---|---|"]
        mine = [check for check in document["checks"] if check["group"] == group]
        for check in sorted(mine, key=lambda check: _ORDER[check["outcome"]]):
            lines.append(
                f"| {_cell(check['name'])} | {_WORDS[check['outcome']]} | {check['seconds']:.1f} "
                f"| {_cell(check['reason'])} |"
            )
    if document["samples"]:
        lines += ["", "## Samples", "", f"{len(document['samples'])} files, redacted, in gpu-samples.tar.gz."]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def write(folder: Path, document: dict[str, Any]) -> None:
    """Both files; a run that is broken off leaves those of the last check."""
    write_whole(folder / JSON, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    write_whole(folder / MARKDOWN, markdown(document))


def untold(folder: Path, results: Sequence[Result]) -> list[str]:
    """What the written files do not say of these results: read back as a reader would."""
    try:
        document = json.loads((folder / JSON).read_text(encoding="utf-8"))
        text = (folder / MARKDOWN).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        return [f"it cannot be read back: {error}"]
    missing = []
    told = {(check["group"], check["name"]): check["outcome"] for check in document["checks"]}
    head = re.search(r"\*\*(\d+) passed, (\d+) failed, (\d+) skipped\*\*", text)
    found = counts(results)
    if document["counts"] != found or head is None or [*map(int, head.groups())] != [*found.values()]:
        missing.append(f"its counts are not {found}")
    for result in results:
        name, outcome = f"{result.group}: {result.name}", _WORDS[result.outcome]
        if told.get((result.group, result.name)) != result.outcome:
            missing.append(f"{JSON} does not say that {name} {result.outcome}")
        if result.outcome == FAILED and f"- **{name}**: " not in text:
            missing.append(f"{MARKDOWN} does not list {name} as failed")
        if f"| {_cell(result.name)} | {outcome} |" not in text:
            missing.append(f"{MARKDOWN} has no line that {name} {result.outcome}")
    return missing
