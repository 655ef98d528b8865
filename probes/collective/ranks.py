"""Starts ranks as children, watches them against a clock, kills them, and reads what they left.

No wait here is without a limit: a job takes its budget and at most two seconds more. Output goes to files, not
pipes, so that nothing that survives a rank can block us.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.redaction import redact
from ..janitor import kill_group, segments
from ..text import safe, strip_escapes
from .nursery import Nursery

POLL = 0.02
GRACE = 2.0
"""Seconds that the other ranks get once one has failed: they may still say what they saw."""
STACKS = 0.3
KILLING = 1.2
_OUTPUT = 16000
_SAMPLE = 0.5

Event = dict[str, Any]
OnEvent = Callable[[int, Event], None]


class RankEnd(NamedTuple):
    """How one rank ended, and the last that was heard of it."""

    rank: int
    code: int | None  # exit status; negative for a signal; None where it was still running
    events: tuple[Event, ...] = ()
    output: str = ""
    state: str = ""  # kernel state (R, S, D, T ...) and wait channel when its time was up
    wchan: str = ""
    frame: str = ""  # innermost Python frame when its time was up
    abandoned: bool = False  # it outlived SIGKILL

    @property
    def late(self) -> bool:
        """Whether it was still running when its time was up."""
        return self.code is None

    @property
    def last(self) -> Event:
        """The last line that it wrote."""
        return self.events[-1] if self.events else {"stage": "none"}


class JobEnd(NamedTuple):
    """What became of a job."""

    ranks: tuple[RankEnd, ...]
    seconds: float
    why: str  # done, budget, stall or failure
    logs: tuple[tuple[str, str], ...] = ()  # NCCL's own logs: name and text


class _Rank:
    def __init__(self, number: int, child: subprocess.Popen[bytes], output: IO[bytes], events: Path) -> None:
        self.number, self.child, self.output, self.path = number, child, output, events
        self.events: list[Event] = []
        self._read = 0
        self._rest = b""
        self.state = self.wchan = self.frame = ""
        self.code: int | None = None
        self.abandoned = False

    def poll(self) -> int | None:
        if self.code is None:
            self.code = self.child.poll()
        return self.code

    def new_events(self) -> list[Event]:
        """Lines written since the last call; a broken line is skipped."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self._read)
                data = file.read(1 << 20)
        except OSError:
            return []
        self._read += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        found = []
        for line in lines:
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if isinstance(event, dict) and isinstance(event.get("stage"), str):
                    found.append({k: redact(safe(v)) if isinstance(v, str) else v for k, v in event.items()})
        self.events += found
        return found

    def text(self) -> str:
        size = os.fstat(self.output.fileno()).st_size
        self.output.seek(max(0, size - _OUTPUT))
        return shown(self.output.read(_OUTPUT))


def shown(data: bytes) -> str:
    """What a rank printed, without terminal escapes and secrets: it may be anything."""
    return redact(safe(strip_escapes(data).decode("utf-8", "replace")))


@dataclass
class RankJob:
    """One run of all ranks, under way. ``stall``: seconds without a line of any rank once all are connected."""

    nursery: Nursery
    folder: Path
    ranks: list[_Rank]
    deadline: float
    stall: float
    on_event: OnEvent | None = None
    started: float = field(default_factory=time.monotonic)
    _news: float = 0.0
    _failed: float | None = None
    _sampled: float = 0.0
    why: str = ""

    def step(self) -> bool:
        """Look once; whether the job is over."""
        now = time.monotonic()
        codes = [rank.poll() for rank in self.ranks]
        for rank in self.ranks:
            for event in rank.new_events():
                self._news = now
                if self.on_event:
                    self.on_event(rank.number, event)
        if now - self._sampled > _SAMPLE:
            self._sampled = now
            self._note_segments()
        if None not in codes:
            self.why = "done"
        elif now >= self.deadline:
            self.why = "budget"
        elif any(code for code in codes):
            self._failed = self._failed or now
            if now - self._failed > GRACE:
                self.why = "failure"
        elif self._connected() and now - self._news > self.stall:
            self.why = "stall"
        return bool(self.why)

    def _connected(self) -> bool:
        return all(any(e["stage"] in ("pg_ready", "check") for e in rank.events) for rank in self.ranks)

    def _note_segments(self) -> None:
        for rank in self.ranks:
            if rank.code is None:
                self.nursery.note_segments(segments(rank.child.pid))


