"""Files written whole or not at all: a full disk, an error or a kill leaves the old content as it was."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat

from .errors import EngineError

SHARED, PRIVATE = 0o666, 0o600
"""Who may read a new file: whom the umask lets, or its owner alone. An old file keeps its permissions."""


class WritingError(EngineError):
    """A file cannot be written; what stood there stands there still."""


def write_whole(
    path: str | os.PathLike[str], content: str | bytes, mode: int = SHARED, sync: bool = True
) -> None:
    """Replace or make a file. Raises WritingError.

    A link is followed. ``sync`` waits for the disk, so that a power cut does no harm either.
    Characters that are none, as in file names that are not UTF-8, are written as ``?``.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        target = os.path.realpath(path)
        _replace(target, data, mode, _writable(target), sync)
    except OSError as error:
        raise WritingError(f"cannot be written: {error.strerror or error}", os.fspath(path)) from None
    except ValueError as error:  # a name with a null byte
        raise WritingError(f"cannot be written: {error}", os.fspath(path)) from None
    except WritingError as error:
        raise WritingError(error.message, os.fspath(path)) from None


def keep(path: str, content: bytes) -> None:
    """Write what the next run may use again: for its owner alone, making its folder; silently not where that fails."""
    with contextlib.suppress(OSError, WritingError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_whole(path, content, PRIVATE, sync=False)


def refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """Whether a file could be written now, without touching it. Raises WritingError."""
    try:
        target = os.path.realpath(path)
        if _writable(target) is None:
            folder = os.path.dirname(target)
            if not os.path.isdir(folder):
                raise FileNotFoundError(2, os.strerror(2))
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(13, os.strerror(13))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise WritingError(f"cannot be written: {reason}", os.fspath(path)) from None
    except WritingError as error:
        raise WritingError(error.message, os.fspath(path)) from None


def _writable(target: str) -> os.stat_result | None:
    """What stands there, if anything does. Raises OSError or WritingError where it must stay."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(old.st_mode):
        raise WritingError("cannot be written: Is a directory")
    if not stat.S_ISREG(old.st_mode):
        raise WritingError("cannot be written: it is no regular file")
    if not os.access(target, os.W_OK):  # a rename alone would ask the folder only
        raise PermissionError(13, os.strerror(13))
    return old


def _replace(target: str, data: bytes, mode: int, old: os.stat_result | None, sync: bool) -> None:
    folder, name = os.path.split(target)
    # Beside the target: a rename within one file system is whole or not at all. A name may be as long as is allowed.
    temporary = os.path.join(folder, f".gpudoctor-{os.getpid()}-{secrets.token_hex(4)}.part")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            if old is not None:
                with contextlib.suppress(OSError):  # only root may give a file away
                    os.fchown(handle, old.st_uid, old.st_gid)
                os.fchmod(handle, stat.S_IMODE(old.st_mode))
            if sync:
                os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, os.path.join(folder, name))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    if sync:
        _keep_name(folder)


def _keep_name(folder: str) -> None:
    """The rename, on the disk; not every file system can be asked for it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
