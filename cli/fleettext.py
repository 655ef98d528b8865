"""What a diagnosis says of many nodes, as text and as Markdown: outliers first, nodes with equal facts on one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .paint import Sheet

Json = dict[str, Any]

_KINDS = {
    "missing": "missing",
    "silent": "no answer",
    "broken": "cannot be read",
    "same-name": "one name, several machines",
    "twice": "captured twice",
}
MOST_LISTED = 20
_MOST_FACTS = 4


def where(incident: Json) -> str:
    """The nodes that an incident concerns, or nothing where it concerns all."""
    nodes = incident.get("nodes")
    return f"on {nodes['hosts']}" if nodes else ""


def nodes_section(sheet: Sheet, fleet: Json) -> None:
    """The nodes as a whole: how many, what is wrong with the set, who differs in what, who is equal."""
    sheet.heading("Nodes")
    sheet.paragraph(counted(fleet), 2)
    for line in _cut(findings(fleet)):
        sheet.paragraph(line, 2, "bold yellow", "- ")
    if fleet["skew"]:
        sheet.heading("In what they differ")
    for line in _cut([f"{d['fact']}: {d['text']}" for d in fleet["skew"]]):
        sheet.paragraph(line, 2, first="- ")
    if fleet["skew"]:
        sheet.paragraph("gpudoctor explain FACT says what it is and how to look at it on a node.", 2, "dim")
        for hosts in _outliers(fleet):
            sheet.line(f"pdsh -w '{hosts}' COMMAND", "green", 4)
    failure = fleet.get("first_failure")
    if failure and failure["node"]:
        sheet.heading("What failed first")
        sheet.paragraph(first_failure(failure), 2)
    if fleet["groups"]:
        sheet.heading("Nodes with equal facts")
    for line in _cut(list(groups(fleet))):
        sheet.paragraph(line, 2, first="- ")


def nodes_markdown(fleet: Json) -> list[str]:
    """The same as items of a list, not yet escaped."""
    return [counted(fleet), *findings(fleet), *(f"{d['fact']}: {d['text']}" for d in fleet["skew"])]


def counted(fleet: Json) -> str:
    """How many nodes, and how many kinds of them."""
    of = f" of {fleet['expected']} expected" if fleet["expected"] else ""
    kinds = len(fleet["groups"])
    equal = (
        "all have equal facts"
        if kinds == 1
        else f"{kinds} kinds by their facts"
        if kinds
        else "none answered"
    )
    return f"{fleet['nodes']} node{'s' * (fleet['nodes'] != 1)}{of}; {equal}."


def findings(fleet: Json) -> list[str]:
    """What is wrong with the set of captures."""
    return [
        f"{_KINDS[f['kind']]}: {f['node']}: {f['text']}" if f["node"] else f"{_KINDS[f['kind']]}: {f['text']}"
        for f in fleet["findings"]
    ]


def first_failure(failure: Json) -> str:
    """The rank that failed first, its node, and in what that node is one of the few."""
    rank = f"Rank {failure['rank']}" if failure["rank"] is not None else "A process"
    text = f"{rank} failed first, on {failure['node']} ({failure['where']})."
    if failure["differs"]:
        return f"{text} That node is one of the few in {', '.join(failure['differs'])}."
    return f"{text} No compared fact sets that node apart."


def groups(fleet: Json) -> Iterator[str]:
    """A line for each group: how many nodes, which, and what they have else than the most."""
    for place, group in enumerate(fleet["groups"]):
        count = f"{group['count']} node{'s' * (group['count'] > 1)}"
        if place == 0:
            yield f"{count}: {group['hosts']} ({len(group['facts'])} facts)"
            continue
        listed = [f"{name} = {_show(value)}" for name, value in sorted(group["facts"].items())]
        listed += [f"{name} not known" for name in group["lacks"]]
        more = f", and {len(listed) - _MOST_FACTS} more" if len(listed) > _MOST_FACTS else ""
        yield f"{count}: {group['hosts']}: {', '.join(listed[:_MOST_FACTS]) or 'other gaps'}{more}"


def _outliers(fleet: Json) -> list[str]:
    """Host lists to paste: the few nodes of each difference, each list once."""
    return list(dict.fromkeys(d["minority"] for d in fleet["skew"] if d["minority"]))[:8]


def _cut(lines: list[str]) -> list[str]:
    more = len(lines) - MOST_LISTED
    return [*lines[:MOST_LISTED], f"and {more} more (--format json has them all)"] if more > 0 else lines


def _show(value: Any) -> str:
    from .textreport import show

    return show(value)
