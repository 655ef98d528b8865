"""``--probe``, ``--root``, ``--from``, ``--pid`` and ``--python``: what the probes find, and on which machine."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...engine import Knowledge, Session
from ...engine.facts import Statement
from ..errors import UsageError

if TYPE_CHECKING:
    from ...engine.session.identity import Identity
    from ...probes.live import Examination
    from ...probes.machine.world import World

_LIMIT, _DEEP = 10.0, 22.0  # seconds for a round


def names_machine(arguments: argparse.Namespace) -> bool:
    """Whether an option says which machine, environment or process is meant; that asks for the probes."""
    return bool(arguments.root or arguments.captured or arguments.pid or arguments.python)


def add_machine(session: Session, arguments: argparse.Namespace) -> None:
    """Add what the probes find to a session, and say so if there is no GPU to speak of."""
    with examined(session.knowledge, arguments) as (examination, world):
        if not _same_machine(session, world):
            return
        for statement in examination.statements:
            session.add(statement)
        at_bedside = bool(arguments.captured) and _at_bedside(session, world)
    if session.value("gpu.count") == 0 and not at_bedside:
        whose = "the machine of this capture" if arguments.root or arguments.captured else "this machine"
        session.note(
            f"There is no GPU in {whose}: it can tell nothing about a job on GPUs. Run gpudoctor where the job "
            "runs, or bring its log (--report) and facts (--facts)."
        )


def _at_bedside(session: Session, world: World) -> bool:
    from .bedside import add_chart

    return add_chart(session, world.root)


def _same_machine(session: Session, world: World) -> bool:
    """Whether the machine may be that of the session; of another one nothing is taken, and the session says so."""
    from ...engine.session.identity import OTHER, compare
    from ...probes.machine.identity import identity

    found = identity(world)
    same, why = compare(session.identity, found)
    if same == OTHER:
        session.note(
            f"This is not the machine of the session: {why}. What was measured here is left out.",
            partial=True,
        )
        return False
    session.identity = found or session.identity
    return True


def identity_here() -> Identity | None:
    """Which machine this is."""
    from ...probes.machine.identity import identity
    from ...probes.machine.world import World

    return identity(World())


@contextlib.contextmanager
def examined(knowledge: Knowledge, arguments: argparse.Namespace) -> Iterator[tuple[Examination, World]]:
    """The findings for the machine, environment and process that the options name, and that machine."""
    from ...probes.capture import CaptureError, unpacked
    from ...probes.live import ProbeError, examine
    from ...probes.machine.world import World
    from ..progress.probing import ProbeProgress

    check_named(arguments)
    try:
        with contextlib.ExitStack() as stack:
            root = arguments.root or "/"
            deep = getattr(arguments, "deep", False)
            if arguments.captured:
                root = stack.enter_context(unpacked(arguments.captured))
            progress = stack.enter_context(ProbeProgress(sys.stderr))
            found = examine(
                knowledge,
                root=root,
                python=arguments.python,
                pid=arguments.pid,
                only=getattr(arguments, "only", ()),
                skip=getattr(arguments, "skip", ()),
                timeout=getattr(arguments, "timeout", None) or (_DEEP if deep else _LIMIT),
                deep=deep,
                progress=progress,
            )
            yield found, World(root)
    except (ProbeError, CaptureError) as error:
        raise UsageError(str(error)) from None


def check_named(arguments: argparse.Namespace) -> None:
    """Whether the process and the interpreter that are named are on this machine. Raises UsageError."""
    if getattr(arguments, "root", None) or getattr(arguments, "captured", None):
        return
    if arguments.pid and not os.path.isdir(f"/proc/{arguments.pid}"):
        raise UsageError(f"--pid: there is no process {arguments.pid}")
    import shutil  # brings compression

    if arguments.python and not shutil.which(arguments.python):
        raise UsageError(f"--python: {arguments.python} is no program that can be run")


def probed(arguments: argparse.Namespace, knowledge: Knowledge) -> tuple[Statement, ...]:
    """What the live probes find. Raises UsageError."""
    from ...probes.live import ProbeError, examine
    from ..progress.probing import ProbeProgress

    try:
        with ProbeProgress(sys.stderr) as progress:
            return examine(knowledge, python=arguments.python, progress=progress).statements
    except ProbeError as error:
        raise UsageError(str(error)) from None
