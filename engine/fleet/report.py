"""The part of a diagnosis that speaks of the nodes: what is wrong with the set, who differs in what, who is equal."""

from __future__ import annotations

from typing import Any

from ..facts import Settled, TypeOf
from ..facts.hostlist import fold
from ..facts.nodefacts import Pair
from .assembly import Fleet, Node
from .skew import Comparison, Skew, describe

Json = dict[str, Any]


def fleet_part(fleet: Fleet, comparison: Comparison, facts: list[Settled], type_of: TypeOf) -> Json:
    """The property ``fleet`` of the JSON diagnosis; everything that is known of each node is in it."""
    order = sorted(range(len(fleet.groups)), key=lambda n: (-len(fleet.groups[n].members), n))
    number_of = {group: place for place, group in enumerate(order)}
    part: Json = {
        "nodes": len(fleet.nodes),
        "expected": fleet.expected,
        "findings": [{"kind": f.kind, "node": f.node, "text": f.text} for f in fleet.problems],
        "skew": [_difference(fleet, d, type_of) for d in comparison.differences if not d.natural],
        "groups": _groups(fleet, order),
        "members": {node.name: _member(node, number_of[node.group]) for node in fleet.nodes},
    }
    first = _first_failure(fleet, comparison, {f.name: f for f in facts if f.value is not None})
    if first:
        part["first_failure"] = first
    return part


def _difference(fleet: Fleet, difference: Skew, type_of: TypeOf) -> Json:
    return {
        "fact": difference.fact,
        "text": describe(difference, fleet, type_of(difference.fact)),
        "minority": fold(fleet.names(difference.minority)),
        "values": [
            {"value": side.value, "count": len(side.members), "hosts": fold(fleet.names(side.members))}
            for side in difference.sides
        ],
        "unknown": difference.unknown,
    }


def _groups(fleet: Fleet, order: list[int]) -> list[Json]:
    """Nodes with equal facts, the largest group first, with all its facts; the others with what they have else."""
    found: list[Json] = []
    base: frozenset[Pair] = frozenset(fleet.groups[order[0]].facts) if order else frozenset()
    for place, number in enumerate(order):
        group = fleet.groups[number]
        listed = group.facts if place == 0 else tuple(pair for pair in group.facts if pair not in base)
        names = {name for name, _ in group.facts}
        found.append(
            {
                "count": len(group.members),
                "hosts": fold(fleet.names(group.members)),
                "facts": dict(listed),
                "lacks": [] if place == 0 else sorted({n for n, _ in base} - names),
                "gaps": dict(group.gaps),
            }
        )
    return found


def _member(node: Node, group: int) -> Json:
    return {
        "group": group,
        "boot_id": node.boot_id,
        "taken": node.taken,
        "where": node.where,
        "facts": dict(node.own),
    }


def _first_failure(fleet: Fleet, comparison: Comparison, facts: dict[str, Settled]) -> Json | None:
    """The node of the rank that failed first, and in what it is one of the few."""
    failure = facts.get("log.first_failure")
    if failure is None:
        return None
    rank, host = facts.get("log.first_failed_rank"), facts.get("log.first_failed_host")
    node = fleet.find(str(host.value)) if host else None
    node = node or _node_of_file(fleet, failure.origins[0].where)
    number = fleet.nodes.index(node) if node else -1
    return {
        "text": str(failure.value),
        "where": failure.origins[0].where,
        "rank": rank.value if rank else None,
        "node": node.name if node else "",
        "differs": [d.fact for d in comparison.differences if number in d.minority and not d.natural],
    }


def _node_of_file(fleet: Fleet, where: str) -> Node | None:
    """The node whose name stands in the path of a log: ``logs/node0417/rank3.log``, ``node0417.log:12``."""
    path = where.rpartition(":")[0] or where
    words = {
        word for part in path.split("/") for word in (part, part.partition(".")[0], part.rpartition(".")[0])
    }
    found = {n.name: n for word in words if word and (n := fleet.find(word))}
    return next(iter(found.values())) if len(found) == 1 else None
