"""The diagnostics of NCCL 2.31 and later (``ncclras -D``, ``NCCL_RUN_RAS_DIAGNOSTICS``): lines with ``NCCL DIAG``.

``[OK]`` says that all ranks agree, so the value holds for the job. Of ``[INFO]`` only what the documentation shows is
read: a variable that differs between ranks.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_RESULT = lazy_pattern(r"NCCL DIAG \[(OK|INFO)\]\s{1,8}([^:]{1,40}): (.{1,400})")
_INVENTORY = lazy_pattern(r"(\d{1,3})x (.{1,80}?) per node consistent")
_CUDA = lazy_pattern(r"(\d{1,3}?)0(\d)0 consistent")
_DRIVER = lazy_pattern(r"(\d{3,4}(?:\.\d{1,4}){1,3}) consistent")
_LINKS = lazy_pattern(r"\d{1,3} links per GPU, all active")
_DIFFERS = lazy_pattern(r"mismatch across \d{1,7} ranks .{1,80} for (NCCL_[A-Z0-9_]{1,60})")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """What one line of the report says about all ranks."""
    result = _RESULT.search(lines[at])
    if not result:
        return
    check, words = result[2], result[3]
    if result[1] == "INFO":
        differs = _DIFFERS.match(words) if check == "NCCL environment" else None
        if differs:
            yield Found(f"skew.env.{differs[1]}", True, at)
    elif check == "GPU inventory" and (gpus := _INVENTORY.match(words)):
        yield Found("gpu.model", gpus[2], at)
        yield Found("gpu.count", int(gpus[1]), at)
        yield Found("gpu.vendor", "nvidia", at)
    elif check == "CUDA driver version" and (version := _CUDA.match(words)):
        yield Found("cuda.driver_max", f"{version[1]}.{version[2]}", at)
    elif check == "NVIDIA graphics driver version" and (driver := _DRIVER.match(words)):
        yield Found("driver.version", driver[1], at)
    elif check == "NVLink" and _LINKS.match(words):
        yield Found("symptom.nvlink-inactive", False, at)
