"""A diagnosis as Markdown, fit for pasting into an issue tracker."""

from __future__ import annotations

import re
from typing import Any

from .fleettext import nodes_markdown
from .textreport import MOST_REMEDIES, nothing, show

Json = dict[str, Any]


def markdown_report(diagnosis: Json) -> str:
    """The diagnosis as a Markdown document."""
    out: list[str] = []
    incidents = diagnosis["incidents"]
    first = incidents[0] if incidents and incidents[0]["standing"] != "possible" else None
    title = first["title"] if first else diagnosis["verdict"].capitalize()
    out += [f"## gpudoctor: {_escape(title)}", ""]
    if first:
        out += [f"**{first['standing'].capitalize()}** (`{first['id']}`). {_escape(first['summary'])}", ""]
        out += [f"<{first['page']}>", ""] if "page" in first else []
        if first.get("nodes"):
            out += [f"**Nodes:** {_code(first['nodes']['hosts'])}", ""]
        out += ["### Why", "", *_reasons(first), "", "### What to do", ""]
        for number, remedy in enumerate(
            [r for r in first["remedies"] if r["applies"]][:MOST_REMEDIES], start=1
        ):
            out += _remedy(number, remedy)
    if not incidents:
        out += [nothing(diagnosis), ""]
    if "fleet" in diagnosis:
        out += _section("Nodes", [_escape(line) for line in nodes_markdown(diagnosis["fleet"])])
    others = [i for i in incidents if i is not first]
    if others:
        out += ["### Also possible" if first else "### Possible", ""]
        out += [f"- {_linked(i)} (`{i['id']}`, {i['standing']}){_nodes(i)}" for i in others] + [""]
    out += _section("Contradictions", [_conflict(f) for f in diagnosis["facts"] if f.get("conflicts")])
    out += _section("Ruled out", [_ruled_out(entry) for entry in diagnosis["ruled_out"]])
    out += _section(
        "Not explained",
        [f"{_escape(u['where'])}: {_code(u['text'] or u['fact'])}" for u in diagnosis["unexplained"][:10]],
    )
    out += _section(
        "Environment variables to look at",
        [
            f"{_code(w['fact'].removeprefix('env.') + '=' + w['value'])}: {_escape(w['text'])}"
            for w in diagnosis.get("warnings", [])
        ],
    )
    out += _section(
        "Could not be established", [f"`{g['fact']}`: {_escape(g['reason'])}" for g in diagnosis["gaps"][:10]]
    )
    out += _section(
        "What would settle it", [f"{_escape(q['text'])} (`{q['fact']}`)" for q in diagnosis["next"]]
    )
    sources = dict.fromkeys(s["url"] for s in first["sources"]) if first else {}
    out += _section("Sources", [f"<{url}>" for url in sources])
    out += ["<details><summary>Facts</summary>", "", "| fact | value | from |", "|---|---|---|"]
    for fact in diagnosis["facts"]:
        origin = fact["from"][0]
        where = f"{origin['kind']} {origin['where']}".strip()
        out.append(f"| `{fact['name']}` | {_cell(fact['value'])} | {_cell(where)} |")
    kb = diagnosis["kb"]
    out += [
        "",
        "</details>",
        "",
        f"Knowledge base {kb['version']} ({kb['digest']}), rules: {diagnosis['engine']}.",
    ]
    out += [_escape(note) for note in diagnosis["notes"]]
    return "\n".join(out).rstrip() + "\n"


def _linked(entry: Json) -> str:
    title = _escape(entry["title"])
    return f"[{title}]({entry['page']})" if "page" in entry else title


def _nodes(incident: Json) -> str:
    return f" on {_code(incident['nodes']['hosts'])}" if incident.get("nodes") else ""


def _ruled_out(entry: Json) -> str:
    because = ", ".join(f"`{b['fact']}` = {_value(b['value'])}" for b in entry["because"])
    return f"{_linked(entry)} (`{entry['id']}`): {because}"


def _conflict(fact: Json) -> str:
    kept, *others = [
        _side(fact["value"], fact),
        *(_side(other["value"], other) for other in fact["conflicts"]),
    ]
    return f"`{fact['name']}`: {kept} is used, against {'; '.join(others)}"


def _side(value: Any, said: Json) -> str:
    origin = said["from"][0]
    return f"{_value(value)} ({_escape(origin['kind'] + ' ' + origin['where']).strip()})"


def _reasons(incident: Json) -> list[str]:
    lines = []
    for reason in incident["because"]:
        origin = (reason.get("from") or [{"where": "", "text": ""}])[0]
        where = f" ({origin['where']})" if origin["where"] else ""
        lines.append(f"- `{reason['fact']}` = {_value(reason['value'])}{_escape(where)}")
        if origin["text"]:
            lines.append(f"  {_code(origin['text'])}")
    return lines


def _remedy(number: int, remedy: Json) -> list[str]:
    needs = f"; needs {', '.join(remedy['needs'])}" if remedy["needs"] else ""
    lines = [
        f"#### {number}. {_linked(remedy)}",
        "",
        f"*{remedy['kind']}, risk: {_escape(remedy['risk'])}{needs}*",
        "",
    ]
    if remedy["danger"]:
        lines += [f"**Danger:** {_escape(remedy['danger'])}", ""]
    for place, step in enumerate(remedy["steps"], start=1):
        lines.append(f"{place}. {_escape(step['text'])}")
        for command in step["commands"]:
            lines += ["", *_fence(command, "   "), ""]
    for label, entries in (("Verify", remedy["verify"]), ("Undo", remedy["undo"])):
        for entry in entries:
            text, *commands = entry.split("\n")
            lines += ["", f"**{label}:** {_escape(text)}"]
            if commands:
                lines += ["", *_fence("\n".join(commands), "")]
    return [*lines, ""]


def _fence(command: str, indent: str) -> list[str]:
    return [f"{indent}```sh", *(indent + line for line in command.splitlines()), f"{indent}```"]


def _section(title: str, items: list[str]) -> list[str]:
    return [f"### {title}", "", *(f"- {item}" for item in items), ""] if items else []


def _escape(text: str) -> str:
    for mark in ("\\", "`", "*", "_", "<", "[", "@"):
        text = text.replace(mark, "\\" + mark if mark != "@" else "@\u200b")
    return text


def _value(value: Any) -> str:
    """A value on one line: a line break would end the item or the row."""
    return _escape(" ".join(show(value).split()))


def _cell(text: Any) -> str:
    return _value(text).replace("|", "\\|")


def _code(text: str) -> str:
    """Code in which nothing is Markdown: fenced by more backticks than stand in it."""
    text = " ".join(text.split()) or " "
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"
