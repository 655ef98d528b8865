"""Starts a job and passes everything on: its output unchanged, keys, signals, the size of the terminal, its end.

Where we have a terminal the job gets one of its own, in which it leads a session; other streams are pipes. Whatever
ends us ends the job, too: a process that waits beside us (``janitor``) sees to it when we are killed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import pty
import selectors
import signal
import struct
import subprocess
import termios
import time
import tty
from collections.abc import Callable, Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any

from ..lifeline import guarded

_PART = 1 << 16
_TO_GROUP = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
_TO_LEADER = (signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
_DRAIN = 1.0
"""Seconds in which what is in the pipes is passed on, where something that the job left behind holds them open."""

Hear = Callable[[str, bytes], None]


class Passing:
    """A job that runs. ``hear`` gets the stream (``stdout``, ``stderr``, ``terminal``) and what was written.

    Raises OSError where the command cannot be started.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], hear: Hear) -> None:
        self._hear = hear
        self._selector = selectors.DefaultSelector()
        self._targets: dict[int, tuple[str, int]] = {}  # from a stream of the job to one of ours
        self._saved: list[Any] | None = None
        self._handlers: dict[int, Any] = {}
        self._master = -1
        self.status: int | None = None
        self.forwarded: list[int] = []
        """Signals that were passed on."""
        self.unread = False
        """Whether somebody closed the stream into which our output went, as ``head`` does."""
        self.unwritten = ""
        """Why output of the job is lost, as on a full disk."""
        self._process = self._start(command, env)
        self._guard = guarded(self._process.pid)
        self._wake, self._woken = os.pipe()
        for end in (self._wake, self._woken):
            os.set_blocking(end, False)
        self._catch()

    @property
    def pid(self) -> int:
        """The leader of the job."""
        return self._process.pid

    def _start(self, command: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        ours = [os.isatty(number) for number in (0, 1, 2)]
        given: list[int | None] = [None, None, None]
        slave = -1
        if any(ours):
            self._master, slave = pty.openpty()
            self._resize()
            given = [slave if mine else None for mine in ours]
        for number, name in ((1, "stdout"), (2, "stderr")):
            if given[number] is None:
                reading, writing = os.pipe()
                given[number] = writing
                self._targets[reading] = (name, number)
        try:
            process = subprocess.Popen(
                list(command),
                stdin=given[0],
                stdout=given[1],
                stderr=given[2],
                env=dict(env),
                start_new_session=True,
                preexec_fn=(lambda: _control(slave)) if slave >= 0 else None,
            )
        except OSError:
            for end in (*self._targets, self._master):
                if end >= 0:
                    os.close(end)
            raise
        finally:
            for end in {end for end in given if end is not None}:
                os.close(end)
        if self._master >= 0:
            self._targets[self._master] = ("terminal", 1 if ours[1] else 2)
            if ours[0]:
                self._saved = termios.tcgetattr(0)
                tty.setraw(0)
                self._selector.register(0, selectors.EVENT_READ)
        for end in self._targets:
            self._selector.register(end, selectors.EVENT_READ)
        return process

    def _catch(self) -> None:
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._handlers[-1] = signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        for number in (*_TO_GROUP, *_TO_LEADER, signal.SIGWINCH, signal.SIGCHLD):
            if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
                continue  # nohup: the job shall outlive the terminal
            self._handlers[number] = signal.signal(number, self._signalled)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGWINCH:
            self._resize()
        elif number in (*_TO_GROUP, *_TO_LEADER):
            self.forwarded.append(number)
            self.send(number)

    def send(self, number: int) -> None:
        """A signal for the job, as a terminal or a person would send it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            (os.killpg if number in (*_TO_GROUP, signal.SIGKILL) else os.kill)(self.pid, number)

    def _resize(self) -> None:
        for number in (1, 2, 0):
            with contextlib.suppress(OSError):
                size = fcntl.ioctl(number, termios.TIOCGWINSZ, struct.pack("4H", 0, 0, 0, 0))
                fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)
                return

    def step(self, seconds: float) -> bool:
        """Pass on what there is, for at most so long if there is nothing; whether the job still runs."""
        for key, _ in self._selector.select(seconds):
            number = key.fd
            if number == self._wake:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, 4096)
            elif number == 0:
                self._keys()
            else:
                self._pass(number)
        status = self._process.poll()
        if status is None:
            return True
        self._drain()
        self.status = status
        return False

    def _keys(self) -> None:
        try:
            data = os.read(0, _PART)
        except OSError:
            data = b""
        if data:
            with contextlib.suppress(OSError):
                os.write(self._master, data)
        else:
            self._selector.unregister(0)

    def _pass(self, number: int) -> bool:
        name, target = self._targets[number]
        try:
            data = os.read(number, _PART)
        except OSError:  # the other end of a terminal is closed
            data = b""
        if not data:
            self._forget(number)
            return False
        try:
            _write(target, data)
        except OSError as error:  # the job shall notice it as it would without us
            if error.errno == errno.EPIPE:
                self.unread = True
            else:
                self.unwritten = (
                    f"standard {'output' if target == 1 else 'error'}: cannot be written: {error.strerror}"
                )
            self._forget(number)
        self._hear(name, data)
        return True

    def _forget(self, number: int) -> None:
        self._selector.unregister(number)
        del self._targets[number]
        os.close(number)

    def _drain(self) -> None:
        until = time.monotonic() + _DRAIN
        while self._targets and time.monotonic() < until:
            for number in [key.fd for key, _ in self._selector.select(0.05) if key.fd in self._targets]:
                self._pass(number)

    def say(self, text: str) -> None:
        """A word of our own on standard error, also where the terminal is in the hands of the job."""
        if self._saved:
            text = text.replace("\n", "\r\n")
        with contextlib.suppress(OSError):
            _write(2, text.encode("utf-8", "replace"))

    def __enter__(self) -> Passing:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.send(signal.SIGKILL)
        if self._saved:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, self._saved)
        for number, handler in self._handlers.items():
            if number > 0:
                signal.signal(number, handler)
        signal.set_wakeup_fd(self._handlers[-1])
        for number in list(self._targets):
            self._forget(number)
        self._selector.close()
        for end in (self._wake, self._woken):
            os.close(end)
        self._guard()


def _control(slave: int) -> None:
    """In the job: the new terminal is the one that controls it."""
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:
            time.sleep(0.001)
