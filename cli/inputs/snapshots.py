"""What a capture, a session or a facts file says of a machine, to be compared with another; and the last good ones."""

from __future__ import annotations

import contextlib
import os
import shutil

from ...engine import EngineError, Knowledge, Session
from ...engine.facts import Fact, Statement
from ...engine.session.change import CHANGED, Snapshot, changed_facts, difference
from ...engine.session.identity import OTHER
from ..errors import UsageError
from .texts import read_text

_LARGEST = 16 << 20
_SUFFIXES = (".tar.gz", ".tgz")
_GOOD = "good-"
_TOLD = 3


def snapshot(knowledge: Knowledge, name: str) -> Snapshot:
    """The snapshot in a file. Raises UsageError."""
    try:
        if name.endswith(_SUFFIXES):
            return _of_capture(knowledge, name)
        return _of_text(knowledge, name)
    except EngineError as error:
        raise UsageError(str(error)) from None


def _of_capture(knowledge: Knowledge, name: str) -> Snapshot:
    from ...probes.capture import CaptureError, unpacked
    from ...probes.live import ProbeError, examine
    from ...probes.machine.identity import identity
    from ...probes.machine.world import World

    try:
        with unpacked(name) as root:
            found = examine(knowledge, root=root)
            return _settled(knowledge, name, found.statements)._replace(identity=identity(World(root)))
    except (CaptureError, ProbeError) as error:
        raise UsageError(str(error)) from None


def _of_text(knowledge: Knowledge, name: str) -> Snapshot:
    from ...engine.facts.factsfile import read_any
    from ...engine.facts.nodefacts import NodeFactsReader, said_by
    from ...engine.session.sessionfile import SCHEMA, read

    text = read_text(name, _LARGEST)
    if SCHEMA in text[:400]:
        session = read(knowledge, text, name).session
        return _of_session(name, session)
    type_of = knowledge.vocabulary.spec
    found = read_any(text, name, lambda: NodeFactsReader(type_of), type_of)
    if len(found.nodes) > 1:
        raise UsageError(f"{name}: holds several nodes: compare one with one")
    said = [*found.statements, *(statement for node in found.nodes for statement in said_by(node))]
    return _settled(knowledge, name, said)


def _settled(knowledge: Knowledge, name: str, said: list[Statement] | tuple[Statement, ...]) -> Snapshot:
    session = Session(knowledge)
    for statement in said:
        session.add(statement)
    return _of_session(name, session)


def _of_session(name: str, session: Session) -> Snapshot:
    names = {statement.name for statement in session.statements() if isinstance(statement, Fact)}
    values = {fact: value for fact in sorted(names) if (value := session.value(fact)) is not None}
    return Snapshot(name, values, session.identity)


def add_since(session: Session, name: str) -> None:
    """Add what changed since a snapshot of when it worked: a file, or a folder of the last good ones.

    What a session knows now must be in it already. Raises UsageError.
    """
    from ...probes.text import on_one_line

    file = last_good(name) if os.path.isdir(name) else name
    before = snapshot(session.knowledge, file)
    found = difference(session.knowledge, before, _of_session("now", session))
    shown = on_one_line(os.path.basename(file))
    if found.same == OTHER:
        session.note(
            f"{shown} is of another machine ({found.why}): what changed since then says nothing here"
        )
        return
    facts = list(changed_facts(found, file))
    for fact in facts:
        session.add(fact)
    told = "; ".join(f"{fact.name.removeprefix(CHANGED)} {fact.origin.text}" for fact in facts[:_TOLD])
    more = f"; and {len(facts) - _TOLD} more (gpudoctor diff)" if len(facts) > _TOLD else ""
    session.note(
        f"changed since {shown}: {told}{more}" if facts else f"nothing known has changed since {shown}"
    )


def last_good(folder: str) -> str:
    """The newest capture of this machine among the last good ones. Raises UsageError."""
    mine = _mine(folder)
    if not mine:
        raise UsageError(
            f"{folder}: the folder holds no good capture of this machine (gpudoctor probe --history DIR keeps one)"
        )
    return os.path.join(folder, mine[-1])


def _mine(folder: str) -> list[str]:
    """The good captures of this host in a folder, oldest first."""
    start = f"{_GOOD}gpudoctor-{os.uname().nodename}-"
    try:
        mine = [n for n in os.listdir(folder) if n.startswith(start) and n.endswith(_SUFFIXES)]
        return sorted(mine, key=lambda n: os.path.getmtime(os.path.join(folder, n)))
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}") from None


def keep_good(source: str, folder: str, most: int) -> str:
    """Move a capture of a machine that was well into a folder of the last good ones, ``most`` of each host; its name.

    Raises UsageError.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        target = os.path.join(folder, _GOOD + os.path.basename(source))
        shutil.move(source, target)
        mine = _mine(folder)
        for name in mine[: max(0, len(mine) - most)]:
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None
    return target
