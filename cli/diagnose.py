"""``gpudoctor --facts``, ``--report`` and ``--probe``: conclude without asking."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..engine import EngineError, Knowledge, Session
from .errors import UsageError

if TYPE_CHECKING:
    from ..engine.diagnosis import Diagnosis
    from ..engine.fleet import Fleet


def diagnose(arguments: argparse.Namespace) -> int:
    """Read everything, conclude, print. Nothing is printed if any input is bad."""
    knowledge = load_knowledge(arguments.kb)
    reports = [name for names in arguments.report for name in names]
    if [*arguments.facts, *reports].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    try:
        session = opened(knowledge, arguments)
        nodes = read_all_facts(session, arguments.facts, arguments.expect)
        if reports:
            read_report_files(session, reports)
        if nodes and (arguments.probe or names_machine(arguments)):
            raise UsageError(
                "--probe and its options speak of one machine: give captures of all nodes instead"
            )
        if nodes and arguments.save:
            raise UsageError("--save keeps a session of one machine; --format json --output keeps all nodes")
        if arguments.probe or names_machine(arguments):
            add_machine(session, arguments)
        diagnosis = conclude_on(nodes, session, arguments.engine) if nodes else session.diagnosis()
        if arguments.save:
            from ..engine.sessionfile import save

            save(session, arguments.save)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, render(diagnosis.to_dict(), arguments))
    return diagnosis.exit_status


def opened(knowledge: Knowledge, arguments: argparse.Namespace) -> Session:
    """A new session, or the one to resume, with a note for everything that no longer fits."""
    if not arguments.resume:
        return Session(knowledge, arguments.engine)
    from ..engine.sessionfile import load

    saved = load(knowledge, arguments.resume, arguments.engine)
    for dropped in saved.dropped:
        saved.session.note(dropped)
    return saved.session


def names_machine(arguments: argparse.Namespace) -> bool:
    """Whether an option says which machine, environment or process is meant; that asks for the probes."""
    return bool(arguments.root or arguments.captured or arguments.pid or arguments.python)


def add_machine(session: Session, arguments: argparse.Namespace) -> None:
    """Add what the probes find to a session, and say so if there is no GPU to speak of."""
    from .probe import examined

    with examined(session.knowledge, arguments) as (examination, _):
        for statement in examination.statements:
            session.add(statement)
    if session.value("gpu.count") == 0:
        whose = "the machine of this capture" if arguments.root or arguments.captured else "this machine"
        session.note(
            f"There is no GPU in {whose}: it can tell nothing about a job on GPUs. Run gpudoctor where the job "
            "runs, or bring its log (--report) and facts (--facts)."
        )


def load_knowledge(overlays: list[str]) -> Knowledge:
    """The knowledge base with its overlays. An overlay that the linter refuses is refused whole."""
    try:
        knowledge = Knowledge.load(*overlays)
        if overlays:
            from ..engine.lint import lint

            problems = lint(*overlays)
            if problems:
                more = (
                    f" (and {len(problems) - 1} more; gpudoctor kb lint lists them)"
                    if len(problems) > 1
                    else ""
                )
                raise UsageError(f"{problems[0]}{more}")
    except EngineError as error:
        raise UsageError(str(error)) from None
    return knowledge


def read_all_facts(session: Session, names: list[str], expect: str | None) -> Fleet | None:
    """Add every facts file to a session; the nodes, if the files hold facts of several."""
    if not names and expect is None:
        return None
    from .nodes import read_nodes  # brings YAML, which a report does without

    return read_nodes(session, names, expect)


def conclude_on(nodes: Fleet, session: Session, engine: str) -> Diagnosis:
    """The diagnosis of many nodes, with what the session was told of the whole job."""
    from ..engine.fleetdiagnosis import diagnose_fleet

    notes = [(text, session.partial) for text in session.notes]
    return diagnose_fleet(
        session.knowledge, nodes, session.statements(), session.error_lines(), engine, notes
    )


def read_facts_file(session: Session, name: str) -> None:
    """Add a facts file to a session, whole or not at all."""
    from .nodes import add_facts

    add_facts(session, [name])


def read_text(name: str, largest: int) -> str:
    """A small text file, or standard input for ``-``. Raises UsageError."""
    where = "standard input" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with open(name, "rb") as file:
                data = file.read(largest + 1)
    except OSError as error:
        raise UsageError(f"{where}: cannot be read: {error.strerror}") from None
    if len(data) > largest:
        raise UsageError(f"{where}: larger than {largest >> 20} MiB: this is no facts file")
    if b"\0" in data:
        raise UsageError(f"{where}: this is a binary file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{where}: this is not UTF-8 text") from None


def read_report_files(session: Session, names: list[str]) -> None:
    """Add what the reports say, read together, to a session. Ctrl-C ends the reading, not the program."""
    from pathlib import Path

    from ..probes.files import FileError, report_files
    from ..probes.report import Reader
    from .progress import ReadingProgress

    progress = ReadingProgress(names, sys.stderr)

    def texts() -> Iterator[tuple[str, Iterable[bytes]]]:
        for name in names:
            if name == "-":
                yield "standard input", progress.watched(_standard_input)
            elif not progress.stopped:
                yield from report_files(Path(name), progress)

    try:
        with progress:
            for fact in Reader(session.knowledge).read_all(texts()):
                session.add(fact)
    except FileError as error:
        raise UsageError(str(error)) from None
    for note in progress.notes:
        session.note(note, partial=True)


def _standard_input() -> bytes:
    read: Callable[[int], bytes] = getattr(sys.stdin.buffer, "read1", sys.stdin.buffer.read)
    return read(1 << 20)


def render(document: dict[str, Any], arguments: argparse.Namespace) -> Any:
    """The diagnosis in the chosen format: a string, or a sheet for a terminal."""
    if getattr(arguments, "site_url", None):
        from .addresses import add_pages

        add_pages(document, arguments.site_url)
    if arguments.format == "json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if arguments.format == "markdown":
        from .markdownreport import markdown_report

        return markdown_report(document)
    from .language import Language, preferred
    from .paint import terminal_width
    from .textreport import text_report

    width = 80 if arguments.output else terminal_width(sys.stdout)
    return text_report(document, width, Language(arguments.lang or preferred()))


def write(arguments: argparse.Namespace, content: Any) -> None:
    """Write to ``--output`` or standard output."""
    from .paint import Sheet, paint, wants_color

    if arguments.output:
        text = content.plain() if isinstance(content, Sheet) else content
        try:
            with open(arguments.output, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"{arguments.output}: cannot be written: {error.strerror}") from None
    elif isinstance(content, Sheet):
        paint(content, sys.stdout, wants_color(arguments.color, sys.stdout))
    else:
        sys.stdout.write(content)
    sys.stdout.flush()
