"""Small text files, and standard input for ``-``."""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO

from ...probes.text import on_one_line
from ..errors import UsageError


def standard_input() -> BinaryIO:
    """What is read for ``-``. Raises UsageError where it is closed."""
    if sys.stdin is None:
        raise UsageError("standard input: it is closed")
    return sys.stdin.buffer


def named(name: str) -> str:
    """A file as it is named in places and sentences: on one line, or it would forge others."""
    return "standard input" if name == "-" else on_one_line(name)


def _refuse_pipe(name: str) -> None:
    """A pipe that a pattern has matched would be waited for; those that a shell makes are numbers of open files."""
    if not os.path.realpath(name).startswith("/proc/") and stat.S_ISFIFO(os.stat(name).st_mode):
        raise UsageError(f"{on_one_line(name)}: this is a pipe, and no file")


def read_text(name: str, largest: int) -> str:
    """A small text file, or standard input for ``-``. Raises UsageError."""
    where = named(name)
    try:
        if name == "-":
            data = standard_input().read(largest + 1)
        else:
            _refuse_pipe(name)
            with open(name, "rb") as file:
                data = file.read(largest + 1)
    except OSError as error:
        raise UsageError(f"{where}: cannot be read: {error.strerror}") from None
    if len(data) > largest:
        raise UsageError(f"{where}: larger than {largest >> 20} MiB: this is no facts file")
    if b"\0" in data:
        raise UsageError(f"{where}: this is a binary file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{where}: this is not UTF-8 text") from None
