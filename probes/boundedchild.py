"""A child process that ends within its limit, or is given up and reported: nobody waits for it for ever.

``subprocess.run(timeout=...)`` kills and then waits again, without limit, for a process that is stuck in the
kernel. Here a child leads its own process group and writes to memory files, not to pipes (a grandchild can hold
a pipe open). At its limit the kernel's word on its state is taken, the group is killed, and after a short grace
the child is abandoned. Who runs such children should leave by ``os._exit``.

However we end, no child stays: ``lifeline`` sees to that.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .childend import ABANDONED, DONE, FLOODED, MISSING, REFUSED, TIMED_OUT, ChildEnd, evidence
from .janitor import MARK, Janitor, descendants, kill_born
from .lifeline import janitor_of, prctl_call, tie
from .memoryfile import memory_file, read_back

GRACE = 0.3
"""Seconds in which a killed child must be gone; after that it is abandoned."""
_PAUSE = 0.005
_PART = 1 << 20
_SPARE = 256 << 20  # what a child may write into one file before the kernel itself stops it
# The shell loads the program, not we: loading one from a dead file server would hold this process up.
_SHELL = "/bin/sh"
_MARK = "gpudoctor-exec"  # the name under which that shell complains
_TRAMPOLINE = (_SHELL, "-c", 'exec "$@"', _MARK)


class Child:
    """One command, started at once. Call ``poll`` until ``outcome`` is there; ``run_all`` does that."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float,
        limit_bytes: int = 1 << 20,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        stdin: bytes = b"",
        own_group: bool = True,
        nice: int = 0,
    ) -> None:
        self.command = tuple(command)
        self.outcome: ChildEnd | None = None
        self._limit = limit_bytes
        # Without a group of its own a child goes with the group of whoever started it.
        self._own_group = own_group
        self._nice = nice
        self._began = time.monotonic()
        self._deadline = self._began + seconds
        self._killed = 0.0
        self._verdict = DONE
        self._detail = ""
        self._written = 0
        self._spoke = self._began  # when it last wrote something
        self._silent = 0.0
        self._seen, self._unseen = 0, b""  # what ``lines`` has given away, and has not
        self._pieces: list[bytes] = []  # of a line that is not whole yet
        self._process: subprocess.Popen[bytes] | None = None
        self._files: list[int] = []
        self._janitor: Janitor | None = None
        try:
            self._files = [memory_file(stdin), memory_file(), memory_file()]
            self._process = self._start(env, cwd)
        except OSError as error:
            state = MISSING if isinstance(error, FileNotFoundError) else REFUSED
            self._end(None, state, f"{error.strerror or error}")

    def _start(self, env: Mapping[str, str] | None, cwd: str | None) -> subprocess.Popen[bytes]:
        trampoline = _TRAMPOLINE if os.access(_SHELL, os.X_OK) else ()
        given, out, err = self._files
        janitor, mark = janitor_of(os.getpid())
        parent, prctl, nice = os.getpid(), prctl_call(), self._nice
        process = subprocess.Popen(
            [*trampoline, *self.command],
            stdin=given,
            stdout=out,
            stderr=err,
            start_new_session=self._own_group,
            env={**(os.environ if env is None else env), MARK: mark},
            cwd=cwd,
            preexec_fn=lambda: tie(prctl, parent, nice),  # only system calls: safe beside threads
        )
        if janitor and self._own_group:
            janitor.tell("group", process.pid)
            self._janitor = janitor
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (self._limit + _SPARE,) * 2)
        return process

    def poll(self) -> bool:
        """Look once, without waiting; whether it is over."""
        if self.outcome is not None or self._process is None:
            return True
        sizes = [os.fstat(file).st_size for file in self._files[1:]]
        if sum(sizes) != self._written and not self._killed:
            self._written, self._spoke = sum(sizes), time.monotonic()
        if self._gone():
            # The leader is not reaped yet, so its number cannot belong to anybody else.
            self._kill_all()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0)
            if self._janitor:
                self._janitor.tell("gone", self._process.pid)
            self._end(self._process.returncode, self._verdict, self._detail)
        elif self._killed:
            if time.monotonic() - self._killed > GRACE:
                self._end(None, ABANDONED if self._verdict == TIMED_OUT else self._verdict, self._detail)
        elif time.monotonic() >= self._deadline:
            self._detail = evidence(self._process.pid)
            self._silent = time.monotonic() - self._spoke
            self.kill(TIMED_OUT)
        elif max(sizes) > self._limit:
            self.kill(FLOODED)
        return self.outcome is not None

    def lines(self) -> Iterator[str]:
        """The whole lines that the child has written and that were not given yet; a flood of them comes in parts."""
        while new := self._part():
            first, *lines = new.split(b"\n")
            self._pieces.append(first)
            for line in lines:
                whole, self._pieces = b"".join(self._pieces), [line]
                yield whole.decode("utf-8", "replace")

    def _part(self) -> bytes:
        if self._files:
            new = os.pread(self._files[1], min(_PART, self._limit - self._seen), self._seen)
        else:
            new, self._unseen = self._unseen[:_PART], self._unseen[_PART:]
        self._seen += len(new)
        return new

    def kill(self, verdict: str = TIMED_OUT) -> None:
        """End the child and all of its group; ``poll`` tells when they are gone."""
        if self.outcome is None and self._process is not None:
            if not self._killed:
                self._verdict, self._killed = verdict, time.monotonic()
            self._kill_all()

    def _kill_all(self) -> None:
        assert self._process
        below = descendants(self._process.pid) if self._verdict != DONE else {}
        with contextlib.suppress(ProcessLookupError, PermissionError):
            (os.killpg if self._own_group else os.kill)(self._process.pid, signal.SIGKILL)
        kill_born(below)

    def _gone(self) -> bool:
        assert self._process
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # somebody else reaped it
            return True
        return ended is not None

    def _end(self, status: int | None, state: str, detail: str) -> None:
        out, err = [read_back(file, self._limit) for file in self._files[1:]] or ("", "")
        if state == DONE and status in (126, 127) and not out and err.startswith(f"{_MARK}:"):
            state, status = (MISSING if status == 127 else REFUSED), None
            detail = err.strip().rpartition(": ")[2]
        if state == DONE and any(os.fstat(file).st_size > self._limit for file in self._files[1:]):
            state = FLOODED
        if self._files:
            self._unseen = os.pread(self._files[1], self._limit - self._seen, self._seen)
        for file in self._files:
            os.close(file)
        self._files = []
        self.outcome = ChildEnd(status, out, err, time.monotonic() - self._began, state, detail, self._silent)


