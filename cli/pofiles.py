"""Translations compiled: the PO files of a language as one table, made with the wheel or kept for the next start.

gettext's own compiled form would take one file for each PO file, and has no place for contexts in the standard library.
"""

from __future__ import annotations

import contextlib
import json
import os

from gpudoctor.engine.tuples import NamedTuple

from ..engine.knowledge.index import cache_file
from ..engine.writing import keep

FORMAT = 1


class Translations(NamedTuple):
    """What messages become in a language, and the words of choices, which stand in a context of their own."""

    messages: dict[str, str]
    choices: dict[str, str]


def table_of(folder: str) -> Translations:
    """The table of a language: the packaged one, or one made from the PO files as they are now."""
    with contextlib.suppress(OSError), open(packaged(folder), "rb") as file:
        return _read(file.read())
    stamp = _stamp(folder)
    index = cache_file(folder)
    kept = os.path.join(os.path.dirname(index), f"locale-{os.path.basename(folder)}.json") if index else ""
    with contextlib.suppress(OSError, ValueError, TypeError), open(kept, "rb") as file:
        if file.readline() == stamp:
            return _read(file.read())
    data = compiled(folder)
    if kept:
        keep(kept, stamp + data)
    return _read(data)


def packaged(folder: str) -> str:
    """Where the wheel has the table of a language."""
    return f"{folder}.json"


def compiled(folder: str) -> bytes:
    """The table of a language from its PO files."""
    import polib  # 20 times slower than the table: at the first start only

    found = Translations({}, {})
    for path in _files(folder):
        for entry in polib.pofile(path):
            if entry.msgstr and not entry.obsolete and not entry.fuzzy:
                (found.choices if entry.msgctxt == "choice" else found.messages)[entry.msgid] = entry.msgstr
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def _read(data: bytes) -> Translations:
    messages, choices = json.loads(data)
    return Translations(messages, choices)


def _files(folder: str) -> list[str]:
    return sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(".po")
    )


def _stamp(folder: str) -> bytes:
    """Which files there are, with size and time: another stamp, another table."""
    files = [(path, os.stat(path)) for path in _files(folder)]
    return json.dumps([FORMAT, [(path, s.st_size, s.st_mtime_ns) for path, s in files]]).encode() + b"\n"
