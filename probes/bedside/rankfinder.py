"""Which processes of a job are its ranks, and how they are called."""

from __future__ import annotations

from .places import IDLE, WAITS, place, telling
from .processes import RAY, Process, ranks
from .rayworkers import AGENTS, IDLE_TITLE
from .stacks import Stack

_SPAWN = "torch/multiprocessing/spawn.py"


def ranks_of(processes: dict[int, Process], read: dict[int, Stack]) -> dict[int, Process]:
    """Those that variables number, or workers of Ray that wait for one another, or what else looks like a rank."""
    threads = {pid: thread for pid, stack in read.items() if (thread := telling(stack.threads))}
    doing = {pid: place(thread.frames).doing for pid, thread in threads.items()}
    waiting = {pid for pid, what in doing.items() if what in WAITS}
    of_ray = _of_ray(processes, doing, waiting)
    numbered = ranks(processes)
    if numbered and not of_ray & waiting:  # the driver of a job in Slurm has a number as well
        return numbered
    spawned = {
        pid
        for pid, stack in read.items()
        if any(f.file.endswith(_SPAWN) and f.name == "_wrap" for f in stack.main)
    }
    found = spawned or of_ray or waiting
    if not found:
        python = [pid for pid, process in processes.items() if process.python]
        found = set(python[:1])
    return {pid: processes[pid] for pid in found if pid in processes}


def _of_ray(processes: dict[int, Process], doing: dict[int, str], waiting: set[int]) -> set[int]:
    """Workers of Ray that do something, and idle ones of a kind of which another one waits for its peers."""
    works = {
        p.pid: p.name.partition(".")[0] for p in processes.values() if _works_for_ray(p) and p.pid in doing
    }
    kinds = {works[pid] for pid in waiting & set(works)}
    return {pid for pid, kind in works.items() if doing[pid] != IDLE or kind in kinds}


def _works_for_ray(process: Process) -> bool:
    return process.name.startswith(RAY) and not process.name.startswith((IDLE_TITLE, *AGENTS))


def labels_of(
    chosen: dict[int, Process], processes: dict[int, Process], read: dict[int, Stack]
) -> dict[int, tuple[str, int | None]]:
    """The name of each rank, and its number where it has one."""
    numbered = all(p.rank is not None and not p.name.startswith(RAY) for p in chosen.values())
    spawned = all(any(f.file.endswith(_SPAWN) for f in read[pid].main) for pid in chosen if pid in read)
    order = sorted(chosen.values(), key=lambda process: (int(process.started), process.pid))
    found: dict[int, tuple[str, int | None]] = {}
    for number, process in enumerate(order):
        rank = process.rank if numbered else number if spawned and len(order) > 1 else None
        kind = process.name if process.name.startswith(RAY) else "process"
        found[process.pid] = (f"rank {rank}" if rank is not None else f"{kind} {process.pid}", rank)
    return found


def above(process: Process, processes: dict[int, Process], chosen: dict[int, Process]) -> int:
    """The rank below which a process runs; 0 if it is none's."""
    parent = process.parent
    while parent in processes:
        if parent in chosen:
            return parent
        parent = processes[parent].parent
    return 0
