"""Commands that end within their time, and what they leave behind.

The kit does not start what it examines with the code that it examines: a process that gpudoctor forgets must still be
there when somebody looks. Standard library alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, NamedTuple

MARK = "GPUDOCTOR_GPU_KIT"
"""The environment variable by which everything that the kit has started is known again."""
RUN = os.environ.get(MARK, "").partition(".")[0] or secrets.token_hex(8)
"""How the marks of this run begin; another run of the kit at the same time is none of its business."""
LARGEST = 32 << 20
GRACE = 3.0
"""Seconds after the end of a command in which its janitor may still clear away."""
_PAUSE = 0.02
_REAPER = 36  # PR_SET_CHILD_SUBREAPER: whoever loses its parent becomes our child, so that it can be reaped


class End(NamedTuple):
    """How a command ended. ``status`` is None where it never ran; ``late``: it was ended at its limit."""

    command: tuple[str, ...]
    status: int | None
    stdout: str
    stderr: str
    seconds: float
    late: bool = False
    left: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status == 0 and not self.late

    def why(self) -> str:
        """Why it is not well, in a few words."""
        if self.status is None:
            return f"cannot be started: {self.stderr}"
        last = (self.stderr.strip() or self.stdout.strip()).splitlines()[-1:] or [""]
        how = f"did not end in {self.seconds:.0f} s" if self.late else f"status {self.status}"
        return f"{how}{': ' if last[0] else ''}{last[0][:200]}"


class Started:
    """A command that runs while something else is done."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str] | None = None, cwd: str | None = None
    ) -> None:
        self.command = tuple(command)
        self.mark = f"{RUN}.{secrets.token_hex(12)}"
        self._out: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in ``end``
        self._err: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._began = time.monotonic()
        _adopt()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            env={**(os.environ if env is None else env), MARK: self.mark},
            cwd=cwd,
            start_new_session=True,
        )

    def said(self) -> str:
        """Standard output and standard error so far."""
        return _text(self._out) + _text(self._err)

    def end(self, seconds: float = 0.0, grace: float = GRACE) -> End:
        """Wait at most so long, kill what is still there, and say what it was."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(_PAUSE)
        late = self.process.poll() is None
        took = time.monotonic() - self._began
        if late:
            kill(self.mark)
        left = () if late else _left(self.mark, grace)
        kill(self.mark)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        found = End(
            self.command, self.process.returncode, _text(self._out), _text(self._err), took, late, left
        )
        self._out.close()
        self._err.close()
        return found


def run(
    command: Sequence[str],
    seconds: float,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    grace: float = GRACE,
) -> End:
    """Run a command for at most so many seconds; it never raises for what the command does."""
    try:
        started = Started(command, env, cwd)
    except OSError as error:
        return End(tuple(command), None, "", f"{error.strerror or error}", 0.0)
    try:
        return started.end(seconds, grace)
    except BaseException:
        kill(started.mark)
        raise


@contextlib.contextmanager
def beside(command: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[Started]:
    """A command that runs for as long as the block does."""
    started = Started(command, env)
    try:
        yield started
    finally:
        kill(started.mark)
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.process.wait(1)


def living(mark: str = "") -> dict[int, str]:
    """Processes, other than this one, that carry a mark (or any of this run), with their command lines."""
    wanted = f"{MARK}={mark or RUN + '.'}".encode()
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdecimal() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                entries = file.read().split(b"\0")
            with open(f"/proc/{name}/stat", "rb") as file:
                state = file.read(4096).rpartition(b")")[2].split()[0]
            if state != b"Z" and any(e == wanted or (not mark and e.startswith(wanted)) for e in entries):
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found[int(name)] = file.read(400).replace(b"\0", b" ").decode("utf-8", "replace").strip()
        except OSError:
            continue
    return found


def kill(mark: str) -> None:
    """End everything that carries a mark, wherever it went."""
    for _ in range(50):
        there = living(mark)
        for pid in there:
            for number in (signal.SIGCONT, signal.SIGKILL):
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        _reap()
        if not there:
            return
        time.sleep(_PAUSE)


def _left(mark: str, grace: float) -> tuple[str, ...]:
    """What is there after the grace that no janitor has cleared away."""
    deadline = time.monotonic() + grace
    while (there := living(mark)) and time.monotonic() < deadline:
        _reap()
        time.sleep(_PAUSE)
    return tuple(there.values())


def _adopt() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_REAPER, 1, 0, 0, 0)


def _reap() -> None:
    """Take what has ended of those that lost their parents; Popen finds its own child by itself."""
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children") as file:
        for pid in file.read().split():
            _reap_orphan(int(pid))


def _reap_orphan(pid: int) -> None:
    """Only who was not started by us, and leads no group of ours."""
    with contextlib.suppress(OSError):
        if os.getpgid(pid) != pid:
            os.waitpid(pid, os.WNOHANG)


def _text(file: IO[bytes]) -> str:
    size = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), min(size, LARGEST), max(0, size - LARGEST)).decode("utf-8", "replace")
