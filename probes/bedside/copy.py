"""A bounded copy of what a job writes: the beginning and the end of each stream."""

from __future__ import annotations

from collections import deque

from ...engine.redaction import without_apart

HEAD, TAIL = 256 << 10, 4 << 20
_PIECE = 4 << 10
FATAL = (
    b"Watchdog caught collective operation timeout",
    b"NVRM: Xid",
    b"CUDA error:",
    b"Out of memory: Killed process",
    b"Fatal Python error",
    b"terminate called",
    b"HW Exception by GPU node",
)
"""What a job does not live on after; the stacks are worth reading at once."""


class Copy:
    """One stream. Bytes in the middle of a long one are left out, and a line says how many."""

    def __init__(self, head: int = HEAD, tail: int = TAIL) -> None:
        self._room, self._most = head, tail
        self._piece = min(_PIECE, tail // 16)
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._kept = 0
        self._dropped = 0
        self._gone = b""  # the last of it: it may name the secret with which the end begins

    def take(self, data: bytes) -> bool:
        """Take what was written; whether it says that the job is about to die."""
        fatal = any(sign in data for sign in FATAL)
        if self._room:
            first, data = data[: self._room], data[self._room :]
            if self._head and len(self._head[-1]) < self._piece:
                self._head[-1] += first
            else:
                self._head.append(first)
            self._room -= len(first)
        if data:
            if (
                self._tail and len(self._tail[-1]) < self._piece
            ):  # of small pieces each would cost more than it holds
                self._tail[-1] += data
            else:
                self._tail.append(data)
            self._kept += len(data)
            while self._kept - len(self._tail[0]) > self._most:
                gone = self._tail.popleft()
                self._kept -= len(gone)
                self._dropped += len(gone)
                self._gone = (self._gone + gone)[-_PIECE:]
        return fatal

    def content(self) -> bytes:
        """What is kept, in whole lines where something was left out."""
        head, tail = b"".join(self._head), b"".join(self._tail)
        if not self._dropped:
            return head + tail
        head = head[: head.rfind(b"\n") + 1]
        cut = tail.find(b"\n") + 1
        before = self._gone + tail[:cut]
        lines = before.count(b"\n")
        tail = without_apart(before + tail[cut:]).split(b"\n", lines)[lines]
        return head + b"[%d bytes were left out here]\n" % self._dropped + tail
