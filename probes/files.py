"""Files and folders of logs, opened one part at a time; compressed ones within bounds."""

from __future__ import annotations

import codecs
import os
import stat
import zlib
from collections.abc import Iterator
from typing import IO, Protocol

from ..engine.redaction import redact
from .text import on_one_line

PART = 1 << 20
LARGEST_RATIO = 200
"""A compressed log may grow this much; more is taken for a bomb and cut."""
MOST_FILES = 5000
_HEAD = 8192
_PICKLE = b"\x80"


def shown(name: str) -> str:
    """The name of a file without secrets, control characters and line breaks."""
    return redact(on_one_line(redact(name)))


class Progress(Protocol):
    """Hears how the reading goes, and may stop it."""

    stopped: bool

    def advance(self, name: str, done: int) -> None:
        """So many more bytes of a file were read, as they lie on the disk."""

    def left_out(self, name: str, why: str) -> None:
        """Something was not read."""


class FileError(Exception):
    """A file or folder cannot be read; the message is one sentence that names it."""


def report_files(
    name: str | os.PathLike[str], progress: Progress | None = None
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each file under a file or folder of that name, with its parts. Raises FileError."""
    path = os.fspath(name)
    path = os.path.normpath(path) if ".." not in path else path  # what lies above a link is another folder
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            yield from _of_folder(path, progress)
            return
    except (OSError, ValueError) as error:  # a name with a zero byte
        raise FileError(f"{shown(path)}: cannot be read: {getattr(error, 'strerror', error)}") from None
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise FileError(f"{shown(path)}: this is no file")
    yield shown(path), _named(path, progress)


def _of_folder(path: str, progress: Progress | None) -> Iterator[tuple[str, Iterator[bytes]]]:
    from .bundles import chosen, inside

    names, closed = inside(path)
    if progress:
        for error in closed:
            progress.left_out(shown(str(error.filename)), f"cannot be read: {error.strerror}")
    if not names:
        raise FileError(f"{shown(path)}: the folder holds no files")
    names, left_out = chosen(names)
    if progress and left_out:
        progress.left_out(shown(path), left_out)
    if progress and len(names) > MOST_FILES:
        progress.left_out(shown(path), f"only the first {MOST_FILES} of {len(names)} files were read")
    for name in names[:MOST_FILES]:
        below = os.path.join("" if path == "." else os.path.basename(path), name)
        yield shown(below), _parts(os.path.join(path, name), progress)


def _named(path: str, progress: Progress | None) -> Iterator[bytes]:
    """The parts of a file that a person named; that it holds nothing to read is worth a word then."""
    first = True
    for part in _parts(path, progress):
        # Pickles are dumps of the flight recorder.
        if first and progress and b"\0" in part[:_HEAD] and not part.startswith(_PICKLE):
            progress.left_out(shown(path), "this looks like a binary file: only text can be read")
        first = False
        yield part
    if first and progress and not progress.stopped:
        progress.left_out(shown(path), "the file is empty")


def _parts(path: str, progress: Progress | None) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            magic = file.peek(2)[:2] if hasattr(file, "peek") else b""
            if magic == b"\x1f\x8b":
                yield from _unpacked(path, file, progress)
                return
            if magic in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                # As a redirection of PowerShell writes it.
                for text in codecs.iterdecode(_plain(path, file, progress), "utf-16", "replace"):
                    yield text.encode()
                return
            yield from _plain(path, file, progress)
    except OSError as error:
        raise FileError(f"{shown(path)}: cannot be read: {error.strerror or error}") from None


def _plain(path: str, file: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    while not (progress and progress.stopped) and (part := file.read(PART)):
        if progress:
            progress.advance(shown(path), len(part))
        yield part


def _unpacked(path: str, file: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    import gzip  # 5 ms, for few reports

    size = os.stat(path).st_size
    allowed = max(size, 4096) * LARGEST_RATIO
    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            while allowed > 0 and not (progress and progress.stopped) and (part := unpacked.read1(PART)):
                yield part
                allowed -= len(part)
            if allowed <= 0 and progress:
                progress.left_out(shown(path), f"it unpacks to more than {LARGEST_RATIO} times its size")
    except (EOFError, zlib.error, OSError):
        # A log that is still being written ends in the middle; what came before counts.
        if progress:
            progress.left_out(shown(path), "the compressed file is damaged or cut off")
    if progress:
        progress.advance(shown(path), size)
