"""Variables that make a job leave better evidence, added only where the person has said nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping

_GROUPS = (
    # nothing of a group is added where the person set one of these
    (("TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE"), {"TORCH_FR_BUFFER_SIZE": "2000", "TORCH_NCCL_TRACE_BUFFER_SIZE": "2000"}),
    (("TORCH_NCCL_DUMP_ON_TIMEOUT",), {"TORCH_NCCL_DUMP_ON_TIMEOUT": "1"}),
    (("TORCH_NCCL_DEBUG_INFO_TEMP_FILE", "TORCH_FR_DUMP_TEMP_FILE"), {"TORCH_NCCL_DEBUG_INFO_TEMP_FILE": "{folder}/fr_rank_"}),
    (("NCCL_DEBUG", "NCCL_DEBUG_FILE", "NCCL_DEBUG_SUBSYS"), {"NCCL_DEBUG": "WARN", "NCCL_DEBUG_FILE": "{folder}/nccl.%h.%p.log"}),
    (("PYTHONFAULTHANDLER",), {"PYTHONFAULTHANDLER": "1"}),
)  # fmt: skip


def additions(environment: Mapping[str, str], folder: str) -> dict[str, str]:
    """What to add to a job's environment; ``folder`` takes what it writes."""
    found: dict[str, str] = {}
    for taken, values in _GROUPS:
        if not any(name in environment for name in taken):
            found.update((name, value.replace("{folder}", folder)) for name, value in values.items())
    return found


def written(folder: str, largest: int = 64 << 20) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the job wrote there because of them: texts, and dumps of the flight recorder."""
    texts: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    try:
        names = sorted(os.listdir(folder))[:1024]
    except OSError:
        return texts, documents
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read(largest)
        except OSError:
            continue
        if data:
            (documents if name.startswith("fr_rank_") else texts)[name] = data
    return texts, documents