def absolute(program: str) -> str:
    """A program as children find it that run in another folder; a bare name is looked for in the path."""
    return os.path.abspath(program) if os.sep in program else program


def run(
    command: Sequence[str],
    *,
    seconds: float,
    limit_bytes: int = 1 << 20,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    own_group: bool = True,
) -> ChildEnd:
    """Run one command within ``seconds`` (and the grace); never raises for what the command does."""
    children: list[Child] = []
    try:
        with uninterrupted():
            child = Child(
                command, seconds=seconds, limit_bytes=limit_bytes, env=env, cwd=cwd, own_group=own_group
            )
            children.append(child)
        run_all(children)
    except BaseException:
        end_all(children)
        raise
    assert child.outcome
    return child.outcome


def run_all(children: Iterable[Child]) -> None:
    """Wait until all of these are over. If this is interrupted, they are killed first."""
    children = list(children)
    try:
        while [child for child in children if not child.poll()]:
            time.sleep(_PAUSE)
    except BaseException:
        end_all(children)
        raise


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits while children are started: one that is half started nobody would end."""
    came: list[int] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    except ValueError:  # not the main thread, which is the one to be interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(signal.SIGINT, None)
    elif came and before != signal.SIG_IGN:
        raise KeyboardInterrupt


def end_all(children: Iterable[Child]) -> None:
    """Kill what still runs, and wait for no longer than the grace."""
    children = [child for child in children if not child.poll()]
    for child in children:
        child.kill()
    limit = time.monotonic() + GRACE + 0.1
    while time.monotonic() < limit and [child for child in children if not child.poll()]:
        time.sleep(_PAUSE)
