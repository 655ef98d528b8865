"""Making an index, keeping it, and telling whether a packaged one still fits its files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zlib
from collections.abc import Iterable
from typing import Any

from .. import writing
from ..errors import KnowledgeError
from .index import FORMAT, LANGUAGE, WIDTH, Index, cache_file, packaged_index, stamp, stat_files


def current_package(folder: str) -> Index | None:
    """The packaged index, vouched for in the user's cache, if it was made from the files as they are.

    Raises KnowledgeError.
    """
    packaged = packaged_index(folder)
    before = stamp(folder)
    if packaged is None or packaged.part("files") != content_digests(folder):
        return None
    keep(folder, None, before)
    return packaged


def serialise(version: str, files: dict[str, str], parts: Iterable[tuple[str, Any]]) -> bytes:
    """The bytes of an index; ``files`` maps relative paths to content digests."""
    rows = {name.encode(): _json(content) for name, content in parts}
    rows[b"files"] = _json(files)
    slots = 2 * len(rows)  # half of them empty: a row is found at the first or second try
    table = [0] * slots
    kinds: dict[str, tuple[int, int]] = {}
    lines: list[bytes] = []
    size = 0
    for name in sorted(rows):
        lines.append(name + b"\t" + rows[name] + b"\n")
        slot = zlib.crc32(name + b"\t") % slots
        while table[slot]:
            slot = (slot + 1) % slots
        table[slot] = size + 1
        kind = name.partition(b":")[0].decode()
        kinds[kind] = (kinds.get(kind, (size, 0))[0], size + len(lines[-1]))
        size += len(lines[-1])
    header = {
        "format": FORMAT,
        "version": version,
        "digest": digest(json.dumps(files, sort_keys=True)),
        "kinds": kinds,
        "slots": slots,
        "size": size,
    }
    places = b"".join(place.to_bytes(WIDTH, "little") for place in table)
    return _json(header) + b"\n" + b"".join(lines) + places


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def digest(text: str | bytes) -> str:
    """A short digest."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:16]


def content_digests(folder: str) -> dict[str, str]:
    """The digest of each file of a knowledge base, and of the phrases that its signatures are made of.

    Raises KnowledgeError.
    """
    found = {}
    for path in LANGUAGE:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found[os.path.basename(path)] = digest(file.read())
    for name in sorted(stat_files(folder)):
        try:
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = digest(file.read())
        except OSError as error:
            raise KnowledgeError(f"cannot be read: {error.strerror}", os.path.join(folder, name)) from None
    return found


def keep(folder: str, data: bytes | None, stamped: dict[str, Any]) -> None:
    """Write an index to the user's cache, or, without data, that the packaged one is up to date: with the files as
    they were ``stamped`` before they were read.

    Silently not, where there is no place to write.
    """
    cache = cache_file(folder)
    if cache is None:
        return
    with contextlib.suppress(OSError):  # files that vanish meanwhile
        writing.keep(cache, _json({**stamped, "own": data is not None}) + b"\n" + (data or b""))
