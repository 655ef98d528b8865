"""The only door to a machine: files below a root, and the few answers of the kernel that are no files.

A captured or made-up tree stands for a machine as well as ``/`` does: links are followed inside the root,
and what the kernel would answer there stands in ``ROOT/.gpudoctor/system.json``, with the links and folders
that a tree cannot or should not hold.
"""

from __future__ import annotations

import errno
import fnmatch
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .record import Record

LARGEST = 64 << 10
_LARGEST_SYSTEM = 8 << 20
SYSTEM = ".gpudoctor/system.json"
ABSENT, REFUSED, INVALID = "absent", "refused", "invalid"
_LINKS = 40
_LONGEST = 4096  # PATH_MAX of Linux; what an archive says may be longer
_REASONS = {
    errno.ENOENT: ABSENT,
    errno.ENOTDIR: ABSENT,
    errno.ENODEV: ABSENT,
    errno.ENXIO: ABSENT,
    errno.EACCES: REFUSED,
    errno.EPERM: REFUSED,
}


class Unreadable(Exception):
    """A file cannot be read; ``why`` is ``absent``, ``refused`` or ``invalid``."""

    def __init__(self, path: str, why: str, words: str) -> None:
        super().__init__(f"{path}: {words}")
        self.path, self.why, self.words = path, why, words


