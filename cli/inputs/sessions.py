"""The session to conclude from: a new one or the one to resume, alone or beside the nodes of a fleet."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...engine import Knowledge, Session

if TYPE_CHECKING:
    from ...engine.diagnosis import Diagnosis
    from ...engine.fleet import Fleet


def opened(knowledge: Knowledge, arguments: argparse.Namespace) -> Session:
    """A new session, or the one to resume, with a note for everything that no longer fits."""
    if not arguments.resume:
        return Session(knowledge, arguments.engine)
    from ...engine.session.sessionfile import load

    saved = load(knowledge, arguments.resume, arguments.engine)
    for dropped in saved.dropped:
        saved.session.note(dropped)
    return saved.session


def conclude_on(nodes: Fleet, session: Session, engine: str) -> Diagnosis:
    """The diagnosis of many nodes, with what the session was told of the whole job."""
    from ...engine.fleet import diagnose_fleet

    notes = [(text, session.partial) for text in session.notes]
    return diagnose_fleet(
        session.knowledge, nodes, session.statements(), session.error_lines(), engine, notes
    )
