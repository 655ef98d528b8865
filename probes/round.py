"""One round: all probes of files in one process with a fork for each, all tools as children, at the same time."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .boundedchild import Child, absolute, end_all, uninterrupted
from .childend import ABANDONED, TIMED_OUT, ChildEnd
from .tools import Tool

FILES_SECONDS = 2.0
"""Seconds for probes that read files; all of them together take a tenth of one where nothing hangs."""
OUTPUT, TOOL_OUTPUT = 8 << 20, 1 << 20
_MARGIN, _SHARE = 0.7, 0.4  # seconds, and at most this share, for killing, giving up and reading what came
_PAUSE = 0.005
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Only the standard library and this folder, without what the packages import: that would cost more than the probes.
_BOOT = (
    "import sys,types\n"
    "for name in ('gpudoctor', 'gpudoctor.engine', 'gpudoctor.probes'):\n"
    "    path = sys.argv[1] + name.replace('.', '/')[9:]\n"
    "    module = types.ModuleType(name); module.__path__ = [path]; sys.modules[name] = module\n"
    "from gpudoctor.probes.machine.worker import main\n"
    "main()\n"
)


class RoundError(Exception):
    """The process in which the probes of files run could not be started."""


Progress = Callable[[str, str], None]
Line = dict[str, Any]
"""What one probe of files reports: its name, its findings, and how it ended."""


def run_round(
    files: Sequence[str],
    tools: Sequence[Tool],
    *,
    root: str = "/",
    python: str | None = None,
    pid: int | None = None,
    timeout: float = 10.0,
    deep: bool = False,
    record: bool = False,
    packages: Mapping[str, str] | None = None,
    tell: Progress = lambda name, state: None,
) -> tuple[list[Line], dict[str, ChildEnd]]:
    """A line for each probe of files, an outcome for each tool; returns within ``timeout`` seconds.

    With ``record`` the probes of files also tell everything that they read. ``packages``: the fact that the
    version of a package establishes, beside those that the probe knows. Raises RoundError.
    """
    deadline = time.monotonic() + timeout
    limit = timeout - min(_MARGIN, _SHARE * timeout)
    seconds = min(FILES_SECONDS, limit)
    job = {
        "root": root,
        "python": absolute(python) if python and root == "/" else python,
        "pid": pid,
        "probes": list(files),
        "seconds": seconds,
        "record": record,
        "packages": dict(packages or {}),
    }
    command = [sys.executable or "python3", "-I", "-S", "-c", _BOOT, _PACKAGE]
    children: dict[str, Child] = {}
    try:
        with uninterrupted():
            worker = Child(command, seconds=seconds + 0.4, limit_bytes=OUTPUT, stdin=json.dumps(job).encode())
            children = {"": worker, **{tool.name: _child(tool, deep, limit) for tool in tools}}
        for name in [*files, *(tool.name for tool in tools)]:
            tell(name, "started")
        lines = _wait(children, tell, deadline)
    except BaseException:
        end_all(children.values())
        raise
    del children[""]
    outcome = worker.outcome
    if not lines and files and outcome and not outcome.hung and not outcome.ok:
        raise RoundError(outcome.detail or outcome.stderr.strip()[-200:] or f"status {outcome.status}")
    return lines, {name: child.outcome for name, child in children.items() if child.outcome}


def _child(tool: Tool, deep: bool, limit: float) -> Child:
    # Messages in English, whatever the person's language: they are read by us.
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    seconds = tool.deep if deep else tool.seconds
    return Child(tool.command, seconds=min(seconds, limit), limit_bytes=TOOL_OUTPUT, env=env)


def _wait(children: dict[str, Child], tell: Progress, deadline: float) -> list[Line]:
    """Until everything has ended or was given up; the lines of the worker, the child without a name."""
    waiting = dict(children)
    lines: list[Line] = []
    while waiting and time.monotonic() <= deadline:
        time.sleep(_PAUSE)
        for name, child in list(waiting.items()):
            over = child.poll()
            if not name:
                for line in filter(None, child.lines()):
                    lines.append(json.loads(line))
                    tell(lines[-1]["probe"], _state(lines[-1]["state"]))
            elif over and child.outcome:
                tell(name, _state(child.outcome.state))
            if over:
                del waiting[name]
    end_all(waiting.values())
    return lines


def _state(state: str) -> str:
    return "timed out" if state in (TIMED_OUT, ABANDONED) else "done"
