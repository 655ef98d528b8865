"""Work in a fork of this process, within a time and a memory: for what may take either without end."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import time
from collections.abc import Callable
from typing import Any

from .memoryfile import memory_file

_PAUSE = 0.0005
_LONGEST_PAUSE = 0.02


def in_a_fork(work: Callable[[], Any], seconds: float, memory: int) -> Any:
    """What ``work`` returns, by way of JSON; None where it fails or needs more time or memory than it is given."""
    answer = memory_file()
    pid = os.fork()
    if pid == 0:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _limit(resource.RLIMIT_AS, _address_space() + memory)
            _limit(resource.RLIMIT_CPU, int(seconds) + 1)
            with open(answer, "wb", closefd=False) as file:
                file.write(json.dumps(work()).encode())
        finally:  # whatever went wrong is an answer that cannot be read
            os._exit(0)
    deadline = time.monotonic() + seconds
    pause = _PAUSE
    try:
        while os.waitpid(pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                break
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        return json.loads(os.pread(answer, os.fstat(answer).st_size, 0))
    except (ValueError, RecursionError):
        return None
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(answer)


def _limit(kind: int, most: int) -> None:
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 1 << 30
