"""``gpudoctor fleet``: facts of every node of a Ray cluster, one diagnosis."""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
import time
from typing import TYPE_CHECKING, TextIO

from ..engine import EngineError, Session
from ..engine.capture import CaptureReader
from ..engine.fleet import SILENT, Finding, assemble
from .diagnose import conclude_on, load_knowledge, read_report_files, render, write
from .errors import UsageError
from .nodes import add_facts, read_expected

if TYPE_CHECKING:
    from ..engine.diagnosis import Diagnosis
    from ..probes.raycluster.answers import ClusterAnswer
    from ..probes.raycluster.client import ClusterError

_PAUSE = 0.1


def fleet(arguments: argparse.Namespace) -> int:
    """Ask the cluster, conclude, print. A cluster that cannot be asked is evidence as well."""
    from ..probes.raycluster.client import ClusterError, examine_cluster

    knowledge = load_knowledge(arguments.kb)
    wanted = read_expected(arguments.expect) if arguments.expect is not None else 0
    reports = [name for names in arguments.report for name in names]
    try:
        session = Session(knowledge, arguments.engine)
        add_facts(session, arguments.facts)
        if reports:
            read_report_files(session, reports)
        with NodeProgress(sys.stderr) as progress:
            answer = examine_cluster(
                knowledge,
                address=arguments.address,
                python=arguments.python or job_python(),
                timeout=arguments.timeout,
                progress=progress.heard,
            )
        _tell(session, answer)
        reader = CaptureReader(knowledge.vocabulary.spec)
        captures = [reader.of(node.name, node.boot_id, node.statements) for node in answer.nodes]
        trouble = [Finding(SILENT, name, reason) for name, reason in answer.silent]
        nodes = assemble(captures, reader, knowledge.vocabulary.spec, trouble, wanted)
        diagnosis = conclude_on(nodes, session, arguments.engine)
    except ClusterError as error:
        diagnosis = _without_cluster(session, error)
    except EngineError as error:
        raise UsageError(str(error)) from None
    write(arguments, render(diagnosis.to_dict(), arguments))
    return diagnosis.exit_status


def job_python() -> str:
    """The interpreter of the job, where nobody names one: the active environment, or the one that has Ray."""
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        path = os.path.join(os.environ.get(variable, ""), "bin", "python")
        if os.environ.get(variable) and os.access(path, os.X_OK):
            return path
    return sys.executable if importlib.util.find_spec("ray") else "python3"


def _tell(session: Session, answer: ClusterAnswer) -> None:
    """What is known of the cluster as a whole."""
    for statement in answer.statements:
        session.add(statement)
    for note in answer.notes:
        session.note(note)
    session.note(f"{len(answer.nodes)} nodes answered within {answer.seconds:.1f} s")


def _without_cluster(session: Session, error: ClusterError) -> Diagnosis:
    """Why nobody could be asked may itself be a known incident: what Ray said is read as a report is."""
    from ..probes.report import read_report

    found = list(read_report(error.text, "Ray", session.knowledge)) if error.text else []
    if not any(fact.name.startswith("symptom.") for fact in found):
        raise UsageError(str(error)) from None
    for fact in found:
        session.add(fact)
    session.note(str(error), partial=True)
    return session.diagnosis()


class NodeProgress:
    """How many nodes have answered: a bar on a terminal, and nothing elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._shown = 0.0

    def __enter__(self) -> NodeProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._stream:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def heard(self, answered: int, asked: int) -> None:
        """So many of the nodes have answered, or were given up."""
        now = time.monotonic()
        if not self._stream or (now - self._shown < _PAUSE and answered < asked):
            return
        self._shown = now
        share = answered / max(asked, 1)
        line = (
            f"[{'#' * round(20 * share):<20}] {answered} of {asked} nodes" if asked else "connecting to Ray"
        )
        self._stream.write("\r" + line[: max(shutil.get_terminal_size().columns - 1, 10)] + "\x1b[K")
        self._stream.flush()
