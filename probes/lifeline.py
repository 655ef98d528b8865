"""However we end, nothing of ours stays: children, the groups of others that we watch, temporary folders.

A child asks the kernel to die with us and is the reaper of whatever leaves its group or session; a janitor kills and
removes the rest when our end of its pipe closes.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from .janitor import MARK, Janitor

_DIE_WITH_PARENT, _REAP = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER


@lru_cache(maxsize=1)
def janitor_of(pid: int) -> tuple[Janitor | None, str]:
    """The janitor of this process and its mark; none where we are a child of ours, which has one above it."""
    mark = os.environ.get(MARK, "")
    if mark:
        return None, mark
    mark = secrets.token_hex(16)
    try:
        return Janitor(mark), mark
    except OSError:  # no process to spare: the kernel's promise has to do
        return None, mark


@contextlib.contextmanager
def temporary_folder(inside: str | None = None, prefix: str = "gpudoctor-") -> Iterator[str]:
    """A folder that goes when it is no longer needed, and when we are killed before. Raises OSError."""
    janitor, _ = janitor_of(os.getpid())  # first: it takes a while to start
    place = inside or tempfile.gettempdir()
    folder = janitor.new_folder(place, prefix) if janitor else tempfile.mkdtemp(prefix=prefix, dir=place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        # Only now, and only if it is gone: to remove it takes a while, in which we may be killed or interrupted, too.
        if janitor and not os.path.isdir(folder):
            janitor.tell("kept", folder)


def guarded(leader: int) -> Callable[[], None]:
    """See to it that a process group that somebody else started, and all below its leader, ends when we are killed.

    What this returns is to be called when the group has ended, or may go on without us.
    """
    janitor, _ = janitor_of(os.getpid())
    if janitor is None:
        return lambda: None
    janitor.tell("job", leader)
    return lambda: janitor.tell("gone", leader)


@lru_cache(maxsize=1)
def prctl_call() -> Any:
    """The system call, loaded before a fork."""
    import ctypes

    return ctypes.CDLL(None).prctl


def tie(prctl: Any, parent: int, nice: int) -> None:
    """In the child, before its program: end with the parent, and be the parent of descendants that lose theirs."""
    if nice:
        os.nice(nice)
    prctl(_DIE_WITH_PARENT, int(signal.SIGKILL), 0, 0, 0)
    prctl(_REAP, 1, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def die_with_parent(parent: int) -> None:
    """In a fork: end when the parent ends, however it ends."""
    prctl_call()(_DIE_WITH_PARENT, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
