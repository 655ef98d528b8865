"""Folders for a run that are gone after it, however it ends: a process beside it removes them when it is killed."""

from __future__ import annotations

import atexit
import os
import tempfile
from functools import cache
from pathlib import Path

from gpudoctor.probes.janitor import Janitor

PREFIX = "gpudoctor-fuzz-"


def room() -> Path:
    """A new folder, removed when this process is at its end."""
    return Path(_janitor().new_folder(tempfile.gettempdir(), PREFIX))


def fork() -> int:
    """A child, which does not outlive this process; 0 in the child."""
    janitor = _janitor()
    child = os.fork()
    if child:
        janitor.tell("job", child)
        return child
    os.setpgid(0, 0)  # the janitor ends groups
    janitor.leave()
    return 0


def wait(child: int) -> bool:
    """Wait for such a child: whether it ended well."""
    status = os.waitpid(child, 0)[1]
    _janitor().tell("gone", child)
    return status == 0


class _Janitor(Janitor):
    """One for all folders of a process."""

    def __init__(self) -> None:
        super().__init__(f"fuzz-{os.getpid()}")
        self._owner = os.getpid()
        atexit.register(self._end)

    def leave(self) -> None:
        """Let go of the pipe: the janitor waits until nobody holds it."""
        if self._process.stdin:
            os.close(self._process.stdin.fileno())
            self._process.stdin = None

    def _end(self) -> None:
        if os.getpid() == self._owner:
            self.dismiss()


@cache
def _janitor() -> _Janitor:
    return _Janitor()
