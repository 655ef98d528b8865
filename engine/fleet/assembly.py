"""Many nodes: their captures put together, what is wrong with the set itself, and who has equal facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..facts import Origin, TypeOf, Value
from ..facts.comparable import comparable, variation
from ..facts.hostlist import same_host
from ..facts.nodefacts import Capture, CaptureReader, Gap, Pair

MISSING, TWICE, BROKEN, SAME_NAME, SILENT = "missing", "twice", "broken", "same-name", "silent"
FINDINGS = (MISSING, SILENT, BROKEN, SAME_NAME, TWICE)
"""What may be wrong with a set of captures: a node without one, a node that did not answer, a capture that
cannot be read, two machines of one name, two captures of one node."""


class Finding(NamedTuple):
    """Something wrong with the set of captures: the kind, the node or file, and a sentence about it."""

    kind: str
    node: str
    text: str


class Node(NamedTuple):
    """One machine or container. ``own``: facts in which healthy nodes differ, and its own spelling of others."""

    name: str
    boot_id: str
    taken: str
    where: str
    group: int
    own: tuple[Pair, ...]


class Group(NamedTuple):
    """Nodes with equal facts, as they are compared; ``origins`` are the first node's."""

    facts: tuple[Pair, ...]
    gaps: tuple[Gap, ...]
    origins: dict[str, tuple[Origin, ...]]
    members: tuple[int, ...]


class Fleet(NamedTuple):
    """All nodes, in the order of their names. ``expected``: how many there should be, 0 if nobody said."""

    nodes: tuple[Node, ...]
    groups: tuple[Group, ...]
    findings: tuple[Finding, ...]
    expected: int = 0

    def values(self, node: Node) -> dict[str, Value]:
        """Every fact of a node."""
        return dict((*self.groups[node.group].facts, *node.own))

    def names(self, members: Iterable[int]) -> list[str]:
        """Names of nodes by number."""
        return [self.nodes[number].name for number in members]

    @property
    def incomplete(self) -> bool:
        """Whether a node of the job is not among the nodes."""
        return any(finding.kind in (MISSING, SILENT, BROKEN) for finding in self.findings)

    def find(self, host: str) -> Node | None:
        """The node that a host name means; None if there is none, or if several could be meant."""
        found = [n for n in self.nodes if n.name == host] or [
            n for n in self.nodes if same_host(n.name, host)
        ]
        return found[0] if len(found) == 1 else None


def assemble(
    captures: Iterable[Capture],
    reader: CaptureReader,
    type_of: TypeOf,
    trouble: Iterable[Finding] = (),
    expect: int | Sequence[str] = 0,
) -> Fleet:
    """Put captures together. ``expect`` is a number of nodes or their names."""
    findings = list(trouble)
    kept = _unique(captures, findings)
    sorter = _Sorter(type_of)
    variables = _variables(kept)
    numbers: dict[object, int] = {}
    groups: list[tuple[tuple[Pair, ...], Capture, list[int]]] = []
    nodes: list[Node] = []
    for name, capture in kept:
        facts, own = sorter.sort(_with_unset(capture, variables, reader))
        number = numbers.setdefault((facts, frozenset(name for name, _ in capture.gaps)), len(groups))
        if number == len(groups):
            groups.append((facts, capture, []))
        groups[number][2].append(len(nodes))
        nodes.append(Node(name, capture.boot_id, capture.taken, capture.where, number, own))
    found = [Group(facts, first.gaps, first.origins, tuple(members)) for facts, first, members in groups]
    expected = expect if isinstance(expect, int) else len(expect)
    findings += _missing(nodes, expect, findings)
    ordered = sorted(findings, key=lambda f: (FINDINGS.index(f.kind), f.node, f.text))
    return Fleet(tuple(nodes), tuple(found), tuple(ordered), expected)


class _Sorter:
    """Which facts are a node's own, and what of the others is compared; looked at once for each value."""

    def __init__(self, type_of: TypeOf) -> None:
        self._type_of = type_of
        self._known: dict[int, tuple[Pair | None, Pair]] = {}

    def sort(self, facts: tuple[Pair, ...]) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
        """What is compared of the facts, and those of which the node has its own."""
        shared, own = [], []
        for pair in facts:
            compared = self._look(pair)
            if compared is not None:
                shared.append(compared)
            if compared is not pair:
                own.append(pair)
        return tuple(shared), tuple(own)

    def _look(self, pair: Pair) -> Pair | None:
        found = self._known.get(id(pair))  # equal pairs of one reader are one object
        if found is None:
            name, value = pair
            spec = self._type_of(name)
            short = comparable(spec, value)
            compared = None if variation(spec) else pair if short == value else (name, short)
            found = self._known[id(pair)] = (compared, pair)
        return found[0]


def _unique(captures: Iterable[Capture], findings: list[Finding]) -> list[tuple[str, Capture]]:
    """One capture for each node, which is a host name and a boot id, sorted by name."""
    by_key: dict[tuple[str, str], Capture] = {}
    for capture in sorted(captures, key=lambda c: (c.host, c.boot_id, c.taken, c.where)):
        key = (capture.host, capture.boot_id)
        if key in by_key:
            text = f"two captures, {by_key[key].where} and {capture.where}; the later one counts"
            findings.append(Finding(TWICE, capture.host, text))
        by_key[key] = capture
    hosts: dict[str, list[Capture]] = {}
    for capture in by_key.values():
        hosts.setdefault(capture.host, []).append(capture)
    kept = []
    taken = set(hosts)  # the name of a real host is not given to another one's clone
    for host, found in hosts.items():
        number = 2
        for place, capture in enumerate(found):
            name = host
            while place and name in taken:
                name = f"{host}-{number}"
                number += 1
            taken.add(name)
            kept.append((name, capture))
        if len(found) > 1:
            places = ", ".join(c.where for c in found[:4])
            text = (
                f"{len(found)} boots under one host name ({places}): clones, or a reboot between the captures"
            )
            findings.append(Finding(SAME_NAME, host, text))
    return sorted(kept, key=lambda item: item[0])


def _variables(kept: list[tuple[str, Capture]]) -> list[str]:
    """Environment variables that are set on some node."""
    return sorted({name for _, c in kept for name, _ in c.facts if name.startswith("env.")})


def _with_unset(capture: Capture, variables: list[str], reader: CaptureReader) -> tuple[Pair, ...]:
    """The facts with the variables that are set on other nodes and not on this one."""
    if not capture.whole_environment or not variables:
        return capture.facts
    present = {name for name, _ in capture.facts if name.startswith("env.")}
    absent = [reader.unset(name) for name in variables if name not in present]
    return tuple(sorted((*capture.facts, *absent))) if absent else capture.facts


def _missing(nodes: list[Node], expect: int | Sequence[str], findings: list[Finding]) -> list[Finding]:
    told = [f.node for f in findings if f.kind in (BROKEN, SILENT)]
    if isinstance(expect, int):
        lacking = expect - len(nodes) - len(told)
        words = f"{len(nodes)} nodes are here and {expect} were expected"
        return [Finding(MISSING, "", words)] if lacking > 0 else []
    here = {name.lower() for name in [*(n.name for n in nodes), *told]}
    short = {name.partition(".")[0] for name in here if "." in name}
    found = []
    for host in expect:
        name = host.lower()
        if name in here or name in short or ("." in name and name.partition(".")[0] in here):
            continue
        found.append(Finding(MISSING, host, "no capture"))
    return found
