"""Files that are only in memory: what children are given and what they write."""

from __future__ import annotations

import os
import tempfile


def memory_file(content: bytes = b"") -> int:
    """An anonymous file that needs no disk: this works on a full or read-only one."""
    try:
        file = os.memfd_create("gpudoctor")
    except (AttributeError, OSError):
        with tempfile.TemporaryFile() as spare:
            file = os.dup(spare.fileno())
    if content:
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
    return file


def read_back(file: int, limit: int) -> str:
    """What was written, up to the limit; a line that was cut there is left out, since half a number is wrong."""
    found = os.pread(file, limit, 0)
    if len(found) == limit and b"\n" in found:
        found = found[: found.rindex(b"\n") + 1]
    return found.decode("utf-8", "replace")
