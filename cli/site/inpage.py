"""The engine inside of a page: what the worker of the search page calls, in a Python that runs in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...engine import Knowledge, Session
from ...probes.files import FileError, report_files
from ...probes.report import Reader
from ..render.report.forms import ISSUE
from ..render.report.markdown import markdown_report
from ..render.report.terminal import brief_report, text_report

WIDTH = 100
PASTED = "pasted text"

Told = Callable[[float], None]
"""Hears which part of what is to be read has been read, from 0 to 1."""


class _Reading:
    """The progress of reading files, as ``report_files`` tells it."""

    def __init__(self, total: int, told: Told) -> None:
        self.stopped = False
        self.notes: list[str] = []
        self._total, self._done, self._told = max(total, 1), 0, told

    def advance(self, name: str, done: int) -> None:
        self._done += done
        self._told(min(self._done / self._total, 1.0))

    def left_out(self, name: str, why: str) -> None:
        self.notes.append(f"{name}: {why}")


class Doctor:
    """A knowledge base, ready for any number of texts."""

    def __init__(self, rows: bytes, overlays: Sequence[str] = ()) -> None:
        self._knowledge = Knowledge.from_index(rows, *overlays)
        self._reader = Reader(self._knowledge)

    def diagnose(
        self, pasted: str = "", files: Iterable[str] = (), told: Told = lambda part: None
    ) -> dict[str, str]:
        """The diagnosis of a pasted text and of files, as ``gpudoctor --report`` gives it, in each of its forms.

        Raises FileError if a file cannot be read.
        """
        paths = [Path(name) for name in files]
        data = pasted.encode("utf-8", "surrogatepass")
        reading = _Reading(len(data) + sum(_size(path) for path in paths), told)

        def texts() -> Iterator[tuple[str, Iterable[bytes]]]:
            if data or not paths:
                yield PASTED, [data]
                reading.advance(PASTED, len(data))
            for path in paths:
                yield from report_files(path, reading)

        session = Session(self._knowledge, "reference")
        try:
            for fact in self._reader.read_all(texts()):
                session.add(fact)
            for note in reading.notes:
                session.note(note, partial=True)
            document = session.diagnosis().to_dict()
        finally:
            session.close()
        return forms(document)


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(inside.stat().st_size for inside in path.rglob("*") if inside.is_file())
    return path.stat().st_size


def forms(document: dict[str, Any]) -> dict[str, str]:
    """A diagnosis as text of one screen, as whole text, as Markdown and as JSON, with the pages that it names."""
    pages = [
        {"kind": one["kind"], "id": one["id"], "title": one["title"], "standing": one["standing"]}
        for one in document["incidents"][:8]
    ]
    return {
        "brief": brief_report(document, WIDTH).plain(),
        "full": text_report(document, WIDTH).plain(),
        "markdown": markdown_report(document, ISSUE),
        "json": json.dumps(document, ensure_ascii=False, indent=2) + "\n",
        "pages": json.dumps(pages, ensure_ascii=False),
    }


def failure(error: Exception) -> str:
    """What went wrong, in one sentence."""
    return str(error) if isinstance(error, FileError) else f"{type(error).__name__}: {error}"
