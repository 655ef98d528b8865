"""Small text files, and standard input for ``-``."""

from __future__ import annotations

import sys

from ..errors import UsageError


def read_text(name: str, largest: int) -> str:
    """A small text file, or standard input for ``-``. Raises UsageError."""
    where = "standard input" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
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
