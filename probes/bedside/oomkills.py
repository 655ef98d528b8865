"""How often the kernel has killed for lack of memory in the control groups of a job, since it was first looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ROOTS = {"memory": "/sys/fs/cgroup/memory", "": "/sys/fs/cgroup"}
_MOST = 256


class OomKills:
    """Counts of the groups seen so far. A group that was removed meanwhile keeps its last count."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}

    def look(self, pids: Iterable[int]) -> None:
        """Take the groups of these processes in, and count all of them again."""
        for pid in pids:
            for file in event_files(pid):
                if file not in self._first and len(self._first) < _MOST:
                    count = _count(file)
                    if count is not None:
                        self._first[file] = count
        for file in self._first:
            count = _count(file)
            if count is not None:
                self._last[file] = count

    @property
    def known(self) -> bool:
        """Whether there was anything to count."""
        return bool(self._first)

    @property
    def count(self) -> int:
        """Kills since the first look. Groups lie in one another, so that the highest count is the right one."""
        return max((self._last.get(file, first) - first for file, first in self._first.items()), default=0)


def event_files(pid: int) -> list[str]:
    """The files in which the kernel counts kills in the control groups of a process."""
    try:
        with open(f"/proc/{pid}/cgroup") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers == "memory":
            found.append(f"{_ROOTS['memory']}{path}/memory.oom_control")
        elif not controllers:
            found.append(f"{_ROOTS['']}{path}/memory.events")
    return found


def _count(file: str) -> int | None:
    try:
        with open(file) as opened:
            said = re.search(r"^oom_kill (\d+)$", opened.read(), re.MULTILINE)
    except OSError:
        return None
    return int(said[1]) if said else None
