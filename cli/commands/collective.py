"""``gpudoctor collective``: test the collectives, say which transport is broken, and conclude."""

from __future__ import annotations

import argparse
from typing import Any

from ...engine import EngineError, Session
from ...engine.facts import Fact
from ...probes.collective import CollectiveResult
from ...probes.collective.report import lines, log_facts
from ..errors import OK, UsageError
from ..inputs.collectives import options_of, run_test
from ..inputs.factsfiles import add_facts
from ..inputs.knowledge import load_knowledge
from ..inputs.machine import identity_here, probed
from ..output import render, width_of, write
from ..render.screen import Screen

BROKEN = {
    "none": "The collectives pass: none of the transports that are in use is broken.",
    "settings": "A setting of yours breaks it: without them the test passes.",
    "gpu": "A GPU fails alone: no transport is to blame, but the GPU, its driver or the library.",
    "nvls": "NVLS (NVLink SHARP) is broken: without it the test passes.",
    "cumem": "Memory by cuMem is broken: without it the test passes.",
    "protocol": "A low-latency protocol is broken: with the protocol Simple the test passes.",
    "p2p": "P2P, the direct path between GPUs, is broken: without it the test passes.",
    "shm": "Shared memory between the ranks is broken: over the network alone the test passes.",
    "interface": "The chosen network interface is broken: over the loopback the test passes.",
    "ib": "InfiniBand or RoCE is broken: over sockets the test passes.",
    "everything": "Every transport fails: look below them, at the bootstrap's interface, the driver, the versions.",
}


def collective(arguments: argparse.Namespace) -> int:
    """Test, conclude, print."""
    if arguments.nodes:
        return _print_lines(arguments)
    if arguments.lines:
        raise UsageError("--print goes with --nodes HOSTFILE: the hosts on which to start the test")
    knowledge = load_knowledge(arguments.kb)
    session = Session(knowledge, arguments.engine)
    try:
        for name in arguments.facts:
            add_facts(session, [name])
        if arguments.probe:
            for statement in probed(arguments, knowledge):
                session.add(statement)
        result = run_test(options_of(arguments))
        add_result(session, result)
        diagnosis = session.diagnosis()
        if arguments.save:
            from ...engine.session.sessionfile import save

            session.identity = identity_here()
            save(session, arguments.save)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, _rendered(session, result, diagnosis.to_dict(), arguments))
    return diagnosis.exit_status


def _print_lines(arguments: argparse.Namespace) -> int:
    """The lines for srun, mpirun, torchrun and Ray."""
    if not arguments.lines:
        raise UsageError(
            "--nodes goes with --print: the lines are for your launcher, nothing is started from here"
        )
    from ..inputs.hostfile import read_host_file
    from ..render.launchlines import launch_lines

    write(arguments, launch_lines(read_host_file(arguments.nodes), arguments))
    return OK


def add_result(session: Session, result: CollectiveResult) -> None:
    """Add what was established, and what the baseline's logs say, to a session."""
    for statement in result.statements:
        session.add(statement)
    for fact in log_facts(result.tested, session.knowledge):
        session.add(fact)


def _rendered(
    session: Session, result: CollectiveResult, document: dict[str, Any], arguments: argparse.Namespace
) -> Any:
    if arguments.format == "yaml":
        return facts_yaml(result)
    content = render(document, arguments)
    if not isinstance(content, Screen):
        return content
    screen = Screen(width_of(arguments))
    summary(screen, session, result)
    screen.line()
    screen.lines += content.lines
    return screen


def summary(screen: Screen, session: Session, result: CollectiveResult) -> None:
    """What was run and what is broken."""
    broken = session.value("collective.broken")
    screen.line("COLLECTIVE TEST", "bold")
    screen.paragraph(result.tested.plan.words(result.tested.seconds).rpartition(";")[0], 2, "dim")
    screen.line()
    for value, name, text in lines(result.tested):
        style = {"pass": "green", "ok": "green", "-": "dim"}.get(value, "bold red")
        screen.paragraph(text, 2, style if value == "-" else "", f"{value:8} {name:18} ")
    if broken is not None:
        screen.line()
        screen.paragraph(BROKEN[str(broken)], 2, "bold")
    elif any(run.bad for run in result.tested.runs):
        screen.line()
        screen.paragraph("The runs above do not isolate one transport.", 2, "bold")


def facts_yaml(result: CollectiveResult) -> str:
    """The facts as a file that ``--facts`` takes; what could not be established as comments."""
    import yaml

    facts = {s.name: s.value for s in result.statements if isinstance(s, Fact)}
    gaps = [s for s in result.statements if not isinstance(s, Fact)]
    text = yaml.safe_dump(facts, sort_keys=True, allow_unicode=True)
    return text + "".join(f"# {gap.name}: {' '.join(gap.reason.split())}\n" for gap in gaps)
