"""The reader's own pager for what is longer than a screen, as git does it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

if TYPE_CHECKING:
    import subprocess

_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
"""For less: quit if it fits one screen, keep colours, leave the text on the screen; only where nothing is set."""


def pager_of(environment: Mapping[str, str] = os.environ) -> str:
    """The command of the pager: GPUDOCTOR_PAGER, PAGER, else less; empty where none is wanted or there."""
    for name in ("GPUDOCTOR_PAGER", "PAGER"):
        if name in environment:
            command = environment[name].strip()
            return "" if command == "cat" else command
    import shutil

    return "less" if shutil.which("less") and environment.get("TERM") != "dumb" else ""


@contextmanager
def paged(wanted: bool) -> Iterator[TextIO]:
    """A stream for long text: the pager on a terminal, else standard output."""
    command = pager_of() if wanted and sys.stdout.isatty() else ""
    if not command:
        yield sys.stdout
        return
    import subprocess  # and shutil above: most runs have no pager, and importing them takes 4 ms

    sys.stdout.flush()
    # A shell, as with git: the variable may hold options.
    process = subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.PIPE,
        text=True,
        encoding=sys.stdout.encoding,
        errors="replace",
        env=_DEFAULTS | os.environ,
    )
    if process.stdin is None:  # never: it is a pipe
        raise RuntimeError("no pipe to the pager")
    try:
        yield cast(TextIO, process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass  # the reader left it before the end
    finally:
        _wait(process)


def _wait(process: subprocess.Popen[str]) -> None:
    """Wait for the reader to leave; an interrupt is for the pager."""
    while True:
        try:
            process.wait()
        except KeyboardInterrupt:
            continue
        return
