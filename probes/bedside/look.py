"""Looks at a job, one after the other: where each rank stands, and whether it has moved since the look before."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from .places import DEVICE, IDLE, OWN, PATIENT, WAITS, WORKER, Place, own_frames, place
from .processes import Process, family, ranks
from .program import Sources
from .stacks import Frame, Stack, Thread, stacks

MOST = 512
"""Processes of which stacks are read in one look."""
_SPAWN = "torch/multiprocessing/spawn.py"
_GPU = ("/dev/nvidia", "/dev/kfd", "/dev/dri/renderD")


class Step(NamedTuple):
    """One call of the person's own program, with the branches and loops around its line."""

    file: str
    function: str
    line: int
    branches: tuple[tuple[int, str, str, bool], ...]
    loops: tuple[tuple[int, int, str, bool], ...]


class Member(NamedTuple):
    """A rank, or a worker of one: where it stands, and ``moved``: whether it has done something since the last look."""

    pid: int
    rank: int | None
    name: str
    of: int
    state: str
    wchan: str
    place: Place
    path: tuple[Step, ...]
    moved: bool
    gpu: bool
    problem: str

    @property
    def is_worker(self) -> bool:
        """Whether it works for a rank and is none itself."""
        return self.of != 0


class Look(NamedTuple):
    """Everything seen at one moment. ``gone``: names of ranks that were there before; ``world``: how many ranks the job
    has by its own account, 0 if nothing says so."""

    at: float
    host: str
    members: tuple[Member, ...]
    gone: tuple[str, ...]
    world: int
    busy: bool
    """Whether another process of the job, such as a compiler, has worked since the look before."""

    @property
    def ranks(self) -> list[Member]:
        """The ranks, in order."""
        return sorted(
            (m for m in self.members if not m.is_worker), key=lambda m: (m.rank is None, m.rank or 0, m.pid)
        )

    @property
    def problem(self) -> str:
        """Why stacks could not be read, where none could."""
        problems = [member.problem for member in self.ranks]
        return problems[0] if problems and all(problems) else ""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a capture."""
        members = [
            {**m._asdict(), "place": m.place._asdict(), "path": [step._asdict() for step in m.path]}
            for m in self.members
        ]
        return {**self._asdict(), "members": members}


def read_look(data: Any) -> Look | None:
    """A look from a capture; None if it is none."""
    try:
        members = []
        for item in data["members"]:
            path = tuple(
                Step(str(s["file"]), str(s["function"]), int(s["line"]),
                     tuple((int(b[0]), str(b[1]), str(b[2]), bool(b[3])) for b in s["branches"]),
                     tuple((int(b[0]), int(b[1]), str(b[2]), bool(b[3])) for b in s["loops"]))
                for s in item["path"]
            )  # fmt: skip
            at = item["place"]
            doing, call, section, file = (str(at[key]) for key in ("doing", "call", "section", "file"))
            stands = Place(doing, call, section, file, int(at["line"]))
            rank = item["rank"]
            members.append(
                Member(int(item["pid"]), None if rank is None else int(rank), str(item["name"])[:80], int(item["of"]),
                       str(item["state"])[:1], str(item["wchan"])[:80], stands, path, item["moved"] is True,
                       item["gpu"] is True, str(item["problem"])[:400])
            )  # fmt: skip
        gone = tuple(str(name)[:80] for name in data["gone"])
        return Look(
            float(data["at"]),
            str(data["host"])[:253],
            tuple(members),
            gone,
            int(data["world"]),
            data["busy"] is True,
        )
    except (KeyError, TypeError, ValueError, IndexError):
        return None


class Bedside:
    """Looks at the processes below some roots, and remembers what it saw."""

    def __init__(self, roots: Iterable[int]) -> None:
        self._roots = list(roots)
        self._before: dict[int, tuple[Process, tuple[tuple[str, int], ...]]] = {}
        self._known: dict[tuple[int, str], str] = {}  # ranks seen, by number and start of the process
        self.native: dict[str, tuple[Thread, ...]] = {}
        """Of the last look with ``native``: the threads of each member that were in calls of libraries."""

    def look(self, native: bool = False) -> Look:
        """What there is now."""
        processes = family(self._roots)
        python = [pid for pid, process in processes.items() if process.python]
        asked = [pid for pid in python[:MOST] if processes[pid].state not in "T"]
        read = stacks(asked, native)
        read.update({pid: Stack((), "") for pid in python if pid not in read})
        chosen = ranks(processes) or _without_numbers(processes, read)
        labels = _labels(chosen, processes, read)
        members = [
            self._member(processes[pid], read[pid], labels.get(pid), processes, chosen)
            for pid in python
            if pid in read
        ]
        kept = tuple(member for member in members if member is not None)
        if native:
            called = {m.name: tuple(t for t in read[m.pid].threads if t.native) for m in kept}
            self.native = {name: threads for name, threads in called.items() if threads}
        busy = any(self._worked(process) for pid, process in processes.items() if not process.python)
        self._before = {
            pid: (p, _shape(read[pid].main) if pid in read else ()) for pid, p in processes.items()
        }
        for pid, (name, rank) in labels.items():
            if rank is None and len(labels) == 1:
                continue  # perhaps the launcher, whose ranks are still to come
            self._known.setdefault((pid, processes[pid].started), name)
        gone = [
            name
            for (pid, started), name in self._known.items()
            if pid not in processes or processes[pid].started != started
        ]
        world = max((process.world or 0 for process in chosen.values()), default=0)
        return Look(time.time(), os.uname().nodename, kept, tuple(dict.fromkeys(gone)), world, busy)

    def _member(
        self,
        process: Process,
        stack: Stack,
        label: tuple[str, int | None] | None,
        processes: dict[int, Process],
        chosen: dict[int, Process],
    ) -> Member | None:
        of = 0
        if label is None:
            of = _above(process, processes, chosen)
            if not of:
                return None  # a launcher
            label = (f"worker {process.pid} of {_name(chosen[of])}", None)
        stands = place(stack.main)
        sources = Sources(process.pid)
        path = []
        for frame in own_frames(stack.main)[-12:]:
            around = sources.around(frame.file, frame.line)
            path.append(
                Step(frame.file, frame.name, frame.line,
                     tuple((b.line, b.side, b.condition, b.of_rank) for b in around.branches),
                     tuple((x.line, x.last, x.over, x.until_exhausted) for x in around.loops))
            )  # fmt: skip
        return Member(
            process.pid, label[1], label[0], of, process.state, process.wchan, stands, tuple(path),
            self._moved(process, stack, stands), _uses_gpu(process.pid), stack.problem,
        )  # fmt: skip

    def _moved(self, process: Process, stack: Stack, stands: Place) -> bool:
        before = self._before.get(process.pid)
        if before is None or before[0].started != process.started:
            return True
        if process.state in "TD":
            return False
        if stack.main and _shape(stack.main) != before[1]:
            return True
        if stands.doing in PATIENT or stands.doing == IDLE:
            return False
        if stands.doing == WORKER and stack.main and not _in_dataset(stack.main):
            return False  # it waits to be told what to load
        return self._worked(process)

    def _worked(self, process: Process) -> bool:
        before = self._before.get(process.pid)
        if before is None or before[0].started != process.started:
            return True
        was = before[0]
        return (
            process.own_ticks > was.own_ticks
            or process.switches > was.switches + 1
            or process.ticks > was.ticks + 2
        )


def _in_dataset(frames: Iterable[Frame]) -> bool:
    return any(frame.file.endswith("torch/utils/data/_utils/fetch.py") for frame in frames)


def _shape(frames: Iterable[Frame]) -> tuple[tuple[str, int], ...]:
    return tuple((frame.name, frame.line) for frame in frames)


def _without_numbers(processes: dict[int, Process], read: dict[int, Stack]) -> dict[int, Process]:
    """Ranks of a job that no variable numbers: those that spawn started, or that wait for one another."""
    spawned = {
        pid
        for pid, stack in read.items()
        if any(f.file.endswith(_SPAWN) and f.name == "_wrap" for f in stack.main)
    }
    waiting = {pid for pid, stack in read.items() if place(stack.main).doing in WAITS}
    actors = {pid for pid, process in processes.items() if process.name.startswith("ray::")}
    found = spawned or waiting or actors
    if not found:
        python = [pid for pid, process in processes.items() if process.python]
        found = set(python[:1])
    return {pid: processes[pid] for pid in found if pid in processes}


def _labels(
    chosen: dict[int, Process], processes: dict[int, Process], read: dict[int, Stack]
) -> dict[int, tuple[str, int | None]]:
    numbered = all(process.rank is not None for process in chosen.values())
    spawned = all(any(f.file.endswith(_SPAWN) for f in read[pid].main) for pid in chosen if pid in read)
    order = sorted(chosen.values(), key=lambda process: (int(process.started), process.pid))
    found: dict[int, tuple[str, int | None]] = {}
    for number, process in enumerate(order):
        rank = process.rank if numbered else number if spawned and len(order) > 1 else None
        kind = process.name if process.name.startswith("ray::") else "process"
        found[process.pid] = (f"rank {rank}" if rank is not None else f"{kind} {process.pid}", rank)
    return found


def _name(process: Process) -> str:
    return f"rank {process.rank}" if process.rank is not None else f"process {process.pid}"


def _above(process: Process, processes: dict[int, Process], chosen: dict[int, Process]) -> int:
    """The rank below which a process runs; 0 if it is none's."""
    parent = process.parent
    while parent in processes:
        if parent in chosen:
            return parent
        parent = processes[parent].parent
    return 0


def _uses_gpu(pid: int) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        for name in os.listdir(folder)[:4096]:
            try:
                target = os.readlink(f"{folder}/{name}")
            except OSError:
                continue
            if target.startswith(_GPU):
                return True
    except OSError:
        pass
    return False


def waits(member: Member) -> bool:
    """Whether a rank waits for somebody else, as far as its stack tells."""
    return member.place.doing in PATIENT or (member.gpu and member.place.doing in (DEVICE, OWN))
