"""NCCL's RAS port, asked for its status where it answers: which ranks are behind, in NCCL's own count."""

from __future__ import annotations

import socket
import time

PORT = 28028
_LARGEST = 1 << 20


def ask(address: str = "", seconds: float = 6.0) -> bytes:
    """The answer to ``verbose status``; nothing where nobody answers in time. ``address`` as in NCCL_RAS_ADDR."""
    host, _, port = address.rpartition(":")
    until = time.monotonic() + seconds
    parts: list[bytes] = []
    try:
        with socket.create_connection((host or "localhost", int(port or PORT)), 1.0) as connection:
            connection.sendall(b"verbose status\n")
            size = 0
            while size < _LARGEST and (left := until - time.monotonic()) > 0:
                connection.settimeout(left)
                part = connection.recv(1 << 16)
                if not part:
                    break
                parts.append(part)
                size += len(part)
    except (OSError, ValueError, OverflowError):
        pass
    return b"".join(parts)
