"""Files and folders of logs, opened one part at a time; compressed ones within bounds."""

from __future__ import annotations

import codecs
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from ..engine.redaction import redact
from .bundles import chosen
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


def report_files(path: Path, progress: Progress | None = None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each file under ``path`` with its parts. Raises FileError."""
    try:
        if path.is_dir():
            names = _inside(path, progress)
            if not names:
                raise FileError(f"{shown(str(path))}: the folder holds no files")
            names, left_out = chosen(path, names)
            if progress and left_out:
                progress.left_out(shown(str(path)), left_out)
            if progress and len(names) > MOST_FILES:
                progress.left_out(
                    shown(str(path)), f"only the first {MOST_FILES} of {len(names)} files were read"
                )
            for name in names[:MOST_FILES]:
                yield shown(str(name.relative_to(path.parent))), _parts(name, progress)
            return
        mode = path.stat().st_mode
    except OSError as error:
        raise FileError(f"{shown(str(path))}: cannot be read: {error.strerror}") from None
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise FileError(f"{shown(str(path))}: this is no file")
    yield shown(str(path)), _named(path, progress)


def _inside(folder: Path, progress: Progress | None) -> list[Path]:
    """The files of a folder and of what lies in it, sorted. Raises OSError where the folder itself is closed."""
    found: list[Path] = []

    def closed(error: OSError) -> None:
        if error.filename == str(folder):
            raise error
        if progress:
            progress.left_out(shown(str(error.filename)), f"cannot be read: {error.strerror}")

    for place, _, names in os.walk(folder, onerror=closed):
        found += (Path(place, name) for name in names)
    return sorted(p for p in found if p.is_file() and not p.is_symlink())


def _named(path: Path, progress: Progress | None) -> Iterator[bytes]:
    """The parts of a file that a person named; that it holds nothing to read is worth a word then."""
    first = True
    for part in _parts(path, progress):
        # Pickles are dumps of the flight recorder.
        if first and progress and b"\0" in part[:_HEAD] and not part.startswith(_PICKLE):
            progress.left_out(shown(str(path)), "this looks like a binary file: only text can be read")
        first = False
        yield part
    if first and progress and not progress.stopped:
        progress.left_out(shown(str(path)), "the file is empty")


def _parts(path: Path, progress: Progress | None) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
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
        raise FileError(f"{shown(str(path))}: cannot be read: {error.strerror or error}") from None


def _plain(path: Path, file: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    while not (progress and progress.stopped) and (part := file.read(PART)):
        if progress:
            progress.advance(shown(str(path)), len(part))
        yield part


def _unpacked(path: Path, file: IO[bytes], progress: Progress | None) -> Iterator[bytes]:
    import gzip  # 5 ms, for few reports

    size = path.stat().st_size
    allowed = max(size, 4096) * LARGEST_RATIO
    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            while allowed > 0 and not (progress and progress.stopped) and (part := unpacked.read1(PART)):
                yield part
                allowed -= len(part)
            if allowed <= 0 and progress:
                progress.left_out(shown(str(path)), f"it unpacks to more than {LARGEST_RATIO} times its size")
    except (EOFError, zlib.error, OSError):
        # A log that is still being written ends in the middle; what came before counts.
        if progress:
            progress.left_out(shown(str(path)), "the compressed file is damaged or cut off")
    if progress:
        progress.advance(shown(str(path)), size)
