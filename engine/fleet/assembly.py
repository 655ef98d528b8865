"""Many nodes: their facts put together, what is wrong with the set itself, and who has equal facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..facts import Origin, TypeOf, Value
from ..facts.comparable import comparable, variation
from ..facts.hostlist import same_host
from ..facts.nodefacts import Gap, NodeFacts, NodeFactsReader, Pair
from ..tuples import NamedTuple

MISSING, TWICE, BROKEN, SAME_NAME, SILENT = "missing", "twice", "broken", "same-name", "silent"
NODE_PROBLEMS = (MISSING, SILENT, BROKEN, SAME_NAME, TWICE)
"""What may be wrong with a set of nodes: one of which there are no facts, one that did not answer, facts that
cannot be read, two machines of one name, one node twice."""


class NodeProblem(NamedTuple):
    """Something wrong with the set of nodes: the kind, the node or file, and a sentence about it."""

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
    problems: tuple[NodeProblem, ...]
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
        return any(problem.kind in (MISSING, SILENT, BROKEN) for problem in self.problems)

    def find(self, host: str) -> Node | None:
        """The node that a host name means; None if there is none, or if several could be meant."""
        found = [n for n in self.nodes if n.name == host] or [
            n for n in self.nodes if same_host(n.name, host)
        ]
        return found[0] if len(found) == 1 else None


def assemble(
    given: Iterable[NodeFacts],
    reader: NodeFactsReader,
    type_of: TypeOf,
    trouble: Iterable[NodeProblem] = (),
    expect: int | Sequence[str] = 0,
) -> Fleet:
    """Put nodes together. ``expect`` is a number of nodes or their names."""
    problems = list(trouble)
    kept = _unique(given, problems)
    sorter = _Sorter(type_of)
    variables = _variables(kept)
    numbers: dict[object, int] = {}
    groups: list[tuple[tuple[Pair, ...], NodeFacts, list[int]]] = []
    nodes: list[Node] = []
    for name, one in kept:
        facts, own = sorter.sort(_with_unset(one, variables, reader))
        number = numbers.setdefault((facts, frozenset(name for name, _ in one.gaps)), len(groups))
        if number == len(groups):
            groups.append((facts, one, []))
        groups[number][2].append(len(nodes))
        nodes.append(Node(name, one.boot_id, one.taken, one.where, number, own))
    found = [Group(facts, first.gaps, first.origins, tuple(members)) for facts, first, members in groups]
    expected = expect if isinstance(expect, int) else len(expect)
    problems += _missing(nodes, expect, problems)
    ordered = sorted(problems, key=lambda f: (NODE_PROBLEMS.index(f.kind), f.node, f.text))
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


def _unique(given: Iterable[NodeFacts], problems: list[NodeProblem]) -> list[tuple[str, NodeFacts]]:
    """Each node once, which is a host name and a boot id, sorted by name."""
    by_key: dict[tuple[str, str], NodeFacts] = {}
    for one in sorted(given, key=lambda c: (c.host, c.boot_id, c.taken, c.where)):
        key = (one.host, one.boot_id)
        if key in by_key:
            text = f"two captures, {by_key[key].where} and {one.where}; the later one counts"
            problems.append(NodeProblem(TWICE, one.host, text))
        by_key[key] = one
    hosts: dict[str, list[NodeFacts]] = {}
    for one in by_key.values():
        hosts.setdefault(one.host, []).append(one)
    kept = []
    taken = set(hosts)  # the name of a real host is not given to another one's clone
    for host, found in hosts.items():
        number = 2
        for place, one in enumerate(found):
            name = host
            while place and name in taken:
                name = f"{host}-{number}"
                number += 1
            taken.add(name)
            kept.append((name, one))
        if len(found) > 1:
            places = ", ".join(c.where for c in found[:4])
            text = (
                f"{len(found)} boots under one host name ({places}): clones, or a reboot between the captures"
            )
            problems.append(NodeProblem(SAME_NAME, host, text))
    return sorted(kept, key=lambda item: item[0])


def _variables(kept: list[tuple[str, NodeFacts]]) -> list[str]:
    """Environment variables that are set on some node."""
    return sorted({name for _, c in kept for name, _ in c.facts if name.startswith("env.")})


def _with_unset(one: NodeFacts, variables: list[str], reader: NodeFactsReader) -> tuple[Pair, ...]:
    """The facts with the variables that are set on other nodes and not on this one."""
    if not one.whole_environment or not variables:
        return one.facts
    present = {name for name, _ in one.facts if name.startswith("env.")}
    absent = [reader.unset(name) for name in variables if name not in present]
    return tuple(sorted((*one.facts, *absent))) if absent else one.facts


def _missing(
    nodes: list[Node], expect: int | Sequence[str], problems: list[NodeProblem]
) -> list[NodeProblem]:
    told = [f.node for f in problems if f.kind in (BROKEN, SILENT)]
    if isinstance(expect, int):
        lacking = expect - len(nodes) - len(told)
        words = f"{len(nodes)} nodes are here and {expect} were expected"
        return [NodeProblem(MISSING, "", words)] if lacking > 0 else []
    here = {name.lower() for name in [*(n.name for n in nodes), *told]}
    short = {name.partition(".")[0] for name in here if "." in name}
    found = []
    for host in expect:
        name = host.lower()
        if name in here or name in short or ("." in name and name.partition(".")[0] in here):
            continue
        found.append(NodeProblem(MISSING, host, "no capture"))
    return found
