"""What a diagnosis says of many nodes: outliers first, nodes with equal facts on one line."""

from __future__ import annotations

from collections.abc import Iterator

from ..words import show
from .blocks import (
    INNER,
    MARKDOWN,
    TERMINAL,
    Block,
    Clipped,
    Commands,
    Heading,
    Item,
    Json,
    Paragraph,
    Report,
    text,
)

_KINDS = {
    "missing": "missing",
    "silent": "no answer",
    "broken": "cannot be read",
    "same-name": "one name, several machines",
    "twice": "captured twice",
}
MOST_LISTED = 20
_MOST_FACTS = 4


def nodes(report: Report) -> list[Block]:
    """The nodes as a whole: how many, what is wrong with the set, who differs in what, who is equal."""
    fleet = report.document["fleet"]
    differences = [f"{one['fact']}: {one['text']}" for one in fleet["skew"]]
    out: list[Block] = [Heading("Nodes"), Paragraph(text(counted(fleet)), only=TERMINAL)]
    out += _listed(findings(fleet), "bold yellow")
    # Those who paste it into an issue want one list, uncut.
    out += [Item(text(one), only=MARKDOWN) for one in (counted(fleet), *findings(fleet), *differences)]
    if differences:
        out.append(Heading("In what they differ", only=TERMINAL))
        out += _listed(differences)
        hint = "gpudoctor explain FACT says what it is and how to look at it on a node."
        out.append(Paragraph(text(hint), tone="dim", only=TERMINAL))
        out += [Commands(f"pdsh -w '{hosts}' COMMAND", INNER, only=TERMINAL) for hosts in _outliers(fleet)]
    failure = fleet.get("first_failure")
    if failure and failure["node"]:
        out.append(Heading("What failed first", only=TERMINAL))
        out.append(Paragraph(text(first_failure(failure)), only=TERMINAL))
    if fleet["groups"]:
        out.append(Heading("Nodes with equal facts", only=TERMINAL))
        out += _listed(list(groups(fleet)))
    return out


def nodes_in_brief(report: Report) -> list[Block]:
    """How many nodes, what is wrong with the set, and in what they differ, a line for each."""
    fleet = report.document["fleet"]
    most = report.room.findings + 1
    wrong, differences = findings(fleet), [f"{one['fact']}: {one['text']}" for one in fleet["skew"]]
    out: list[Block] = [Heading(report.say("Nodes")), Paragraph(text(counted(fleet)))]
    out += [Clipped(text(line), "- ", "bold yellow") for line in wrong[:most]]
    out += [Clipped(text(line), "- ") for line in differences[:most]]
    failure = fleet.get("first_failure")
    if failure and failure["node"]:
        out.append(Paragraph(text(first_failure(failure))))
    return out


def _listed(lines: list[str], tone: str = "") -> list[Block]:
    more = len(lines) - MOST_LISTED
    if more > 0:
        lines = [*lines[:MOST_LISTED], f"and {more} more (--format json has them all)"]
    return [Item(text(line), tone=tone, only=TERMINAL) for line in lines]


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
    words = f"{rank} failed first, on {failure['node']} ({failure['where']})."
    if failure["differs"]:
        return f"{words} That node is one of the few in {', '.join(failure['differs'])}."
    return f"{words} No compared fact sets that node apart."


def groups(fleet: Json) -> Iterator[str]:
    """A line for each group: how many nodes, which, and what they have else than the most."""
    for place, group in enumerate(fleet["groups"]):
        count = f"{group['count']} node{'s' * (group['count'] > 1)}"
        if place == 0:
            yield f"{count}: {group['hosts']} ({len(group['facts'])} facts)"
            continue
        listed = [f"{name} = {show(value)}" for name, value in sorted(group["facts"].items())]
        listed += [f"{name} not known" for name in group["lacks"]]
        more = f", and {len(listed) - _MOST_FACTS} more" if len(listed) > _MOST_FACTS else ""
        yield f"{count}: {group['hosts']}: {', '.join(listed[:_MOST_FACTS]) or 'other gaps'}{more}"


def _outliers(fleet: Json) -> list[str]:
    """Host lists to paste: the few nodes of each difference, each list once."""
    return list(dict.fromkeys(d["minority"] for d in fleet["skew"] if d["minority"]))[:8]
