"""Making an index, keeping it, and telling whether a packaged one still fits its files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from typing import Any

from .errors import KnowledgeError
from .index import FORMAT, PACKAGED, Index, cache_file, packaged_index, stat_files


def open_index(folder: str) -> Index:
    """The index of a folder that is not in the cache: the packaged one if it fits, else compiled anew.

    Either way it is kept for the next run. Raises KnowledgeError.
    """
    packaged = packaged_index(folder)
    if packaged is not None and packaged.header["files"] == content_digests(folder):
        with open(os.path.join(folder, PACKAGED), "rb") as file:
            _keep(folder, file.read())
        return packaged
    from .compiler import build_index

    data = build_index(folder)
    _keep(folder, data)
    return Index(data)


def serialise(
    version: str, files: dict[str, str], names: dict[str, list[str]], parts: dict[str, Any]
) -> bytes:
    """The bytes of an index; ``files`` maps relative paths to content digests."""
    lines: list[bytes] = []
    places: dict[str, tuple[int, int]] = {}
    offset = 0
    for name, content in parts.items():
        line = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        places[name] = (offset, len(line) - 1)
        lines.append(line)
        offset += len(line)
    header = {
        "format": FORMAT,
        "version": version,
        "digest": digest(json.dumps(files, sort_keys=True)),
        "files": files,
        "names": names,
        "parts": places,
    }
    return json.dumps(header, separators=(",", ":")).encode() + b"\n" + b"".join(lines)


def digest(text: str | bytes) -> str:
    """A short digest."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:16]


def content_digests(folder: str) -> dict[str, str]:
    """The digest of each file of a knowledge base. Raises KnowledgeError."""
    found = {}
    for name in sorted(stat_files(folder)):
        try:
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = digest(file.read())
        except OSError as error:
            raise KnowledgeError(f"cannot be read: {error.strerror}", os.path.join(folder, name)) from None
    return found


def _keep(folder: str, data: bytes) -> None:
    """Write an index to the user's cache; silently not, where there is no place to write."""
    cache = cache_file(folder)
    if cache is None:
        return
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(cache), mode=0o700, exist_ok=True)
        stamp = json.dumps(stat_files(folder), separators=(",", ":")).encode() + b"\n"
        handle, name = tempfile.mkstemp(dir=os.path.dirname(cache))
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(stamp + data)
            os.replace(name, cache)
        except OSError:
            os.unlink(name)
