"""``--report``: logs, folders of logs and standard input, read together."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator

from ...engine import Session
from ..errors import UsageError
from .texts import standard_input


def reports_of(arguments: argparse.Namespace) -> list[str]:
    """The names behind every ``--report``."""
    return [name for names in arguments.report for name in names]


def read_reports(session: Session, names: list[str]) -> None:
    """Add what the reports say, read together, to a session. Ctrl-C ends the reading, not the program."""
    if not names:
        return
    from ...probes.files import FileError, report_files
    from ...probes.report import Reader
    from ..progress.reading import ReadingProgress

    progress = ReadingProgress(names, sys.stderr)

    def texts() -> Iterator[tuple[str, Iterable[bytes]]]:
        for name in names:
            if name == "-":
                yield "standard input", progress.watched(_standard_input)
            elif not progress.stopped:
                yield from report_files(name, progress)

    try:
        with progress:
            for fact in Reader(session.knowledge).read_all(texts()):
                session.add(fact)
    except FileError as error:
        raise UsageError(str(error)) from None
    for note in progress.notes:
        session.note(note, partial=True)


def _standard_input() -> bytes:
    stream = standard_input()
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    return read(1 << 20)
