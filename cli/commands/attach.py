"""``gpudoctor attach``: where the ranks of a job that already runs stand, and what that means."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping

from ...engine import EngineError
from ...engine.characters import seen
from ...probes.bedside.chart import NATIVE, Job
from ...probes.bedside.groups import sentences
from ...probes.bedside.hang import Watch
from ...probes.bedside.kernel import since
from ...probes.bedside.look import Bedside, Look
from ...probes.bedside.native import innermost, native_text
from ...probes.bedside.processes import jobs, look_at
from ...probes.bedside.ras import ask
from ...probes.bedside.stacks import Thread
from ..errors import UsageError
from ..inputs.bedside import conclude, keep
from ..inputs.knowledge import load_knowledge
from ..output import render, width_of, write
from ..render.screen import Screen

_KERNEL_SECONDS = 3600.0


def attach(arguments: argparse.Namespace) -> int:
    """Look several times, keep the evidence, conclude, print."""
    pids = jobs() if arguments.all else arguments.pids
    if arguments.all and arguments.pids:
        raise UsageError("--all means every job on this machine: name no process beside it")
    if not pids:
        raise UsageError(
            "no process here holds a rank: name one"
            if arguments.all
            else "attach needs a process: PID..., or --all"
        )
    for pid in pids:
        if not os.path.isdir(f"/proc/{pid}"):
            raise UsageError(f"there is no process {pid}")
    knowledge = load_knowledge(arguments.kb)
    bedside = Bedside(pids)
    looks, hangs = _looks(bedside, arguments.seconds, arguments.native)
    if not looks[-1].members:
        there = any((one := look_at(pid)) and one.state not in "ZX" for pid in pids)
        raise UsageError(
            "no Python runs in these processes or below them"
            if there
            else "these processes have ended, or did while they were looked at"
        )
    first = look_at(pids[0])
    job = Job(
        first.command if first else "", os.uname().nodename, pids[0], arguments.seconds, None,
        "nobody has moved" if hangs else "", arguments.seconds if hangs else 0.0,
    )  # fmt: skip
    texts = {
        "kernel.log": since(_KERNEL_SECONDS),
        "ras.txt": ask(os.environ.get("NCCL_RAS_ADDR", "")),
        NATIVE: native_text(bedside.native).encode(),
    }
    name = keep(job, looks, texts, {}, arguments.evidence or ".", looks[-1].ranks[0].pid)
    try:
        diagnosis = conclude(knowledge, name, arguments.engine)
    except EngineError as error:
        raise UsageError(str(error)) from None
    shown = render(diagnosis.to_dict(), arguments)
    if isinstance(shown, Screen):
        screen = Screen(width_of(arguments))
        _lay_out(screen, looks[-1], bool(hangs), name, bedside.native)
        screen.lines += shown.lines
        shown = screen
    write(arguments, shown)
    return diagnosis.exit_status


def _looks(bedside: Bedside, seconds: float, native: bool) -> tuple[list[Look], bool]:
    """Looks over so many seconds, and whether nobody moved in between while somebody waited."""
    watch = Watch(seconds * 0.6)
    looks: list[Look] = []
    hangs = False
    for number in range(5):
        if number:
            time.sleep(seconds / 4)
        looks.append(bedside.look(native and number == 4))
        hangs = watch.saw(looks[-1], time.monotonic()) is not None or (hangs and not _moved(looks[-1]))
    return looks[-3:], hangs


def _moved(look: Look) -> bool:
    return look.busy or any(member.moved for member in look.members)


def _lay_out(
    screen: Screen, look: Look, hangs: bool, name: str, native: Mapping[str, tuple[Thread, ...]]
) -> None:
    screen.line("WHERE THE RANKS STAND", "bold")
    for sentence in sentences(look):
        screen.paragraph(sentence, 2)
    for member, threads in native.items():
        screen.paragraph(seen(f"{member} is in {innermost(threads)}"), 2)
    if look.problem:
        screen.paragraph(seen(f"Stacks cannot be read: {look.problem}"), 2, "bold")
    if not hangs:
        screen.paragraph(
            "Something moved while they were looked at: this is no hang, or not yet one.", 2, "dim"
        )
    screen.paragraph(f"evidence: {name}", 2, "dim")
    screen.line()
