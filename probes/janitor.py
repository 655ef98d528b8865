"""Leaves nothing behind: ``python janitor.py MARK`` waits for its parent to end, however it ends.

The parent writes what it started to the janitor's standard input. When that closes, because the parent is
done or because it was killed, every process group, everything that descends from its leaders and every process
that carries the mark is killed, and folders and shared-memory segments are removed. Standard library alone; the
parent imports it, too.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time

MARK = "GPUDOCTOR_TEST"
"""The environment variable that every process of ours inherits, also one that left its group."""
_LOOK = 0.2  # seconds between two looks at who descends from the leaders
_PATIENCE = 1.0
_TRIES, _PAUSE = 100, 0.1  # to remove a folder that a dying child still writes into
"""How often a removal is tried, and the seconds between two tries."""

Born = dict[int, str]
"""Processes with the time of their start, by which a number that was given away again is told."""


class Janitor:
    """The parent's side: starts the janitor and tells it what there is."""

    def __init__(self, mark: str) -> None:
        # -S: no site-packages; -I: nothing of the user's environment or folder. It starts in 15 ms.
        command = [sys.executable or "python3", "-I", "-S", os.path.realpath(__file__), mark]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def tell(self, kind: str, what: object) -> None:
        """``group``, ``job`` or ``gone`` with the number of a leader, ``folder`` or ``kept``, ``segment``."""
        assert self._process.stdin is not None
        # A message is a line, and a path may hold a line break.
        value = str(what).replace("%", "%25").replace("\n", "%0A")
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(f"{kind} {value}\n".encode("utf-8", "surrogateescape"))
            self._process.stdin.flush()

    def new_folder(self, place: str, prefix: str) -> str:
        """A new folder that goes with the parent, who may be killed at any moment. Raises OSError."""
        folder = os.path.join(os.path.abspath(place), f"{prefix}{os.urandom(8).hex()}")
        self.tell("folder", folder)  # before it is there
        try:
            os.mkdir(folder, 0o700)
        except OSError:
            self.tell("kept", folder)
            raise
        return folder

    def dismiss(self) -> None:
        """Let it clean up now, and wait for it, not for ever."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)


def kill_group(group: int) -> None:
    """SIGKILL to a process group, also to its stopped members."""
    for number in (signal.SIGCONT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def born(pid: int) -> str:
    """When a process started, in the kernel's count; empty if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read(4096).rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def descendants(pid: int) -> Born:
    """Everything below a process; what left its group or session is still below the reaper of its kin."""
    found: Born = {}
    waiting = [pid]
    while waiting:
        above = waiting.pop()
        try:
            threads = os.listdir(f"/proc/{above}/task")
        except OSError:
            continue
        for thread in threads:
            with contextlib.suppress(OSError), open(f"/proc/{above}/task/{thread}/children") as file:
                for name in file.read().split():
                    child = int(name)
                    if child not in found:
                        found[child] = born(child)
                        waiting.append(child)
    return found


def kill_born(found: Born) -> None:
    """Kill those of them that are still the same processes."""
    for pid, start in found.items():
        if start and born(pid) == start:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """Living processes whose environment carries the mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdecimal() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            continue
    return found


def kill_marked(mark: str, patience: float = _PATIENCE) -> list[int]:
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
        if pid.isdecimal():
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


class _Charge:
    """What the janitor would have to clear away."""

    def __init__(self) -> None:
        self.groups: dict[int, Born] = {}  # by leader: what was seen below it
        self.jobs: set[int] = set()
        """Leaders of what a person started: looked at in the end only, which costs it nothing."""
        self.names: set[str] = set()
        self.folders: set[str] = set()

    def hear(self, line: bytes) -> None:
        kind, _, value = line.decode("utf-8", "surrogateescape").partition(" ")
        value = value.replace("%0A", "\n").replace("%25", "%")
        if kind == "group":
            self.groups[int(value)] = {}
        elif kind == "job":
            self.jobs.add(int(value))
        elif kind == "gone":
            self.groups.pop(int(value), None)
            self.jobs.discard(int(value))
        elif kind == "segment":
            self.names.add(value)
        elif kind == "folder":
            self.folders.add(value)
        elif kind == "kept":
            self.folders.discard(value)

    def look(self) -> None:
        for leader, seen in self.groups.items():
            seen.update(descendants(leader))

    def clear(self, mark: str) -> None:
        self.groups.update((leader, {}) for leader in self.jobs)
        self.look()
        for leader, seen in self.groups.items():
            kill_group(leader)
            kill_born(seen)
        kill_marked(mark)
        remove_segments(self.names)
        for folder in self.folders:
            _remove(folder)


def _remove(folder: str) -> None:
    """Remove a folder for good: children that end only now may still write into it, which makes a removal fail."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
        time.sleep(_PAUSE)


def main() -> None:
    """Wait for the end of the parent, then clean up."""
    mark = sys.argv[1]
    os.environ.pop(MARK, None)
    charge = _Charge()
    rest = b""
    while True:
        ready, _, _ = select.select([0], [], [], _LOOK if charge.groups else None)
        charge.look()
        if not ready:
            continue
        data = os.read(0, 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            charge.hear(line)
        charge.look()
    charge.clear(mark)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    main()
