"""A site takes the place of the one before it whole, or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from ...engine.writing import write_whole
from ...probes.lifeline import temporary_folder

_EXCHANGE = 2  # RENAME_EXCHANGE
_HERE = -100  # AT_FDCWD


@contextlib.contextmanager
def staged(target: Path) -> Iterator[Path]:
    """A folder beside the target in which to build; it goes at the end, also when we are killed. Raises OSError."""
    beside = os.path.dirname(os.path.realpath(target))
    os.makedirs(beside, exist_ok=True)
    inside = beside if os.access(beside, os.W_OK | os.X_OK) else None
    with temporary_folder(inside, ".gpudoctor-site-") as folder:
        site = Path(folder, "site")
        site.mkdir()
        yield site


def publish(site: Path, target: Path) -> None:
    """Put what was built in the place of what stands there. Raises OSError or WritingError."""
    place = os.path.realpath(target)
    try:
        old = os.stat(place)
    except FileNotFoundError:
        os.rename(site, place)
        return
    with contextlib.suppress(OSError):  # only root may give a folder away
        os.chown(site, old.st_uid, old.st_gid)
    os.chmod(site, stat.S_IMODE(old.st_mode))
    if not os.listdir(place) and not os.path.ismount(place):
        with contextlib.suppress(OSError):
            os.rename(site, place)
            return
    if not _exchanged(os.fspath(site), place):
        _copied(site, place)  # another file system, or a folder that cannot be moved


def _exchanged(one: str, other: str) -> bool:
    """Whether two folders have changed their places, in one step."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    paths = os.fsencode(one), os.fsencode(other)
    return bool(rename(_HERE, paths[0], _HERE, paths[1], _EXCHANGE) == 0)


def _copied(site: Path, place: str) -> None:
    """File by file, each whole: the best that is left."""
    kept = set()
    for folder, _, names in os.walk(site):
        for name in names:
            source = os.path.join(folder, name)
            path = os.path.relpath(source, site)
            kept.add(path)
            target = os.path.join(place, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(source, "rb") as file:
                data = file.read()
            if not _holds(target, data):
                write_whole(target, data, sync=False)
    for folder, folders, names in os.walk(place, topdown=False):
        for name in names:
            if os.path.relpath(os.path.join(folder, name), place) not in kept:
                os.unlink(os.path.join(folder, name))
        for name in folders:
            inner = os.path.join(folder, name)
            if os.path.islink(inner):
                os.unlink(inner)
            elif not os.listdir(inner):
                shutil.rmtree(inner)


def _holds(target: str, data: bytes) -> bool:
    try:
        with open(target, "rb") as file:
            return file.read() == data
    except OSError:
        return False
