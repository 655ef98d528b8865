"""``gpudoctor --facts``, ``--report`` and ``--probe``: conclude without asking."""

from __future__ import annotations

import argparse
import os

from ...engine import EngineError
from ..errors import UsageError
from ..inputs.knowledge import load_knowledge
from ..inputs.machine import add_machine, names_machine
from ..inputs.reports import read_reports, reports_of
from ..inputs.sessions import conclude_on, opened
from ..output import render, write


def diagnose(arguments: argparse.Namespace) -> int:
    """Read everything, conclude, print. Nothing is printed if any input is bad."""
    knowledge = load_knowledge(arguments.kb)
    reports = reports_of(arguments)
    if [*arguments.facts, *reports].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    try:
        session = opened(knowledge, arguments)
        nodes = None
        if arguments.facts or arguments.expect is not None:
            from ..inputs.factsfiles import read_nodes  # brings YAML, which a report does without

            nodes = read_nodes(session, arguments.facts, arguments.expect)
        if arguments.captured and os.path.isdir(arguments.captured):
            from ..inputs.bedside import captures_in, read_captures

            if nodes:
                raise UsageError("--from with a folder holds all nodes: give no facts of nodes beside it")
            nodes = read_captures(session, captures_in(arguments.captured))
            arguments.captured = None
        read_reports(session, reports)
        if nodes and (arguments.probe or names_machine(arguments)):
            raise UsageError(
                "--probe and its options speak of one machine: give captures of all nodes instead"
            )
        if nodes and arguments.save:
            raise UsageError("--save keeps a session of one machine; --format json --output keeps all nodes")
        if arguments.probe or names_machine(arguments):
            add_machine(session, arguments)
        if arguments.since:
            if nodes:
                raise UsageError("--since compares one machine: give no facts of several nodes beside it")
            from ..inputs.snapshots import add_since

            add_since(session, arguments.since)
        diagnosis = conclude_on(nodes, session, arguments.engine) if nodes else session.diagnosis()
        if arguments.save:
            from ...engine.session.sessionfile import save

            save(session, arguments.save)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, render(diagnosis.to_dict(), arguments))
    return diagnosis.exit_status
