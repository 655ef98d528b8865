"""``gpudoctor fleet``: gather the facts of a Ray cluster and diagnose it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from typing import TYPE_CHECKING

from ...engine import EngineError, Session
from ...engine.facts.nodefacts import NodeFactsReader
from ...engine.fleet import SILENT, NodeProblem, assemble
from ..errors import UsageError
from ..inputs.factsfiles import add_facts, read_expected
from ..inputs.knowledge import load_knowledge
from ..inputs.reports import read_reports, reports_of
from ..inputs.sessions import conclude_on
from ..output import render, write
from ..progress.nodes import NodeProgress

if TYPE_CHECKING:
    from ...engine.diagnosis import Diagnosis
    from ...probes.raycluster.answers import ClusterAnswer
    from ...probes.raycluster.client import ClusterError


def fleet(arguments: argparse.Namespace) -> int:
    """Ask the cluster, conclude, print. A cluster that cannot be asked is evidence as well."""
    from ...probes.raycluster.client import ClusterError, examine_cluster

    knowledge = load_knowledge(arguments.kb)
    wanted = read_expected(arguments.expect) if arguments.expect is not None else 0
    try:
        session = Session(knowledge, arguments.engine)
        add_facts(session, arguments.facts)
        read_reports(session, reports_of(arguments))
        with NodeProgress(sys.stderr) as progress:
            answer = examine_cluster(
                knowledge,
                address=arguments.address,
                python=arguments.python or job_python(),
                timeout=arguments.timeout,
                progress=progress.update,
            )
        _tell(session, answer)
        reader = NodeFactsReader(knowledge.vocabulary.spec)
        captures = [reader.of(node.name, node.boot_id, node.statements) for node in answer.nodes]
        trouble = [NodeProblem(SILENT, name, reason) for name, reason in answer.silent]
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
    from ...probes.report import read_report

    found = list(read_report(error.text, "Ray", session.knowledge)) if error.text else []
    if not any(fact.name.startswith("symptom.") for fact in found):
        raise UsageError(str(error)) from None
    for fact in found:
        session.add(fact)
    session.note(str(error), partial=True)
    return session.diagnosis()
