"""A child process that ends within its limit, or is given up and reported: nobody waits for it for ever.

``subprocess.run(timeout=...)`` kills and then waits again, without limit, for a process that is stuck in the
kernel. Here a child leads its own process group and writes to memory files, not to pipes (a grandchild can hold
a pipe open). At its limit the kernel's word on its state is taken, the group is killed, and after a short grace
the child is abandoned. Who runs such children should leave by ``os._exit``.

However we end, no child stays: it asks the kernel to die with us, it is the reaper of whatever leaves its group or
session, and a janitor kills all of that when our end of its pipe closes.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .janitor import MARK, Janitor, descendants, kill_born

DONE, TIMED_OUT, ABANDONED, FLOODED = "done", "timed out", "abandoned", "flooded"
MISSING, REFUSED = "missing", "refused"
GRACE = 0.3
"""Seconds in which a killed child must be gone; after that it is abandoned."""
_PAUSE = 0.005
_PART = 1 << 20
_SPARE = 256 << 20  # what a child may write into one file before the kernel itself stops it
_STATES = {"R": "running", "S": "sleeping", "D": "stuck in the kernel", "T": "stopped", "Z": "a zombie"}
# The shell loads the program, not we: loading one from a dead file server would hold this process up.
_SHELL = "/bin/sh"
_MARK = "gpudoctor-exec"  # the name under which that shell complains
_TRAMPOLINE = (_SHELL, "-c", 'exec "$@"', _MARK)


class ChildEnd(NamedTuple):
    """How a child ended.

    ``state``: ``done``; ``timed out`` (killed at its limit); ``abandoned`` (killed and still there); ``flooded``
    (killed for writing too much); ``missing`` or ``refused`` (never ran). ``status`` is the exit status, negative for
    a signal, None where there is none. ``detail`` tells what the kernel said of a child that did not end, ``silent``
    for how many seconds it had written nothing.
    """

    status: int | None
    stdout: str
    stderr: str
    seconds: float
    state: str
    detail: str = ""
    silent: float = 0.0

    @property
    def hung(self) -> bool:
        """Whether the child did not end by itself in its time."""
        return self.state in (TIMED_OUT, ABANDONED)

    @property
    def ok(self) -> bool:
        """Whether the child ended by itself with status 0."""
        return self.state == DONE and self.status == 0


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
    ) -> None:
        self.command = tuple(command)
        self.outcome: ChildEnd | None = None
        self._limit = limit_bytes
        # Without a group of its own a child goes with the group of whoever started it.
        self._own_group = own_group
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
        janitor, mark = _janitor(os.getpid())
        parent, prctl = os.getpid(), _prctl()
        process = subprocess.Popen(
            [*trampoline, *self.command],
            stdin=given,
            stdout=out,
            stderr=err,
            start_new_session=self._own_group,
            env={**(os.environ if env is None else env), MARK: mark},
            cwd=cwd,
            preexec_fn=lambda: _tie(prctl, parent),  # only system calls: safe beside threads
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
        out, err = [_read_back(file, self._limit) for file in self._files[1:]] or ("", "")
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


@lru_cache(maxsize=1)
def _janitor(pid: int) -> tuple[Janitor | None, str]:
    """The janitor of this process and its mark; none where we are a child of ours, which has one above it."""
    mark = os.environ.get(MARK, "")
    if mark:
        return None, mark
    mark = secrets.token_hex(16)
    try:
        return Janitor(mark), mark
    except OSError:  # no process to spare: the kernel's promise has to do
        return None, mark


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
    pause = _PAUSE / 10
    try:
        while os.waitpid(pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                break
            time.sleep(pause)
            pause = min(pause * 2, 4 * _PAUSE)
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


@contextlib.contextmanager
def temporary_folder(inside: str | None = None, prefix: str = "gpudoctor-") -> Iterator[str]:
    """A folder that goes when it is no longer needed, and when we are killed before. Raises OSError."""
    janitor, _ = _janitor(os.getpid())  # first: it takes a while to start
    folder = ""
    try:
        with tempfile.TemporaryDirectory(prefix=prefix, dir=inside, ignore_cleanup_errors=True) as folder:
            if janitor:
                janitor.tell("folder", folder)
            yield folder
    finally:
        if janitor and folder:  # only now: to remove it takes a while, in which we may be killed, too
            janitor.tell("kept", folder)


def guarded(leader: int) -> Callable[[], None]:
    """See to it that a process group that somebody else started, and all below its leader, ends when we are killed.

    What this returns is to be called when the group has ended, or may go on without us.
    """
    janitor, _ = _janitor(os.getpid())
    if janitor is None:
        return lambda: None
    janitor.tell("job", leader)
    return lambda: janitor.tell("gone", leader)


@lru_cache(maxsize=1)
def _prctl() -> Any:
    """The system call, loaded before a fork."""
    import ctypes

    return ctypes.CDLL(None).prctl


_DIE_WITH_PARENT, _REAP = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER


def _tie(prctl: Any, parent: int) -> None:
    """In the child, before its program: end with the parent, and be the parent of descendants that lose theirs."""
    prctl(_DIE_WITH_PARENT, int(signal.SIGKILL), 0, 0, 0)
    prctl(_REAP, 1, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def die_with_parent(parent: int) -> None:
    """In a fork: end when the parent ends, however it ends."""
    _prctl()(_DIE_WITH_PARENT, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


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


def evidence(pid: int) -> str:
    """What the kernel says of a process that does not end: its state, and where in the kernel it waits."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name in brackets may itself hold brackets: the state stands behind the last one.
            state = file.read(4096).rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""
    where = ""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/wchan", "rb") as file:
        where = file.read(100).decode("ascii", "replace").strip("0 \n")
    said = f"state {state} ({_STATES.get(state, 'of another kind')})"
    return f"{said}, waits in {where}" if where else said


def memory_file(content: bytes = b"") -> int:
    """An anonymous file that needs no disk: this works on a full or read-only one."""
    try:
        file = os.memfd_create("gpudoctor")
    except (AttributeError, OSError):
        with tempfile.TemporaryFile() as spare:
            file = os.dup(spare.fileno())
    if content:
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
    return file


def _read_back(file: int, limit: int) -> str:
    """What was written, up to the limit; a line that was cut there is left out, since half a number is wrong."""
    found = os.pread(file, limit, 0)
    if len(found) == limit and b"\n" in found:
        found = found[: found.rindex(b"\n") + 1]
    return found.decode("utf-8", "replace")
