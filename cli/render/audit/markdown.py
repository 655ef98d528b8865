"""An audit as Markdown, for a pull request or an issue."""

from __future__ import annotations

from typing import Any

from ..report.markdown import code, escape
from .terminal import NAMES, headline

Json = dict[str, Any]


def markdown(document: Json) -> str:
    """All findings in a table, then each with what to do."""
    out = ["## gpudoctor audit", "", escape(headline(document)), ""]
    if document["upgrades"]:
        out += ["### Upgrades", "", "| product | installed | to | clears | leaves |", "|---|---|---|---|---|"]
        for one in document["upgrades"]:
            cells = (
                one["title"],
                one["installed"],
                one["to"],
                str(len(one["clears"])),
                str(len(one["leaves"])),
            )
            out.append(f"| {' | '.join(map(_cell, cells))} |")
        out.append("")
    if document["findings"]:
        out += ["### Findings", "", "| severity | where | what |", "|---|---|---|"]
        for one in document["findings"]:
            where = code(one["where"]) if one["where"] else ""
            out.append(f"| {NAMES[one['severity']].lower()} | {where} | {_cell(one['title'])} |")
        out.append("")
    for one in document["findings"]:
        out += [f"#### {escape(one['title'])}", "", f"{code(one['id'])} {escape(one['what'])}", ""]
        out += [f"**Fix:** {escape(one['fix'])}", ""]
        if one["command"]:
            out += ["```sh", *one["command"].splitlines(), "```", ""]
        out += [f"- <{source['url']}>" for source in one["sources"]]
        out += [""] if one["sources"] else []
    for one in document["suppressed"]:
        out += [f"Suppressed until {one['until']}: {code(one['id'])} {escape(one['reason'])}", ""]
    kb = document["kb"]
    count = len(document["undecided"])
    if count:
        out += [f"{count} more known issues depend on what is not known.", ""]
    out.append(f"Knowledge base {kb['version']} ({kb['digest']}).")
    return "\n".join(out) + "\n"


def _cell(text: str) -> str:
    return escape(text).replace("|", "\\|")
