"""The compiled knowledge base: one file whose parts are read one by one, and whether it is up to date.

``index.jsonl`` begins with a header line that tells where each part lies; every other line is one JSON
document. It is made when the wheel is built, and for a checkout in the user's cache. Files are compared by
size and time with what the cache saw, and by content with what the wheel was built from.

This is read at every start, so it goes without pathlib and hashlib (8 ms).
"""

from __future__ import annotations

import json
import os
import zlib
from os import path as paths
from typing import Any

from .errors import KnowledgeError
from .model import FOLDERS

FORMAT = 8
PACKAGED = "index.jsonl"

Stat = dict[str, list[int]]


class Index:
    """A compiled knowledge base; ``part`` reads what is asked for and nothing else."""

    def __init__(self, data: bytes) -> None:
        end = data.index(b"\n")
        self.header: dict[str, Any] = json.loads(data[:end])
        self._data = data
        self._start = end + 1
        self._parts: dict[str, Any] = {}

    @property
    def version(self) -> str:
        """The version that the knowledge base states."""
        return str(self.header["version"])

    @property
    def digest(self) -> str:
        """A digest of every file's content."""
        return str(self.header["digest"])

    def names(self, kind: str) -> list[str]:
        """The ids of one kind: ``fact``, ``incident`` or ``remedy``."""
        names: list[str] = self.header["names"][kind]
        return names

    def part(self, name: str) -> Any:
        """One part as JSON; None if there is no such part."""
        if name not in self._parts:
            place = self.header["parts"].get(name)
            if place is None:
                return None
            start = self._start + place[0]
            self._parts[name] = json.loads(self._data[start : start + place[1]])
        return self._parts[name]


def stat_files(folder: str) -> Stat:
    """Size and time of each file of a knowledge base. Raises KnowledgeError."""
    found: Stat = {}
    try:
        for kind in FOLDERS:
            place = paths.join(folder, kind)
            if not paths.isdir(place):
                continue
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.name.endswith(".md"):
                        info = entry.stat()
                        found[f"{kind}/{entry.name}"] = [info.st_size, info.st_mtime_ns]
        readme = paths.join(folder, "README.md")
        if paths.isfile(readme):
            info = os.stat(readme)
            found["README.md"] = [info.st_size, info.st_mtime_ns]
    except OSError as error:
        raise KnowledgeError(f"cannot be read: {error.strerror}", folder) from None
    return found


def cached_index(folder: str) -> Index | None:
    """The index in the user's cache, if it was made from the files as they are now."""
    cache = cache_file(folder)
    if cache is None:
        return None
    try:
        with open(cache, "rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return None
            stamp = file.readline()
            if json.loads(stamp) != stat_files(folder):
                return None
            index = Index(file.read())
    except (OSError, ValueError, KeyError):
        return None
    return index if index.header.get("format") == FORMAT else None


def packaged_index(folder: str) -> Index | None:
    """The index that lies beside the knowledge base, whether or not it is up to date."""
    try:
        with open(paths.join(folder, PACKAGED), "rb") as file:
            index = Index(file.read())
    except (OSError, ValueError, KeyError):
        return None
    return index if index.header.get("format") == FORMAT else None


def cache_file(folder: str) -> str | None:
    """Where the index of a folder is kept; None where there is no home."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        home = os.environ.get("HOME")
        if not home:
            return None
        base = paths.join(home, ".cache")
    name = zlib.crc32(paths.realpath(folder).encode("utf-8", "surrogateescape"))
    return paths.join(base, "gpudoctor", f"kb-{name:08x}.jsonl")
