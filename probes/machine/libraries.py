"""Versions that stand inside libraries: NCCL and RCCL, read without loading them."""

from __future__ import annotations

import mmap
import os
import re

from .world import Unreadable, World

FACTS = {"nccl": "nccl.version", "rccl": "rccl.version"}
_VERSION = re.compile(rb"[NR]CCL version (?:: )?(\d+\.\d+\.\d+)(?:\+(?:cuda|hip)[\d.]+)?")
_LARGEST = 2 << 30


def library_version(world: World, path: str) -> str:
    """The version that a libnccl or librccl prints; nothing if it does not stand there."""
    try:
        place = world.place(path)
        file = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, Unreadable):
        return ""
    try:
        size = os.fstat(file).st_size
        if not 0 < size < _LARGEST:
            return ""
        with mmap.mmap(file, size, prot=mmap.PROT_READ) as content:
            found = _VERSION.search(content)
            return found[1].decode() if found else ""
    except (OSError, ValueError):
        return ""
    finally:
        os.close(file)
