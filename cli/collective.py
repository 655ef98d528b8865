"""``gpudoctor collective``: test the collectives, say which transport is broken, and conclude."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from ..engine import EngineError, Knowledge, Session
from ..engine.facts import Fact, Statement
from ..probes.collective import CollectiveError, CollectiveResult, Options, run_collective
from ..probes.collective.report import lines, log_facts
from ..probes.collective.runs import STALL
from .diagnose import load_knowledge, read_facts_file, render, write
from .errors import UsageError
from .paint import Sheet, terminal_width
from .stages import StageLine

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
        from .nodelines import print_lines

        return print_lines(arguments)
    if arguments.lines:
        raise UsageError("--print goes with --nodes HOSTFILE: the hosts on which to start the test")
    knowledge = load_knowledge(arguments.kb)
    session = Session(knowledge, arguments.engine)
    try:
        for name in arguments.facts:
            read_facts_file(session, name)
        if arguments.probe:
            from .verify import probed

            for statement in probed(arguments, knowledge):
                session.add(statement)
        result = test(options_of(arguments))
        take(session, result)
        diagnosis = session.diagnosis()
        if arguments.save:
            from ..engine.sessionfile import save

            save(session, arguments.save)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, _rendered(session, result, diagnosis.to_dict(), arguments))
    return diagnosis.exit_status


def options_of(arguments: argparse.Namespace, **more: Any) -> Options:
    """What the command line asks for."""
    return Options(
        backend=arguments.backend,
        ranks=arguments.ranks,
        budget=arguments.budget,
        python=arguments.python or "",
        yes=arguments.yes,
        stall=STALL,
        **{
            "matrix": getattr(arguments, "matrix", False),
            "join": getattr(arguments, "join", None) or "",
            "node": getattr(arguments, "node", 0),
            "nodes": getattr(arguments, "node_count", 1),
            **more,
        },
    )


def test(options: Options) -> CollectiveResult:
    """Run the test with its progress on standard error. Raises UsageError where no test can be made."""
    with StageLine(sys.stderr) as line:
        try:
            return run_collective(options, line.heard, line.announce)
        except CollectiveError as error:
            raise UsageError(str(error)) from None


def take(session: Session, result: CollectiveResult) -> None:
    """Add what was established, and what the baseline's logs say, to a session."""
    for statement in result.statements:
        session.add(statement)
    for fact in log_facts(result.tested, session.knowledge):
        session.add(fact)


def on_request(knowledge: Knowledge, python: str | None = None) -> Callable[[], list[Statement]]:
    """The test as the conversation calls it; what it calls raises UsageError where no test can be made."""

    def tested() -> list[Statement]:
        result = test(Options(python=python or "", stall=STALL))
        return [*result.statements, *log_facts(result.tested, knowledge)]

    return tested


def _rendered(
    session: Session, result: CollectiveResult, document: dict[str, Any], arguments: argparse.Namespace
) -> Any:
    if arguments.format == "yaml":
        return facts_yaml(result)
    content = render(document, arguments)
    if not isinstance(content, Sheet):
        return content
    sheet = Sheet(80 if arguments.output else terminal_width(sys.stdout))
    summary(sheet, session, result)
    sheet.line()
    sheet.lines += content.lines
    return sheet


def summary(sheet: Sheet, session: Session, result: CollectiveResult) -> None:
    """What was run and what is broken."""
    broken = session.value("collective.broken")
    sheet.line("COLLECTIVE TEST", "bold")
    sheet.paragraph(result.tested.plan.words(result.tested.seconds).rpartition(";")[0], 2, "dim")
    sheet.line()
    for value, name, text in lines(result.tested):
        style = {"pass": "green", "ok": "green", "-": "dim"}.get(value, "bold red")
        sheet.paragraph(text, 2, style if value == "-" else "", f"{value:8} {name:18} ")
    if broken is not None:
        sheet.line()
        sheet.paragraph(BROKEN[str(broken)], 2, "bold")
    elif any(run.bad for run in result.tested.runs):
        sheet.line()
        sheet.paragraph("The runs above do not isolate one transport.", 2, "bold")


def facts_yaml(result: CollectiveResult) -> str:
    """The facts as a file that ``--facts`` takes; what could not be established as comments."""
    import yaml

    facts = {s.name: s.value for s in result.statements if isinstance(s, Fact)}
    gaps = [s for s in result.statements if not isinstance(s, Fact)]
    text = yaml.safe_dump(facts, sort_keys=True, allow_unicode=True)
    return text + "".join(f"# {gap.name}: {' '.join(gap.reason.split())}\n" for gap in gaps)