def start(
    nursery: Nursery,
    folder: Path,
    commands: Sequence[Sequence[str]],
    environment: dict[str, str],
    budget: float,
    stall: float = 1e9,
    on_event: OnEvent | None = None,
    first: int = 0,
) -> RankJob:
    """Start every rank in a process group of its own. Raises OSError if the interpreter cannot be started."""
    begun = time.monotonic()
    ranks: list[_Rank] = []
    try:
        for place, command in enumerate(commands):
            output = open(folder / f"rank{first + place}.out", "w+b")  # noqa: SIM115 - read after the end
            child = nursery.start(command, environment, output, folder)
            ranks.append(_Rank(first + place, child, output, folder / f"rank{first + place}.jsonl"))
    except OSError:
        _kill(nursery, ranks)
        raise
    return RankJob(nursery, folder, ranks, begun + budget, stall, on_event, begun, begun)


def finish(jobs: Sequence[RankJob]) -> list[JobEnd]:
    """Wait for all the jobs, end what is still running, and read what was left."""
    running = list(jobs)
    while running:
        running = [job for job in running if not job.step()]
        if running:
            time.sleep(POLL)
    late = [rank for job in jobs for rank in job.ranks if rank.poll() is None]
    _take_evidence(late)
    for job in jobs:
        job._note_segments()
    if jobs:
        _kill(jobs[0].nursery, [rank for job in jobs for rank in job.ranks])
    return [_end(job, late) for job in jobs]


def _take_evidence(late: list[_Rank]) -> None:
    """State in the kernel, then the stacks of all threads, of ranks whose time is up."""
    for rank in late:
        rank.state, rank.wchan = kernel_state(rank.child.pid)
    before = {rank.child.pid: len(rank.text()) for rank in late}
    for rank in late:
        with contextlib.suppress(ProcessLookupError):
            os.kill(rank.child.pid, signal.SIGUSR1)
        if rank.state in "Tt":  # a stopped process writes its stacks when it goes on
            with contextlib.suppress(ProcessLookupError):
                os.kill(rank.child.pid, signal.SIGCONT)
    deadline = time.monotonic() + STACKS
    waiting = list(late)
    while waiting and time.monotonic() < deadline:
        time.sleep(POLL)
        waiting = [
            rank
            for rank in waiting
            if rank.child.poll() is None
            and not rank.text()[before[rank.child.pid] :].rstrip().endswith(_BOTTOM)
        ]
    for rank in late:
        rank.frame = innermost_frame(rank.text())


_BOTTOM = "in <module>"
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)


def innermost_frame(output: str) -> str:
    """The first frame of the thread that runs the test in the last dump, as ``file:line function``."""
    found = ""
    for block in re.split(r"\n(?=(?:Current thread|Thread) 0x)", output):
        frames = _FRAME.findall(block)
        if frames and any(name.endswith("rank.py") for name, _, _ in frames):
            name, line, function = frames[0]
            found = f"{name}:{line} {function}"
    return found


def kernel_state(pid: int) -> tuple[str, str]:
    """The state letter of a process and where in the kernel it waits; empty if it is gone or hidden."""
    state = wchan = ""
    with contextlib.suppress(OSError, IndexError):
        state = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    with contextlib.suppress(OSError):
        wchan = Path(f"/proc/{pid}/wchan").read_text(errors="replace").strip("0\n")
    return state, wchan


def _kill(nursery: Nursery, ranks: list[_Rank]) -> None:
    """Kill the groups of all ranks, also of those that ended: their children may live on."""
    for rank in ranks:
        kill_group(rank.child.pid)
    deadline = time.monotonic() + KILLING
    left = list(ranks)
    while left:
        left = [rank for rank in left if rank.child.poll() is None]
        if not left or time.monotonic() > deadline:
            break
        time.sleep(POLL / 4)
    for rank in left:
        rank.abandoned = True
    nursery.sweep()


def _end(job: RankJob, late: list[_Rank]) -> JobEnd:
    ends = []
    for rank in job.ranks:
        rank.new_events()
        ends.append(
            RankEnd(
                rank.number,
                None if rank in late else rank.code,
                tuple(rank.events),
                rank.text(),
                rank.state,
                rank.wchan,
                rank.frame,
                rank.abandoned,
            )
        )
        rank.output.close()
    logs = []
    for path in sorted(job.folder.glob("nccl.*.log")):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            logs.append((path.name, shown(file.read(4 << 20))))
    return JobEnd(tuple(ends), time.monotonic() - job.started, job.why, tuple(logs))
