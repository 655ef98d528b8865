"""Limits of the process that asks, or of the job with ``--pid``: they are often not the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .world import Unreadable, World

_ROWS = {"Max locked memory": "limit.memlock_bytes", "Max open files": "limit.nofile"}
_MOST_PIDS = 4194304


def probe(world: World) -> Iterator[Finding]:
    """Locked memory, open files, processes."""
    path = f"/proc/{world.pid or 'self'}/limits"
    try:
        text = world.read(path)
    except Unreadable as error:
        for fact in _ROWS.values():
            yield Unknown(fact, str(error), path)
    else:
        for name, fact in _ROWS.items():
            found = re.search(rf"^{name}\s+(unlimited|\d+)", text, re.MULTILINE)
            if found:
                yield Known(fact, -1 if found[1] == "unlimited" else int(found[1]), path, found[0])
    yield from _pids(world)


def _pids(world: World) -> Iterator[Finding]:
    own = re.search(r"^0::(/\S*)", world.text(f"/proc/{world.pid or 'self'}/cgroup"), re.MULTILINE)
    group = own[1].rstrip("/") if own else ""
    for path in (
        f"/sys/fs/cgroup{group}/pids.max",
        "/sys/fs/cgroup/pids.max",
        "/sys/fs/cgroup/pids/pids.max",
    ):
        value = world.text(path)
        if value:
            number = int(value) if value.isdecimal() else _MOST_PIDS
            yield Known("limit.pids", number, path, value)
            return
