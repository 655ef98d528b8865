"""What the kernel has said since a job began."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence

from ..machine.kernellog import interesting, ring

_STAMP = re.compile(r"\[ *(\d+\.\d+)\]")
_OOM_BEGINS, _OOM_ENDS = "invoked oom-killer", "Killed process"
_OOM_GIVES_UP = "no killable processes"
_OF_DRIVER = re.compile(
    r"\b(?:NVRM|nvidia-\w+|amdgpu|mlx5_core|pcieport|EDAC|mce|nvme|infiniband|bnxt_\w+|irdma|AMD-Vi|DMAR|i915|xe|habanalabs)\b"
)
_REPORT = 400
"""Lines of the longest report of a kill: one for each process of the group, and some around."""
_OF_GROUP = re.compile(r"constraint=CONSTRAINT_MEMCG.{0,400}?oom_memcg=([^,]{1,1000})")
_FIRST_NAMESPACE = "cgroup:[4026531835]"
"""The namespace of a machine itself; in others the paths of control groups are not those that the kernel writes."""


def since(seconds: float, pids: Iterable[int] = ()) -> bytes:
    """The lines of the last so many seconds that concern GPUs, networks and memory; nothing where they are refused.

    Kills for memory in control groups in which none of these processes is are left out: they are another job's.
    """
    try:
        text = ring()
    except OSError:
        return b""
    begin = time.clock_gettime(time.CLOCK_BOOTTIME) - seconds
    lines = [line for line in text.split("\n") if (at := _STAMP.match(line)) and float(at[1]) >= begin]
    groups = _groups(pids)
    return interesting("\n".join(without_kills_elsewhere(lines, groups) if groups else lines)).encode()


def without_kills_elsewhere(lines: Iterable[str], groups: Sequence[str]) -> Iterator[str]:
    """Lines of a kernel log without the reports of kills in control groups that hold none of these groups.

    Drivers write between the lines of a report; theirs are no part of it.
    """
    report: list[str] = []
    for line in lines:
        if _OOM_BEGINS in line or len(report) >= _REPORT:
            yield from _judged(report, groups)  # cut short: another one begins
            report = []
        if not (report or _OOM_BEGINS in line):
            yield line
            continue
        report.append(line)
        if _OOM_ENDS in line or _OOM_GIVES_UP in line:
            yield from _judged(report, groups)
            report = []
    yield from _judged(report, groups)


def _judged(report: Sequence[str], groups: Sequence[str]) -> Iterator[str]:
    elsewhere = _elsewhere(report, groups)
    return (line for line in report if not elsewhere or _OF_DRIVER.search(line))


def _elsewhere(report: Sequence[str], groups: Sequence[str]) -> bool:
    named = next((found[1].rstrip("/") for line in report if (found := _OF_GROUP.search(line))), None)
    return named is not None and not any(f"{group}/".startswith(f"{named}/") for group in groups)


def _groups(pids: Iterable[int]) -> list[str]:
    """The control groups for memory of these processes; none where their paths cannot be compared."""
    try:
        if os.readlink("/proc/self/ns/cgroup") != _FIRST_NAMESPACE:
            return []
    except OSError:
        return []
    found = []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/cgroup") as file:
                parts = [line.rstrip("\n").split(":", 2) for line in file]
        except OSError:
            continue
        of_memory = [path for _, controllers, path in parts if "memory" in controllers.split(",")]
        found += of_memory or [path for _, controllers, path in parts if not controllers]
    return sorted(set(found))
