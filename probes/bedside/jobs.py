"""The jobs that run on this machine: processes that hold the numbers of ranks, and drivers and workers of Ray."""

from __future__ import annotations

import os

from .processes import look_at, ranks, variable
from .rayworkers import ray_jobs


def jobs() -> list[list[int]]:
    """The topmost processes of each job, the oldest job first: what ``attach --all`` means."""
    everyone = {int(name): look_at(int(name)) for name in os.listdir("/proc") if name.isdecimal()}
    known = {pid: process for pid, process in everyone.items() if process}
    found: dict[object, list[int]] = {}
    of_ray = {job: sorted(pid for pid in pids if pid in known) for job, pids in ray_jobs().items()}
    taken = {pid for pids in of_ray.values() for pid in pids}
    for pid in sorted(ranks(known)):
        if pid not in taken:
            meet = tuple(variable(pid, name) for name in ("MASTER_ADDR", "MASTER_PORT"))
            # Ranks that do not say where they meet belong together where one process has started them.
            found.setdefault(meet if all(meet) else known[pid].parent, []).append(pid)
    found.update((job, pids) for job, pids in of_ray.items() if pids)
    return sorted(found.values(), key=lambda pids: min(int(known[pid].started) for pid in pids))
