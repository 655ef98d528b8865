"""``gpudoctor attach``: where the ranks of a job that already runs stand, and what that means."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine import Diagnosis, EngineError, Knowledge
from ...engine.characters import seen
from ...probes.bedside.chart import NATIVE, Job
from ...probes.bedside.groups import sentences
from ...probes.bedside.hang import Watch
from ...probes.bedside.jobs import jobs
from ...probes.bedside.kernel import since
from ...probes.bedside.look import Look
from ...probes.bedside.native import innermost, native_text
from ...probes.bedside.processes import look_at
from ...probes.bedside.ras import status as ras_status
from ...probes.bedside.stacks import Thread
from ...probes.bedside.visits import Bedside
from ...probes.files import shown
from ..errors import UsageError
from ..inputs.bedside import conclude, keep
from ..inputs.knowledge import load_knowledge
from ..output import as_json, render, width_of, write
from ..render.screen import Screen

_KERNEL_SECONDS = 3600.0
_ROUNDS = 5


def attach(arguments: argparse.Namespace) -> int:
    """Look several times at each job, keep the evidence, conclude, print."""
    if arguments.all and arguments.pids:
        raise UsageError("--all means every job on this machine: name no process beside it")
    groups = jobs() if arguments.all else [arguments.pids] if arguments.pids else []
    if not groups:
        raise UsageError(
            "no process here holds a rank: name one"
            if arguments.all
            else "attach needs a process: PID..., or --all"
        )
    for pid in (pid for pids in groups for pid in pids if not arguments.all):
        if not os.path.isdir(f"/proc/{pid}"):
            raise UsageError(f"there is no process {pid}")
    knowledge = load_knowledge(arguments.kb)
    visits = [_Visit(pids, arguments.seconds) for pids in groups]
    for number in range(_ROUNDS):
        if number:
            time.sleep(arguments.seconds / (_ROUNDS - 1))
        for visit in visits:
            visit.look(arguments.native and number == _ROUNDS - 1)
    there = [visit for visit in visits if visit.looks[-1].ranks]
    if not there:
        alive = any((found := look_at(pid)) and found.state not in "ZX" for pids in groups for pid in pids)
        raise UsageError(
            "no Python runs in these processes or below them"
            if alive
            else "these processes have ended, or did while they were looked at"
        )
    many = len(groups) > 1
    if many and arguments.format == "prometheus":
        named = ", ".join(str(visit.pids[0]) for visit in there)
        raise UsageError(f"--format prometheus holds one job: name one of {named}")
    for visit in visits:
        if visit not in there:
            sys.stderr.write(f"JOB {visit.pids[0]} has ended while it was looked at\n")
    concluded: list[_Concluded] = []
    statuses: list[int] = []
    for visit in there:
        try:
            one = _concluded(knowledge, visit, arguments)
        except UsageError as error:  # what the other jobs gave is not thrown away
            if not many:
                raise
            sys.stderr.write(f"JOB {visit.pids[0]}: {error}\n")
            statuses.append(2)
            continue
        concluded.append(one)
        statuses.append(one.diagnosis.exit_status)
    if concluded:
        write(arguments, _shown(concluded, arguments, many))
    return 1 if 1 in statuses else max(statuses)


class _Concluded(NamedTuple):
    """A job with what was concluded; ``evidence`` is the capture's file."""

    visit: _Visit
    job: Job
    evidence: str
    diagnosis: Diagnosis


def _shown(found: list[_Concluded], arguments: argparse.Namespace, many: bool) -> Any:
    """All jobs: one JSON document, one text, or screens below one another."""
    documents = [render(one.diagnosis.to_dict(), arguments) for one in found]
    if not many:
        return _with_stands(found[0], documents[0], arguments)
    if arguments.format == "json":
        shown = [
            {
                "pid": one.job.pid,
                "command": one.job.command,
                "evidence": one.evidence,
                "diagnosis": one.diagnosis.to_dict(),
            }
            for one in found
        ]
        return as_json({"schema": "gpudoctor/jobs/1", "jobs": shown})
    heads = [f"{one.job.pid}  {one.job.command[:60]}" for one in found]
    if arguments.format == "markdown":
        texts = zip(heads, documents, strict=True)
        return "\n\n".join(f"# Job {head.replace('`', '')}\n\n{text}" for head, text in texts)
    screen = Screen(width_of(arguments))
    for one, head, document in zip(found, heads, documents, strict=True):
        screen.line(seen(f"JOB {head}"), "bold")
        screen.lines += _with_stands(one, document, arguments).lines
        screen.line()
    return screen


def _with_stands(one: _Concluded, shown: Any, arguments: argparse.Namespace) -> Any:
    """On a screen, where the ranks stand comes first."""
    if not isinstance(shown, Screen):
        return shown
    screen = Screen(width_of(arguments))
    _lay_out(screen, one.visit.looks[-1], one.visit.hangs, one.evidence, one.visit.bedside.native)
    screen.lines += shown.lines
    return screen


class _Visit:
    """One job while it is looked at."""

    def __init__(self, pids: list[int], seconds: float) -> None:
        self.pids = pids
        self.bedside = Bedside(pids)
        self.looks: list[Look] = []
        self.hangs = False
        """Whether nobody moved in between while somebody waited."""
        self._watch = Watch(seconds * 0.6)

    def look(self, native: bool) -> None:
        """One more look; the last three are kept."""
        look = self.bedside.look(native)
        self.looks = [*self.looks, look][-3:]
        told = self._watch.saw(look, time.monotonic()) is not None
        self.hangs = told or (self.hangs and not _moved(look))


def _concluded(knowledge: Knowledge, visit: _Visit, arguments: argparse.Namespace) -> _Concluded:
    look = visit.looks[-1]
    first = look_at(visit.pids[0])
    job = Job(
        shown(first.command) if first else "", os.uname().nodename, visit.pids[0], arguments.seconds, None,
        "nobody has moved" if visit.hangs else "", arguments.seconds if visit.hangs else 0.0,
    )  # fmt: skip
    texts = {
        "kernel.log": since(
            _age([*visit.pids, *(m.pid for m in look.ranks)]), [member.pid for member in look.members]
        ),
        "ras.txt": ras_status([member.pid for member in look.members]),
        NATIVE: native_text(visit.bedside.native).encode(),
    }
    name = keep(knowledge, job, visit.looks, texts, {}, arguments.evidence or ".", look.ranks[0].pid)
    try:
        return _Concluded(visit, job, name, conclude(knowledge, name, arguments.engine))
    except EngineError as error:
        raise UsageError(str(error)) from None


def _age(pids: list[int]) -> float:
    """Seconds since the oldest of these processes began; what the kernel said before concerns another job."""
    begun = [int(found.started) / os.sysconf("SC_CLK_TCK") for pid in pids if (found := look_at(pid))]
    return min(time.clock_gettime(time.CLOCK_BOOTTIME) - min(begun), _KERNEL_SECONDS) if begun else 0.0


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
        words = (
            "Something moved while they were looked at: this is no hang, or not yet one."
            if _moved(look)
            else "Nobody moved while they were looked at. A longer look (--seconds) tells whether it is a hang."
        )
        screen.paragraph(words, 2, "dim")
    screen.paragraph(f"evidence: {name}", 2, "dim")
    screen.line()
