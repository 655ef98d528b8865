"""Leaves nothing behind: ``python janitor.py FOLDER MARK`` waits for its parent to end, however it ends.

The parent writes what it started to the janitor's standard input. When that closes, because the parent is
done or because it was killed, every process group and every process that carries the mark is killed, and the
folder and the shared-memory segments are removed. Standard library alone; also imported by the parent.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time

MARK = "GPUDOCTOR_TEST"
"""The environment variable that every process of a test inherits, also one that left its group."""


def kill_group(group: int) -> None:
    """SIGKILL to a process group, also to its stopped members."""
    for number in (signal.SIGCONT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def marked(mark: str) -> list[int]:
    """Living processes whose environment carries the mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            continue
    return found


def kill_marked(mark: str, patience: float = 1.0) -> list[int]:
    """Kill every process that carries the mark; what is still there afterwards."""
    deadline = time.monotonic() + patience
    while (left := marked(mark)) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    return left


def remove_segments(names: set[str]) -> None:
    """Remove shared-memory segments of ours that nobody maps any more."""
    if not names:
        return
    used = set()
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            used |= segments(int(pid))
    for name in names - used:
        with contextlib.suppress(OSError):
            if os.lstat(name).st_uid == os.geteuid():
                os.unlink(name)


def segments(pid: int) -> set[str]:
    """The files of /dev/shm that a process maps."""
    found = set()
    try:
        with open(f"/proc/{pid}/maps", errors="surrogateescape") as file:
            for line in file:
                place = line.find(" /dev/shm/")
                if place >= 0 and not line.endswith("(deleted)\n"):
                    found.add(line[place + 1 : -1])
    except OSError:
        pass
    return found


def main() -> None:
    """Wait for the end of the parent, then clean up."""
    folder, mark = sys.argv[1:3]
    os.environ.pop(MARK, None)
    groups, names = set(), set()
    for line in sys.stdin:
        kind, _, value = line.rstrip("\n").partition(" ")
        if kind == "group":
            groups.add(int(value))
        elif kind == "gone":
            groups.discard(int(value))
        elif kind == "segment":
            names.add(value)
    for group in groups:
        kill_group(group)
    kill_marked(mark)
    remove_segments(names)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    main()
