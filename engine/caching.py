"""The folder of this user's cache, and files in it: what can be made again, and is trusted only if it is one's own."""

from __future__ import annotations

import os


def cache_folder() -> str | None:
    """Where gpudoctor keeps what takes time to make; None where there is no home."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        home = os.environ.get("HOME")
        if not home:
            return None
        base = os.path.join(home, ".cache")
    return os.path.join(base, "gpudoctor")


def is_own(file: int) -> bool:
    """Whether an open file belongs to who runs this: root with somebody's HOME does not believe their files."""
    found = os.fstat(file)
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022
