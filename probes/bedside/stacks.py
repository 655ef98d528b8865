"""Stacks of Python processes by py-spy, which reads their memory and does not stop them; each in a bounded child."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ..boundedchild import Child, end_all, run_all, uninterrupted

SECONDS, NATIVE_SECONDS = 10.0, 20.0
"""For one process; with native frames py-spy reads the symbols of every library first."""
_NICE = 5
"""How much the job comes before the reading of its stacks, where both want the same processor."""
_AT_ONCE = 16
_DEEPEST = 120
_LARGEST = 8 << 20
_NO_TRACER = "py-spy is not installed: pip install 'gpudoctor[bedside]'"


class Frame(NamedTuple):
    """One call: its function, the file as it was named, the line (0 where it is not known)."""

    name: str
    file: str
    line: int


class Thread(NamedTuple):
    """One Python thread, innermost call first. ``active``: it was running, ``gil``: it held the lock.

    ``native``: the calls in libraries, where they were asked for, as ``cuStreamSynchronize (libcuda.so.1)``.
    """

    name: str
    number: int
    active: bool
    gil: bool
    frames: tuple[Frame, ...]
    native: tuple[str, ...] = ()


class Stack(NamedTuple):
    """The threads of one process, or why they cannot be read, in words for people."""

    threads: tuple[Thread, ...]
    problem: str = ""

    @property
    def main(self) -> tuple[Frame, ...]:
        """The calls of the main thread."""
        named = [thread for thread in self.threads if thread.name == "MainThread"]
        return (named or [*self.threads[-1:]] or [Thread("", 0, False, False, ())])[0].frames


def tracer() -> str:
    """py-spy: in the path, or beside the interpreter; nothing if it is not there."""
    beside = os.path.join(os.path.dirname(sys.executable or ""), "py-spy")
    return shutil.which("py-spy") or (beside if os.access(beside, os.X_OK) else "")


def stacks(pids: Iterable[int], native: bool = False) -> dict[int, Stack]:
    """The stacks of these processes. ``native`` also reads the calls in libraries, and stops the process for it."""
    program = tracer()
    wanted = list(pids)
    if not program:
        return {pid: Stack((), _NO_TRACER) for pid in wanted}
    seconds = NATIVE_SECONDS if native else SECONDS
    how = ["--native"] if native else ["--nonblocking"]
    found: dict[int, Stack] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        children: list[Child] = []
        try:
            with uninterrupted():
                for pid in some:
                    command = [program, "dump", *how, "--json", "--full-filenames", "--pid", str(pid)]
                    children.append(Child(command, seconds=seconds, limit_bytes=_LARGEST, nice=_NICE))
            run_all(children)
        except BaseException:
            end_all(children)
            raise
        for pid, child in zip(some, children, strict=True):
            outcome = child.outcome
            if outcome and outcome.ok:
                found[pid] = read(outcome.stdout)
            elif outcome:
                said = (outcome.stderr.strip().splitlines() or [outcome.detail or outcome.state])[-1]
                found[pid] = Stack((), missing_right(pid) or f"py-spy: {said[:160]}")
    return found


def read(text: str) -> Stack:
    """What ``py-spy dump --json`` printed."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return Stack((), "py-spy: its answer cannot be read")
    if not isinstance(document, list):
        return Stack((), "py-spy: its answer cannot be read")
    return Stack(tuple(_thread(item) for item in document if isinstance(item, dict)))


def _thread(item: dict[str, Any]) -> Thread:
    frames = item.get("frames")
    found = [frame for frame in frames if isinstance(frame, dict)] if isinstance(frames, list) else []
    # Calls in libraries are no places of the program: with them the same thread would seem to stand elsewhere.
    calls = [_frame(frame) for frame in found if not frame.get("module")]
    native = tuple(_native(frame) for frame in found if frame.get("module"))[:_DEEPEST]
    if len(calls) > _DEEPEST:  # recursion: both ends tell, the middle does not
        calls = [*calls[: _DEEPEST // 2], *calls[-_DEEPEST // 2 :]]
    return Thread(
        str(item.get("thread_name") or "")[:80],
        item["os_thread_id"] if isinstance(item.get("os_thread_id"), int) else 0,
        item.get("active") is True,
        item.get("owns_gil") is True,
        tuple(calls),
        native,
    )


def _frame(item: dict[str, Any]) -> Frame:
    line = item.get("line")
    return Frame(
        str(item.get("name") or "?")[:200],
        str(item.get("filename") or item.get("module") or "")[:400],
        line if isinstance(line, int) else 0,
    )


def _native(item: dict[str, Any]) -> str:
    return f"{str(item.get('name') or '?')[:200]} ({os.path.basename(str(item['module']))[:100]})"


_PTRACE = 19  # CAP_SYS_PTRACE


def missing_right(pid: int, root: str = "/proc") -> str:
    """Which right to read another process's memory is missing here, and how to give it; nothing if none is."""
    capable = int(_status(root, "self").get("CapEff", "0"), 16) >> _PTRACE & 1
    if capable:
        return ""
    ours, theirs = _status(root, "self").get("Uid", ""), _status(root, str(pid)).get("Uid", "")
    if theirs and ours.split()[1:2] != theirs.split()[1:2]:
        return f"process {pid} belongs to another user (uid {theirs.split()[0]}): run gpudoctor as that user or as root"
    try:
        with open(f"{root}/sys/kernel/yama/ptrace_scope") as file:
            scope = file.read().strip()
    except OSError:
        scope = "0"
    if scope in ("1", "2"):
        return (
            f"kernel.yama.ptrace_scope is {scope} and the capability SYS_PTRACE is missing: run as root, or "
            "sudo sysctl kernel.yama.ptrace_scope=0; in a container, --cap-add SYS_PTRACE"
        )
    if scope == "3":
        return "kernel.yama.ptrace_scope is 3: no process may be read until the next boot"
    return ""


def _status(root: str, pid: str) -> dict[str, str]:
    try:
        with open(f"{root}/{pid}/status") as file:
            pairs = (line.partition(":") for line in file)
            return {name: value.strip() for name, _, value in pairs}
    except OSError:
        return {}