class World:
    """A machine as it can be read: live, or a tree that stands for one.

    ``python`` is the interpreter asked about, ``pid`` a running process, ``packages`` the facts of
    the packages that the knowledge base names, ``answers`` what commands said.
    """

    def __init__(
        self,
        root: str = "/",
        *,
        python: str = "",
        pid: int | None = None,
        record: Record | None = None,
        packages: Mapping[str, str] | None = None,
    ) -> None:
        self.packages = packages or {}
        self.root = os.path.realpath(root)
        self.live = self.root == "/"
        self.python = python
        self.pid = pid
        self.record = record
        self._system: dict[str, Any] = {}
        self._links: dict[str, str] = {}
        self._folders: set[str] = set()
        self._children: dict[str, set[str]] = {}
        if not self.live:
            self._read_system()

    def _read_system(self) -> None:
        try:
            found = json.loads(self.read(f"/{SYSTEM}", _LARGEST_SYSTEM))
        except (Unreadable, ValueError, RecursionError):
            return
        if not isinstance(found, dict):
            return
        kinds = {
            "links": dict,
            "folders": list,
            "refused": list,
            "access": dict,
            "disk": dict,
            "addresses": dict,
        }
        self._system = {k: v for k, v in found.items() if isinstance(v, kinds.get(k, (str, int)))}
        links = ((str(path), str(target)) for path, target in self._system.get("links", {}).items())
        self._links = {path: target for path, target in links if max(len(path), len(target)) < _LONGEST}
        self._folders = {path for path in map(str, self._system.get("folders", ())) if len(path) < _LONGEST}
        for path in [*self._links, *self._folders]:
            while path.strip("/"):
                parent, _, name = path.rstrip("/").rpartition("/")
                self._children.setdefault(parent or "/", set()).add(name)
                path = parent

    # Files

    def real(self, path: str) -> str:
        """The path without links, as seen inside the root. Raises Unreadable."""
        pending = [part for part in path.split("/") if part][::-1]
        done: list[str] = []
        links = 0
        while pending:
            part = pending.pop()
            if part in (".", ".."):
                del done[len(done) - (part == "..") :]
                continue
            done.append(part)
            here = "/" + "/".join(done)
            target = self._links.get(here, "")
            if not target:
                try:
                    target = os.readlink(self._outside(done))
                except OSError:
                    continue
            if self.record:
                self.record.links[here] = target
            links += 1
            if links > _LINKS:
                raise Unreadable(path, INVALID, "too many links")
            done = [] if target.startswith("/") else done[:-1]
            pending += [piece for piece in target.split("/") if piece][::-1]
        return "/" + "/".join(done)

    def _outside(self, parts: Sequence[str]) -> str:
        return os.path.join(self.root, *parts)

    def place(self, path: str) -> str:
        """Where a path of this machine lies for us. Raises Unreadable."""
        if self.record:
            self.real(path)
        return path if self.live else self._outside(self.real(path).strip("/").split("/"))

    def read_bytes(self, path: str, limit: int = LARGEST) -> bytes:
        """The first ``limit`` bytes. Raises Unreadable with the reason."""
        try:
            file = os.open(self.place(path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise self._unreadable(path, error) from None
        try:
            mode = os.fstat(file).st_mode
            if not stat.S_ISREG(mode) and (not self.live or stat.S_ISDIR(mode)):
                raise Unreadable(path, INVALID, "no regular file")
            parts: list[bytes] = []
            while limit > 0 and (part := os.read(file, limit)):
                parts.append(part)
                limit -= len(part)
        except OSError as error:
            raise self._unreadable(path, error) from None
        finally:
            os.close(file)
        if self.record:
            self.record.keep(self.real(path), b"".join(parts))
        return b"".join(parts)

    def _unreadable(self, path: str, error: OSError) -> Unreadable:
        found = _unreadable(path, error)
        if self.record and found.why == REFUSED:
            self.record.refused[path] = None
        if found.why == ABSENT and path in self._system.get("refused", ()):
            return Unreadable(path, REFUSED, os.strerror(errno.EACCES))
        return found

    def read(self, path: str, limit: int = LARGEST) -> str:
        """The text of a small file, stripped. Raises Unreadable."""
        return self.read_bytes(path, limit).decode("utf-8", "replace").strip("\0 \t\r\n")

    def text(self, path: str, otherwise: str = "") -> str:
        """Like ``read``, for a file whose absence says no more than its presence would."""
        try:
            return self.read(path)
        except Unreadable:
            return otherwise

    def names(self, path: str) -> list[str]:
        """What a folder holds, sorted; nothing if there is no such folder. Raises Unreadable if refused."""
        told = self._children.get(self.real(path), set()) if self._children else set()
        try:
            present = os.listdir(self.place(path))
        except OSError as error:
            found = self._unreadable(path, error)
            if found.why != ABSENT:
                raise found from None
            return sorted(told)
        if self.record:
            self.record.folders[self.real(path)] = None
        return sorted({*present, *told})

    def exists(self, path: str) -> bool:
        """Whether there is anything at this path."""
        return self._is(path, os.path.lexists)  # of what a link leads to, too: it may lie in a list

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder at this path."""
        return self._is(path, os.path.isdir)

    def _is(self, path: str, test: Any) -> bool:
        try:
            real = self.real(path) if self._children else path
            found = bool(test(self.place(path))) or real in self._folders or real in self._children
        except Unreadable:
            return False
        if found and self.record:
            self.record.folders[self.real(path)] = None
        return found

    def size(self, path: str) -> int:
        """Bytes of a file; 0 if that cannot be told."""
        try:
            return os.stat(self.place(path)).st_size
        except (OSError, Unreadable):
            return 0

    def glob(self, pattern: str) -> list[str]:
        """The paths that match, sorted; ``*`` does not cross folders."""
        found = list(self._matches("", [part for part in pattern.split("/") if part]))
        if self.record:
            self.record.folders.update((self.real(path), None) for path in found)
        return found

    def _matches(self, folder: str, parts: list[str]) -> Iterator[str]:
        if not parts:
            yield folder
            return
        first, rest = parts[0], parts[1:]
        if not any(mark in first for mark in "*?["):
            if self.exists(f"{folder}/{first}"):
                yield from self._matches(f"{folder}/{first}", rest)
            return
        try:
            names = self.names(folder or "/")
        except Unreadable:
            return
        for name in names:
            if fnmatch.fnmatchcase(name, first):
                yield from self._matches(f"{folder}/{name}", rest)

    # What is no file

    def access(self, path: str) -> str:
        """Whether this user may read and write a device: ``yes``, ``refused`` or ``absent``."""
        if not self.live:
            said = self._system.get("access", {}).get(path)
            return str(said) if said else (ABSENT if not self.exists(path) else "yes")
        if not os.path.exists(path):
            return ABSENT
        return "yes" if os.access(path, os.R_OK | os.W_OK) else REFUSED

    def disk(self, path: str) -> tuple[int, int]:
        """Size and free space of the file system at a path, in bytes. Raises Unreadable."""
        if not self.live:
            said = self._system.get("disk", {}).get(path)
            if not isinstance(said, list) or [type(number) for number in said] != [int, int]:
                raise Unreadable(path, ABSENT, "not in this capture")
            return said[0], said[1]
        try:
            found = os.statvfs(path)
        except OSError as error:
            raise _unreadable(path, error) from None
        return found.f_blocks * found.f_frsize, found.f_bavail * found.f_frsize

    def system(self, name: str) -> Any:
        """Another answer of a captured machine: ``machine``, ``hostname``, ``uid`` ...; None if it is not there."""
        if not self.live:
            return self._system.get(name)
        live = {
            "machine": lambda: os.uname().machine,
            "hostname": lambda: os.uname().nodename,
            "uid": os.geteuid,
        }
        return live[name]() if name in live else None


def _unreadable(path: str, error: OSError) -> Unreadable:
    why = _REASONS.get(error.errno or 0, INVALID)
    return Unreadable(path, why, error.strerror or str(error))
