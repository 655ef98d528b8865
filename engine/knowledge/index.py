"""The compiled knowledge base: one file of rows by name, of which a run reads those that it needs.

The first line is a header; then come rows of JSON, sorted by name, and a hash table of where each begins, so that a row
is found at once in the mapped file however many there are. (sqlite3 would do the same, but importing it costs more than
all the rows of a usual run.) An index is made when the wheel is built, and for a checkout in the user's cache.

Whether it is up to date: a checkout is compared file by file, by size and time. An installed knowledge base, which
brings its index along, is compared by content once, and then by the times of its folders: what is installed is
replaced, not edited.

This is read at every start, so it goes without pathlib and hashlib (8 ms).
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterator
from os import path as paths
from typing import Any

from ..caching import cache_folder, is_own
from ..errors import KnowledgeError
from ..model import FOLDERS

FORMAT = 61
PACKAGED = "index.rows"
LANGUAGE = tuple(
    paths.join(paths.dirname(paths.dirname(__file__)), "language", name)
    for name in ("phrasebook.txt", "concepts.txt")
)
"""What signatures and wordings are expanded with when an index is made: other tables make another index."""
WIDTH = 8
"""Bytes of a slot in the table: where a row begins, plus one; nothing for an empty slot."""

Stat = dict[str, list[int]]
_decode = json.JSONDecoder().raw_decode  # loads looks for an encoding and for white space first


class Index:
    """A compiled knowledge base; ``part`` reads what is asked for and nothing else. Raises ValueError if it is none."""

    def __init__(self, data: bytes | mmap.mmap, start: int = 0) -> None:
        end = data.find(b"\n", start)
        self.header: dict[str, Any] = json.loads(data[start : end + 1])
        if not isinstance(self.header, dict) or self.header.get("format") != FORMAT:
            raise ValueError("another format")
        self._data, self._start = data, start
        self._rows = end + 1
        self._places = self._rows + self.header["size"]
        self._slots: int = self.header["slots"]
        if len(data) != self._places + self._slots * WIDTH:
            raise ValueError("cut short")

    @property
    def version(self) -> str:
        """The version that the knowledge base states."""
        return str(self.header["version"])

    @property
    def digest(self) -> str:
        """A digest of every file's content."""
        return str(self.header["digest"])

    def content(self) -> bytes:
        """All of it, as a file holds it."""
        return bytes(self._data[self._start :])

    def __contains__(self, name: str) -> bool:
        return self._find(name) >= 0

    def part(self, name: str) -> Any:
        """One row as JSON; None if there is no such row."""
        start = self._find(name)
        return None if start < 0 else _decode(self._data[start : self._data.find(b"\n", start)].decode())[0]

    def parts(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Every row of a kind, named by what stands behind its ``kind:``, sorted."""
        start, end = self.header["kinds"].get(kind, (0, 0))
        lines = self._data[self._rows + start : self._rows + end]
        for line in lines.split(b"\n")[:-1]:
            name, _, content = line.partition(b"\t")
            yield name[len(kind) + 1 :].decode(), json.loads(content)

    def _find(self, name: str) -> int:
        """Where the content of a row begins; -1 if there is no such row."""
        wanted = name.encode("utf-8", "surrogatepass") + b"\t"
        slot = zlib.crc32(wanted) % self._slots
        while True:
            at = self._places + slot * WIDTH
            place = int.from_bytes(self._data[at : at + WIDTH], "little")
            if not place:
                return -1
            start = self._rows + place - 1
            if self._data[start : start + len(wanted)] == wanted:
                return start + len(wanted)
            slot = (slot + 1) % self._slots


def stat_files(folder: str) -> Stat:
    """Size and time of each file of a knowledge base. Raises KnowledgeError."""
    found: Stat = {}
    try:
        for inside in _folders(folder):
            with os.scandir(paths.join(folder, inside)) as entries:
                for entry in entries:
                    if entry.name.endswith(".md"):
                        info = entry.stat()
                        found[f"{inside}/{entry.name}"] = [info.st_size, info.st_mtime_ns]
        readme = paths.join(folder, "README.md")
        if paths.isfile(readme):
            info = os.stat(readme)
            found["README.md"] = [info.st_size, info.st_mtime_ns]
    except OSError as error:
        raise KnowledgeError(f"cannot be read: {error.strerror}", folder) from None
    return found


def _folders(root: str) -> list[str]:
    """The folders of a knowledge base in which entries lie: those of the kinds, and one level below."""
    found = []
    for kind in FOLDERS:
        if paths.isdir(paths.join(root, kind)):
            found.append(kind)
            with os.scandir(paths.join(root, kind)) as entries:
                found += [f"{kind}/{e.name}" for e in entries if not e.name.endswith(".md") and e.is_dir()]
    return found


def stamp(folder: str) -> dict[str, Any]:
    """By what a later run tells that an index is still up to date. Raises KnowledgeError."""
    stamped: dict[str, Any] = {"phrases": [_time(path) for path in LANGUAGE]}
    if paths.isfile(paths.join(folder, PACKAGED)):
        watched = [folder, *(paths.join(folder, inside) for inside in _folders(folder))]
        watched.append(paths.join(folder, PACKAGED))
        return {**stamped, "folders": {path: _time(path) for path in watched}}
    return {**stamped, "files": _mark(stat_files(folder))}


def _is_current(folder: str, stamped: dict[str, Any]) -> bool:
    if stamped["phrases"] != [_time(path) for path in LANGUAGE]:
        return False
    if "folders" in stamped:
        return all(_time(path) == seen for path, seen in stamped["folders"].items())
    return bool(stamped["files"] == _mark(stat_files(folder)))


def _time(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _mark(files: Stat) -> str:
    """Size and time of every file in one short text."""
    said = repr(sorted(files.items())).encode("utf-8", "surrogateescape")
    return f"{len(files)}-{zlib.crc32(said):08x}{zlib.adler32(said):08x}"


def cached_index(folder: str) -> Index | None:
    """The index in the user's cache, or the packaged one that it vouches for, if it fits the files as they are."""
    cache = cache_file(folder)
    if cache is None:
        return None
    try:
        with open(cache, "rb") as file:
            if not is_own(file.fileno()):
                return None
            first = file.readline()
            stamped = json.loads(first)
            if not _is_current(folder, stamped):
                return None
            index = _opened(file.fileno(), len(first)) if stamped["own"] else packaged_index(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return index


def packaged_index(folder: str) -> Index | None:
    """The index that lies beside the knowledge base, whether or not it is up to date."""
    try:
        with open(paths.join(folder, PACKAGED), "rb") as file:
            return _opened(file.fileno(), 0)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _opened(file: int, start: int) -> Index:
    return Index(mmap.mmap(file, 0, access=mmap.ACCESS_READ), start)


def cache_file(folder: str) -> str | None:
    """Where the index of a folder is kept; None where there is no home."""
    base = cache_folder()
    if base is None:
        return None
    name = zlib.crc32(paths.realpath(folder).encode("utf-8", "surrogateescape"))
    return paths.join(base, f"kb-{name:08x}.rows")
