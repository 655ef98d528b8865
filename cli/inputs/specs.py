"""What ``gpudoctor audit`` looks at: specs, package lists, facts files and the live probes, as subjects."""

from __future__ import annotations

import argparse
import os

from ...engine.audit import Subject
from ...engine.errors import EngineError
from ...engine.facts import FILE, Fact, Origin, Statement
from ...engine.knowledge import Knowledge
from ..errors import UsageError
from .texts import named, read_text

_LARGEST = 4 << 20


def subjects_of(knowledge: Knowledge, arguments: argparse.Namespace) -> list[Subject]:
    """The machine first, if anything is said of it, then every launch. Raises UsageError."""
    machine: list[Statement] = []
    nodes: list[Subject] = []
    for name in arguments.facts:
        said, captured = _facts(knowledge, name)
        machine += said
        nodes += captured
    if arguments.probe or arguments.root or arguments.captured or arguments.pid or arguments.python:
        from .machine import examined

        with examined(knowledge, arguments) as (examination, _):
            machine += examination.statements
    launches: list[Subject] = []
    for name in arguments.spec:
        packages, found = _spec(knowledge, name)
        machine += packages
        launches += found
    if len(nodes) == 1:
        machine += nodes.pop().statements
    return [*([Subject("", tuple(machine))] if machine else ()), *nodes, *launches]


def _facts(knowledge: Knowledge, name: str) -> tuple[list[Statement], list[Subject]]:
    from ...engine.facts.factsfile import read_any
    from ...engine.facts.nodefacts import NodeFactsReader, said_by

    type_of = knowledge.vocabulary.spec
    where = named(name)
    found = read_any(read_text(name, _LARGEST), where, lambda: NodeFactsReader(type_of), type_of)
    return found.statements, [Subject(one.host, tuple(said_by(one))) for one in found.nodes]


def _spec(knowledge: Knowledge, name: str) -> tuple[list[Statement], list[Subject]]:
    from ...probes.specs import read_spec

    where = named(name)
    if os.path.isdir(name):
        raise UsageError(f"{name}: is a folder; name the files, as in {name.rstrip('/')}/*.yaml")
    spec = read_spec(read_text(name, _LARGEST), where, knowledge.packages())
    packages: list[Statement] = []
    for said in spec.packages:
        packages.append(Fact(said.name, said.value, Origin(FILE, f"{where}:{said.line}")))
    subjects = []
    for launch in spec.launches:
        facts = [(one.name, one) for one in launch.facts]
        facts += [(f"env.{one.name}", one) for one in launch.settings]
        statements = []
        for fact, one in facts:
            try:
                knowledge.vocabulary.spec(fact)
            except EngineError:
                continue  # a variable with a name that no shell takes, or a product without a table
            statements.append(Fact(fact, one.value, Origin(FILE, f"{where}:{one.line}")))
        place = f"{where}:{launch.line}"
        subjects.append(Subject(launch.name, tuple(statements), launch.kind, place))
    return packages, subjects
