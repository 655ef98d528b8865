"""Looks at a job, one after the other: where each rank stands, and whether it has moved since the look before."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from .calls import at_line
from .gauges import Gauge, gauges
from .gil import held
from .look import Look, Member, OwnFrame
from .places import DEVICE, IDLE, OWN, own_frames, place, serves, telling
from .processes import RAY, Process, below_program, family, open_files
from .program import Sources
from .rankfinder import above, labels_of, ranks_of
from .rayworkers import SERVICES, RayWorkers
from .stacks import Stack, Thread, stacks
from .stir import SPINS, Sight, stirred, worked

MOST = 512
"""Processes of which stacks are read in one look."""
_AGAIN, _BETWEEN = 3, 0.05
"""How often those are looked at again that use the processor at one place, and the seconds in between."""
_GPU = ("/dev/nvidia", "/dev/kfd", "/dev/dri/renderD")


class Bedside:
    """Looks at the processes below some roots, and at the workers of Ray that work for them."""

    def __init__(self, roots: Iterable[int]) -> None:
        self._roots = list(roots)
        self._ray = RayWorkers()
        self._sources = Sources()
        self._before: dict[int, Sight] = {}
        self._others: dict[int, Process] = {}
        self._known: dict[tuple[int, str], str] = {}  # ranks seen, by number and start of the process
        self.native: dict[str, tuple[Thread, ...]] = {}
        """Of the last look with ``native``: the threads of each member that were in calls of libraries."""

    def look(self, native: bool = False) -> Look:
        """What there is now."""
        processes = family(self._roots)
        processes.update(family(self._ray.of(pid for pid, process in processes.items() if process.python)))
        python = [pid for pid, process in processes.items() if process.python]
        read = self._read(processes, python, native)
        chosen = ranks_of(processes, read)
        labels = labels_of(chosen, processes, read)
        owners = {pid: pid if pid in labels else above(processes[pid], processes, chosen) for pid in read}
        seen = {pid: self._sight(processes[pid], read[pid]) for pid, owner in owners.items() if owner}
        members = tuple(self._members(seen, owners, labels))
        if native:
            called = {m.name: tuple(t for t in read[m.pid].threads if t.native) for m in members}
            self.native = {name: threads for name, threads in called.items() if threads}
        others = {pid: process for pid, process in processes.items() if not process.python}
        busy = any(self._busy(process) for process in others.values() if process.name not in SERVICES)
        self._before, self._others = seen, others
        gone = self._gone(labels, processes, seen)
        world = max((process.world or 0 for process in chosen.values()), default=0)
        return Look(
            time.time(), os.uname().nodename, members, gone, world, busy, self._gauges(members)
        )  # fmt: skip

    @staticmethod
    def _read(processes: dict[int, Process], python: list[int], native: bool) -> dict[int, Stack]:
        asked = [pid for pid in python[:MOST] if processes[pid].state not in "T"]
        read = stacks(asked, native)
        return {pid: read.get(pid, Stack((), "")) for pid in python}

    def _sight(self, process: Process, stack: Stack) -> Sight:
        thread = telling(stack.threads)
        frames = thread.frames if thread else ()
        gpu = any(file.startswith(_GPU) for file in open_files(process.pid))
        stands = place(frames)
        if frames and stands.doing == OWN:
            stands = at_line(stands, self._sources.text(process.pid, frames[0].file, frames[0].line), gpu)
        if stands.doing == OWN and (call := serves(stack.threads)):
            stands = stands._replace(doing=IDLE, call=call)
        calls = stands.doing == OWN and thread is not None and thread.number == process.pid
        below = below_program(process.pid) if calls else 0
        return Sight(time.monotonic(), process, stack, stands, gpu, below)

    def _members(
        self, seen: dict[int, Sight], owners: dict[int, int], labels: dict[int, tuple[str, int | None]]
    ) -> Iterable[Member]:
        found = {pid: stirred(self._before.get(pid), sight) for pid, sight in seen.items()}
        for pid in self._moved_after_all([pid for pid, (_, stir) in found.items() if stir == SPINS], seen):
            found[pid] = (True, "")
        for pid, sight in seen.items():
            owner, (moved, stir) = owners[pid], found[pid]
            name, rank = labels.get(pid) or (f"worker {pid} of {labels[owner][0]}", None)
            lock = held(self._before.get(pid), sight) if not moved else held(None, sight)
            process = sight.process
            yield Member(
                pid, rank, name, 0 if pid in labels else owner, process.state, process.wchan, sight.place,
                () if moved else self._path(sight), moved, sight.gpu, sight.stack.problem, stir, lock.by, lock.at,
            )  # fmt: skip

    def _path(self, sight: Sight) -> tuple[OwnFrame, ...]:
        path = []
        for frame in own_frames(sight.thread.frames if sight.thread else ())[-12:]:
            around = self._sources.around(sight.process.pid, frame.file, frame.line)
            path.append(
                OwnFrame(frame.file, frame.name, frame.line,
                     tuple((b.line, b.side, b.condition, b.of_rank) for b in around.branches),
                     tuple((x.line, x.last, x.over, x.until_exhausted) for x in around.loops))
            )  # fmt: skip
        return tuple(path)

    @staticmethod
    def _moved_after_all(pids: list[int], seen: dict[int, Sight]) -> set[int]:
        """Those that a closer look finds at another place, or without the lock that they held, or with it."""
        moved: set[int] = set()
        for _ in range(_AGAIN):
            left = [pid for pid in pids if pid not in moved and seen[pid].place.doing != DEVICE]
            if not left:
                break
            time.sleep(_BETWEEN)
            for pid, stack in stacks(left).items():
                if stack.threads:
                    now = seen[pid]._replace(stack=stack)
                    if (now.position, now.holder) != (seen[pid].position, seen[pid].holder):
                        moved.add(pid)
        return moved

    def _busy(self, process: Process) -> bool:
        before = self._others.get(process.pid)
        return before is None or before.started != process.started or worked(before, process)

    def _gone(
        self, labels: dict[int, tuple[str, int | None]], processes: dict[int, Process], seen: dict[int, Sight]
    ) -> tuple[str, ...]:
        for pid, (name, rank) in labels.items():
            if rank is None and len(labels) == 1:
                continue  # perhaps the launcher, whose ranks are still to come
            key = (pid, processes[pid].started)
            if seen[pid].place.doing == IDLE and name.startswith(RAY):
                self._known.pop(key, None)  # Ray ends workers that have nothing to do
            else:
                self._known.setdefault(key, name)
        gone = [
            name
            for (pid, started), name in self._known.items()
            if pid not in processes or processes[pid].started != started
        ]
        return tuple(dict.fromkeys(gone))

    @staticmethod
    def _gauges(members: Iterable[Member]) -> tuple[Gauge, ...]:
        """Asked only where nobody moves and a rank may wait for its GPU."""
        ranks_here = [member for member in members if not member.is_worker]
        if any(m.moved for m in ranks_here) or not any(m.gpu for m in ranks_here):
            return ()
        return gauges([member.pid for member in members if member.gpu])
