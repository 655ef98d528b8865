"""Relations between facts, compiled to derivations: what implies what, of which set one holds, which road.

``implies``: child true makes the parent true, parent false makes the child false. ``one_of``: one of a set
that is true makes the others false. ``road``: a symptom that is true makes its road true. A rule that a page
writes itself comes before them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ..errors import KnowledgeError
from ..model import Condition, Derivation, FactSpec, Not, Test

Node = tuple[str, object]
"""A fact and the value that is concluded; None stands for any value of a fact that is no bool."""


def with_relations(facts: dict[str, FactSpec], base: dict[str, FactSpec]) -> dict[str, FactSpec]:
    """The facts with the derivations that follow from their relations.

    ``base`` holds the facts of the knowledge base under an overlay. Raises KnowledgeError for a relation with
    a fact that is not there or is no bool.
    """
    every = {**base, **facts}
    added: dict[str, list[Derivation]] = defaultdict(list)
    sets: dict[str, list[str]] = defaultdict(list)
    for name in sorted(every):
        spec = every[name]
        for parent in spec.implies:
            _must_be_bool(every, spec, parent)
            added[parent].append(_when(name, True, "true"))
            added[name].append(_when(parent, False, "false"))
        if spec.one_of:
            sets[spec.one_of].append(name)
        road = f"road.{spec.road}"
        if road in every and spec.type == "bool" and "<" not in name:
            added[road].append(_when(name, True, "true"))
    for members in sets.values():
        for name in members:
            added[name] += [_when(other, True, "false") for other in members if other != name]
    found = dict(facts)
    for name, derivations in added.items():
        spec = every[name]
        own = tuple(d for d in spec.derived if not d.relation)
        ordered = sorted(derivations, key=lambda d: d.value != "true")  # stable: "true" first
        if name in facts or own + tuple(ordered) != spec.derived:
            found[name] = spec._replace(derived=own + tuple(ordered))
    return found


def _when(fact: str, holds: bool, value: str) -> Derivation:
    return Derivation(value, Test(fact, "in", (holds,)), relation=True)


def _must_be_bool(every: dict[str, FactSpec], spec: FactSpec, parent: str) -> None:
    if parent not in every:
        raise KnowledgeError(f'it implies "{parent}", and there is no such fact', spec.path)
    if every[parent].type != "bool" or spec.type != "bool":
        raise KnowledgeError(f'"implies" joins facts of the type bool: {spec.name}, {parent}', spec.path)


def refuse_circles(facts: dict[str, FactSpec]) -> None:
    """No conclusion may hold itself up, neither by its value nor by its absence.

    A fact may be derived true from another fact's truth and false from its falsehood: these are two nodes. A
    derivation counts only where none before it holds, so its node depends on those of another value as well.
    """
    done: set[Node] = set()

    def visit(node: Node, path: tuple[Node, ...]) -> None:
        if node in path:
            circle = " -> ".join(name for name, _ in (*path[path.index(node) :], node))
            raise KnowledgeError(f"derived facts go in a circle: {circle}", facts[node[0]].path)
        if node not in done and node[0] in facts:
            for read in _reads(facts, node):
                visit(read, (*path, node))
            done.add(node)

    for spec in facts.values():
        for derivation in spec.derived:
            for node in _concluded(spec, derivation):
                visit(node, ())


def _concluded(spec: FactSpec, derivation: Derivation) -> list[Node]:
    """What a derivation may conclude: one value, or either where it takes what another fact says."""
    if spec.type != "bool":
        return [(spec.name, None)]
    if derivation.items_of or derivation.copy_of:
        return [(spec.name, True), (spec.name, False)]
    return [(spec.name, derivation.value.lower() == "true")]


def _reads(facts: dict[str, FactSpec], node: Node) -> Iterator[Node]:
    spec = facts[node[0]]
    concluded = [_concluded(spec, derivation) for derivation in spec.derived]
    last = max((i for i, nodes in enumerate(concluded) if node in nodes), default=-1)
    for derivation, nodes in zip(spec.derived[: last + 1], concluded, strict=False):
        if node not in nodes:
            yield from nodes
            continue
        yield from _read_by(facts, derivation.when, True)
        for copied in filter(None, (derivation.items_of, derivation.copy_of)):
            yield from _nodes(facts, copied)


def _nodes(facts: dict[str, FactSpec], fact: str) -> Iterator[Node]:
    if fact in facts:
        yield from ([(fact, True), (fact, False)] if facts[fact].type == "bool" else [(fact, None)])


def _read_by(facts: dict[str, FactSpec], condition: Condition, wanted: bool) -> Iterator[Node]:
    if isinstance(condition, Not):
        yield from _read_by(facts, condition.part, not wanted)
    elif not isinstance(condition, Test):
        for part in condition.parts:
            yield from _read_by(facts, part, wanted)
    elif condition.operator == "in" and condition.argument in ((True,), (False,)):
        yield (condition.fact, (condition.argument == (True,)) is wanted)
    else:
        for fact in condition.reads:
            yield from _nodes(facts, fact)
