"""Whether somebody's job runs on the GPUs; a test would disturb it, and it the test."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..boundedchild import run

MEMORY_MIB = 1024
"""Memory in use up to which a GPU counts as free: a desktop, a context that somebody left."""
LOAD = 10
"""Utilisation in percent up to which a GPU counts as free."""
_QUERY = ["nvidia-smi", "--query-gpu=index,uuid,memory.used,utilization.gpu", "--format=csv,noheader,nounits"]


def busy_gpus(vendor: str, uuids: Sequence[str] = ()) -> list[str]:
    """One sentence for each GPU that is in use, or that cannot be asked. ``uuids``: those that count, or all."""
    if vendor == "nvidia":
        return _nvidia(uuids)
    return _amd(Path("/sys/class/drm")) if vendor == "amd" else []


def _nvidia(uuids: Sequence[str]) -> list[str]:
    outcome = run(_QUERY, seconds=5, env={**os.environ, "LC_ALL": "C"})
    if not outcome.ok:
        why = outcome.detail or outcome.stderr.strip() or outcome.state
        return [f"whether the GPUs are in use could not be established (nvidia-smi: {why[:120]})"]
    return read_nvidia(outcome.stdout, uuids)


def read_nvidia(text: str, uuids: Sequence[str] = ()) -> list[str]:
    """From the lines of nvidia-smi: index, UUID, MiB in use, percent."""
    wanted = {uuid.removeprefix("GPU-") for uuid in uuids if uuid}
    found = []
    for line in text.splitlines():
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != 4 or (wanted and fields[1].removeprefix("GPU-") not in wanted):
            continue
        memory, load = (int(f) if f.isdecimal() else None for f in fields[2:])
        if (memory or 0) > MEMORY_MIB or (load or 0) > LOAD:
            found.append(f"GPU {fields[0]} is in use ({memory} MiB, {load} %)")
    return found


def _amd(folder: Path) -> list[str]:
    found = []
    for device in sorted(folder.glob("card[0-9]*/device")):
        used, load = _number(device / "mem_info_vram_used"), _number(device / "gpu_busy_percent")
        if used is None and load is None:
            continue
        if (used or 0) > MEMORY_MIB << 20 or (load or 0) > LOAD:
            found.append(f"GPU {device.parent.name} is in use ({(used or 0) >> 20} MiB, {load} %)")
    return found


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
