"""A line on the terminal that tells how far the reading of large reports has come."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

from ..terminal import columns

_PATIENCE = 0.5  # seconds before anything is shown: most reports are read sooner
_PAUSE = 0.1  # seconds between two updates
_MIB = 1 << 20


class ReadingProgress:
    """Counts bytes; draws a bar on a terminal, and nothing elsewhere."""

    def __init__(self, names: Iterable[str], stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._names = list(names)
        self._total: int | None = None
        self._done = 0
        self._current = ""
        self._began = self._shown = time.monotonic()
        self._drawn = False
        self._restore: Callable[[], object] | None = None
        self._waiting = False
        self.stopped = False
        self.notes: list[str] = []

    def __enter__(self) -> ReadingProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._restore is not None:
            self._restore()
        self._clear()
        if self.stopped:
            inside = f" in {self._current}" if self._current else ""
            self.notes.append(
                f"reading was stopped after {self._done / _MIB:.0f} MiB{inside}: "
                "what comes later is not in this diagnosis"
            )

    def _listen(self) -> None:
        """From here on Ctrl-C ends the reading; what is read in one piece, as most reports are, it interrupts."""
        if self._restore is not None:
            return
        import signal  # takes as long as reading such a report

        with contextlib.suppress(ValueError):  # not the main thread: nobody to press Ctrl-C
            before: Any = signal.signal(signal.SIGINT, self._interrupt)
            self._restore = lambda: signal.signal(signal.SIGINT, before)

    def _interrupt(self, *_: object) -> None:
        """Ctrl-C: what was read so far is concluded from; a second one ends the program."""
        if self.stopped or self._waiting:
            self.stopped = True
            raise KeyboardInterrupt
        self.stopped = True

    def advance(self, name: str, done: int) -> None:
        """So many more bytes of a file were read."""
        if self._done:
            self._listen()
        self._current = name
        self._done += done
        now = time.monotonic()
        if self._stream and now - self._began > _PATIENCE and now - self._shown > _PAUSE:
            self._shown = now
            self._draw()

    def left_out(self, name: str, why: str) -> None:
        """Keep what the diagnosis has to say about parts that were not read."""
        self.notes.append(f"{name}: {why}")

    def watched(self, read: Callable[[], bytes]) -> Iterator[bytes]:
        """The parts of a stream that has no file, counted."""
        self._listen()  # it may be long until the first comes
        while not self.stopped:
            self._waiting = True
            try:
                part = read()
            except KeyboardInterrupt:
                return
            finally:
                self._waiting = False
            if not part:
                return
            self.advance("standard input", len(part))
            yield part

    def _clear(self) -> None:
        if self._drawn and self._stream:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False

    def _draw(self) -> None:
        assert self._stream
        if self._total is None:
            self._total = sum(map(_size, self._names))
        width = columns()
        said = f"{self._done // _MIB}"
        if self._total >= self._done:
            share = self._done / max(self._total, 1)
            said = f"[{'#' * round(20 * share):<20}] {said} of {self._total // _MIB}"
        line = f"reading {said} MiB  {os.path.basename(self._current)}"
        self._stream.write("\r" + line[: max(width - 1, 10)] + "\x1b[K")
        self._stream.flush()
        self._drawn = True


def _size(name: str) -> int:
    """Bytes of a file or of all files in a folder; 0 if that cannot be told."""
    try:
        if not os.path.isdir(name):
            return os.stat(name).st_size if name != "-" else 0
        return sum(
            os.stat(os.path.join(folder, file)).st_size
            for folder, _, files in os.walk(name)
            for file in files
        )
    except OSError:
        return 0
