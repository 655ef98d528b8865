"""The kernel log, read without waiting; what it says is for the readers of pasted logs to find."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator

from ...engine.redaction import redact, without_apart
from .finding import Finding, Text, Unknown
from .pci import gpus
from .pciids import AMD, NVIDIA
from .world import ABSENT, Unreadable, World

KMSG = "/dev/kmsg"
SIGNS = {NVIDIA: "symptom.xid-error", AMD: "symptom.amdgpu-reset"}
"""What cannot be told of the GPUs of a vendor where the log cannot be read."""
_MOST = 4 << 20
_OF_INTEREST = re.compile(
    r"NVRM|Xid|nvidia|nvswitch|amdgpu|kfd|\[drm|pcieport|AER:|DMAR|AMD-Vi|iommu|IO_PAGE_FAULT|mlx[45]_|bnxt|"
    r"infiniband|libnccl|librccl|Out of memory|oom-kill|Killed process|Command line:|Linux version|hung task|"
    r"blocked for more than|Link down|fabric|peermem|PeerDirect|cma",
    re.IGNORECASE,
)


def interesting(text: str) -> str:
    """The lines that concern GPUs and networks; the rest of a kernel log is nobody's business."""
    text = without_apart(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    return "\n".join(redact(line) for line in text.split("\n") if _OF_INTEREST.search(line))


def probe(world: World) -> Iterator[Finding]:
    """The lines of the ring buffer that concern GPUs; or why it cannot be read."""
    if not world.live:
        try:
            yield Text(KMSG, interesting(world.read("/.gpudoctor/kernel.log", _MOST)))
        except Unreadable:
            yield from _unreadable(world, "not in this capture")
        return
    try:
        yield Text(KMSG, interesting(ring()))
    except OSError as error:
        why = ABSENT if error.errno == errno.ENOENT else f"refused ({error.strerror}): dmesg needs root here"
        yield from _unreadable(world, f"{KMSG}: {why}")


def _unreadable(world: World, why: str) -> Iterator[Finding]:
    for vendor in dict.fromkeys(device.vendor for device in gpus(world)):
        if vendor in SIGNS:
            yield Unknown(SIGNS[vendor], why, KMSG)


def ring() -> str:
    """Everything in the ring buffer, raising OSError; a record is ``priority,sequence,microseconds,flags;text``."""
    file = os.open(KMSG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    lines: list[str] = []
    size = 0
    try:
        while size < _MOST:
            try:
                record = os.read(file, 8192)
            except BlockingIOError:
                break
            except OSError as error:
                if error.errno == errno.EPIPE:  # overwritten while we read: go on with the next
                    continue
                raise
            size += len(record)
            lines.append(_line(record))
    finally:
        os.close(file)
    return "\n".join(lines)


def _line(record: bytes) -> str:
    head, _, text = record.decode("utf-8", "replace").partition(";")
    fields = head.split(",")
    stamp = int(fields[2]) / 1e6 if len(fields) > 2 and fields[2].isdecimal() else 0.0
    return f"[{stamp:12.6f}] {text.split(chr(10))[0]}"
