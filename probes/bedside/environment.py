"""Variables that make a job leave better evidence, added only where the person has said nothing."""

from __future__ import annotations

import glob
import os
import re
import shutil
from collections.abc import Mapping

_DUMPS = "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"
_GROUPS = (
    # nothing of a group is added where the person set one of the first
    (("TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE"), {"TORCH_FR_BUFFER_SIZE": "2000"}),
    (("TORCH_NCCL_DUMP_ON_TIMEOUT",), {"TORCH_NCCL_DUMP_ON_TIMEOUT": "1"}),
    ((_DUMPS, "TORCH_FR_DUMP_TEMP_FILE"), {_DUMPS: "{folder}/fr_rank_"}),
    (
        ("NCCL_DEBUG", "NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS"),
        {"NCCL_DEBUG": "WARN", "NCCL_DEBUG_FILE": "{folder}/nccl.%h.%p.log"},
    ),
    (("PYTHONFAULTHANDLER",), {"PYTHONFAULTHANDLER": "1"}),
)
_OLD_RING = "TORCH_NCCL_TRACE_BUFFER_SIZE"
_RENAMED = (2, 8)
"""The release of torch that reads the new name, and warns of the old one."""


def additions(environment: Mapping[str, str], folder: str, program: str = "") -> dict[str, str]:
    """What to add to the environment of a job that starts with ``program``; ``folder`` takes what it writes."""
    found: dict[str, str] = {}
    for taken, values in _GROUPS:
        if not any(name in environment for name in taken):
            found.update((name, value.replace("{folder}", folder)) for name, value in values.items())
    if "TORCH_FR_BUFFER_SIZE" in found and _torch_beside(program) < _RENAMED:
        found[_OLD_RING] = found.pop("TORCH_FR_BUFFER_SIZE")
    return found


def _torch_beside(program: str) -> tuple[int, int]:
    """The release of torch in the environment of a program; a new one where it cannot be told."""
    path = shutil.which(program) if program else None
    prefix = os.path.dirname(os.path.dirname(path)) if path else ""
    for name in glob.glob(os.path.join(glob.escape(prefix), "lib/python3*/site-packages/torch/version.py")):
        try:
            with open(name) as file:
                found = re.search(r"__version__ = '(\d+)\.(\d+)", file.read(4096))
        except OSError:
            continue
        if found:
            return int(found[1]), int(found[2])
    return _RENAMED


def written(
    folder: str, largest: int = 64 << 20, room: int = 256 << 20
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the job wrote there because of them: texts, and dumps of the flight recorder; bytes of each, and of all."""
    texts: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    try:
        names = sorted(os.listdir(folder))[:1024]
    except OSError:
        return texts, documents
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read(min(largest, room))
        except OSError:
            continue
        room -= len(data)
        if data:
            (documents if name.startswith("fr_rank_") else texts)[name] = data
    return texts, documents
