"""What the kernel has said since a job began."""

from __future__ import annotations

import re
import time

from ..machine.kernellog import interesting, ring

_STAMP = re.compile(r"\[ *(\d+\.\d+)\]")


def since(seconds: float) -> bytes:
    """The lines of the last so many seconds that concern GPUs, networks and memory; nothing where they are refused."""
    try:
        text = ring()
    except OSError:
        return b""
    begin = time.clock_gettime(time.CLOCK_BOOTTIME) - seconds
    lines = [line for line in text.split("\n") if (at := _STAMP.match(line)) and float(at[1]) >= begin]
    return interesting("\n".join(lines)).encode()
