"""The jobs that run on this machine: processes that hold the numbers of ranks, and drivers and workers of Ray."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator

from ..janitor import MARK, descendants
from .processes import Process, look_at, ranks, variable
from .rayworkers import ray_jobs

_OURS = re.compile(r"\S*python\S* (?:-m gpudoctor|\S*/gpudoctor)\b|(?:\S*/)?gpudoctor\b")


def jobs() -> list[list[int]]:
    """The topmost processes of each job, the oldest job first: what ``attach --all`` means."""
    everyone = {int(name): look_at(int(name)) for name in os.listdir("/proc") if name.isdecimal()}
    ours = {os.getpid(), *descendants(os.getpid())}
    known = {
        pid: process
        for pid, process in everyone.items()
        if process and not (pid in ours or _is_ours(process))
    }
    of_ray = {job: sorted(pid for pid in pids if pid in known) for job, pids in ray_jobs().items()}
    taken = {pid for pids in of_ray.values() for pid in pids}
    found = [*together(known, taken, meeting), *(pids for pids in of_ray.values() if pids)]
    return sorted(found, key=lambda pids: min(int(known[pid].started) for pid in pids))


def together(
    known: dict[int, Process], taken: Collection[int], meet: Callable[[int], tuple[str, ...] | None]
) -> list[list[int]]:
    """The topmost ranks of each job, without those that are ``taken``; ``meet`` tells where the ranks of one meet."""
    groups: dict[object, list[int]] = {}
    for pid in sorted(ranks(known)):
        if pid not in taken:
            # Ranks that do not say where they meet belong together where one process has started them.
            groups.setdefault(meet(pid) or known[pid].parent, []).append(pid)
    keys = {pid: key for key, pids in groups.items() for pid in pids}
    for key in list(groups):
        other = next(
            (keys[up] for pid in groups[key] for up in _above(known, pid) if keys.get(up, key) != key), None
        )
        if other is not None:
            pids = groups.pop(key)
            groups[other] += pids
            keys.update((pid, other) for pid in pids)
    return list(groups.values())


def meeting(pid: int) -> tuple[str, ...] | None:
    """Where a rank meets the others, as far as this machine goes; None where it does not say.

    Containers with networks of their own may all meet at the same address.
    """
    said = tuple(variable(pid, name) for name in ("MASTER_ADDR", "MASTER_PORT"))
    try:
        network = os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        network = ""
    return (*said, network) if all(said) else None


def _is_ours(process: Process) -> bool:
    """Whether it is a gpudoctor or was started by one to measure something."""
    return process.rank is not None and (
        _OURS.match(process.command) is not None or bool(variable(process.pid, MARK))
    )


def _above(known: dict[int, Process], pid: int) -> Iterator[int]:
    passed = {pid}
    up = known[pid].parent
    while up in known and up not in passed:
        yield up
        passed.add(up)
        up = known[up].parent
