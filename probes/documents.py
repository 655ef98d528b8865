"""Files that are read as a whole, not line by line: flight-recorder dumps, RAS answers and tools' JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .flightrecorder import Dump

Part = tuple[str, str | int | bool, str, str]
"""Name, value, place and text of a finding."""
_HEAD = 64 << 10


class Documents:
    """Whole documents among the texts of one reading; dumps are compared at its end."""

    def __init__(self) -> None:
        self._dumps: list[Dump] = []

    def take(self, where: str, parts: Iterable[bytes]) -> tuple[bool, Iterable[bytes], list[Part]]:
        """Whether the text was such a document; what is left to be read as lines; its findings if it was."""
        stream = iter(parts)
        head = next(stream, b"")
        whole = chain([head], stream)
        if is_dump(head[:_HEAD]):
            from . import flightrecorder  # brings what bounds a child process

            data = _join(whole, flightrecorder.LARGEST)
            dump = flightrecorder.read_dump(data, where)
            if dump:
                self._dumps.append(dump)
            if dump or flightrecorder.is_pickle(data):
                return True, (), []
            whole = chain([data], whole)  # a log in JSON lines that speaks of collectives
        elif b"{" in head[:_HEAD]:
            from .parsers import ras, tool_json

            if ras.is_ras_json(head[:_HEAD]):
                data = _join(whole, ras.LARGEST)
                found = list(ras.read_json(data))
                if found:
                    return True, (), [(f.name, f.value, where, f"{f.name} {f.value}") for f in found]
                whole = chain([data], whole)
            elif tool_json.is_tool_json(head[:_HEAD]):
                data = _join(whole, tool_json.LARGEST)
                report = tool_json.read_json(data)
                if report is not None:
                    lines = [f"{line}\n".encode() for line in report.lines]
                    told = [(f.name, f.value, where, f"{f.name} {f.value}") for f in report.facts]
                    return not lines, lines, told
                whole = chain([data], whole)
        return False, whole, []

    def compare(self) -> Iterator[Part]:
        """What the dumps say together."""
        if self._dumps:
            from . import flightrecorder

            yield from flightrecorder.compare(self._dumps)


def is_dump(head: bytes) -> bool:
    """Whether a file that begins so looks like a flight-recorder dump."""
    if head[:1] == b"\x80":
        return b"pg_config" in head or b"entries" in head or b"version" in head[:200]
    return head.lstrip()[:1] == b"{" and b'"collective_seq_id"' in head and b'"entries"' in head


def _join(parts: Iterable[bytes], largest: int) -> bytes:
    kept: list[bytes] = []
    size = 0
    for part in parts:
        kept.append(part)
        size += len(part)
        if size > largest:
            break
    return b"".join(kept)
