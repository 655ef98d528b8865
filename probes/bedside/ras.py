"""NCCL's RAS port, asked for its status where it answers: which ranks are behind, in NCCL's own count.

Every rank of a node listens at the same address, those of other jobs too, and the kernel chooses who takes a
connection. So it is asked only where nobody but the job listens.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Collection

from .processes import open_files, variable

PORT = 28028
_LARGEST = 1 << 20
_LISTENS = "0A"


def status(pids: Collection[int], seconds: float = 6.0) -> bytes:
    """What RAS says of the job of these processes; nothing where it does not listen, or is shared with another job."""
    pids = [pid for pid in pids if os.path.isdir(f"/proc/{pid}")]  # one may have ended since it was seen
    addresses = {variable(pid, "NCCL_RAS_ADDR") for pid in pids}
    if len(addresses) != 1 or not all(map(_in_this_network, pids)):
        return b""
    (address,) = addresses
    listening = _listening(address.rpartition(":")[2] or str(PORT))
    theirs = {file for pid in pids for file in open_files(pid)}
    if not listening or not all(f"socket:[{number}]" in theirs for number in listening):
        return b""
    return ask(address, seconds)


def _in_this_network(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/ns/net") == os.readlink("/proc/self/ns/net")
    return False


def _listening(port: str) -> set[str]:
    """The inodes of the sockets that listen on a port, of whatever process."""
    found: set[str] = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError, ValueError), open(f"/proc/self/net/{table}") as file:
            wanted = f":{int(port):04X}"
            for line in file:
                cells = line.split()
                if len(cells) > 9 and cells[1].endswith(wanted) and cells[3] == _LISTENS:
                    found.add(cells[9])
    return found


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
