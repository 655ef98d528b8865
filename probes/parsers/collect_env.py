"""``torch.utils.collect_env`` and those of vLLM and SGLang that extend it: GPUs, and whether PyTorch can use one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_NVIDIA = lazy_pattern(r"^\s*GPU (\d+): (\S.*?)\s*$")
_AMD = lazy_pattern(r"GPU models and configuration: ((?:AMD|Radeon|Instinct) [^(]+?)\s*(?:\((gfx\w+)|$)")


def parse_models(lines: Lines, at: int) -> Iterator[Found]:
    """The list of GPUs."""
    amd = _AMD.search(lines[at])
    if amd:
        yield Found("gpu.model", amd[1], at)
        yield Found("gpu.vendor", "amd", at)
        if amd[2]:
            yield Found("gpu.arch", amd[2], at)
        return
    models: list[str] = []
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        found = _NVIDIA.match(line)
        if not found:
            break
        models.append(found[2])
        if len(models) == 1:
            yield Found("gpu.model", found[2], number)
            yield Found("gpu.vendor", "nvidia", number)
    if models:
        yield Found("gpu.count", len(models), at)
        if len(set(models)) > 1:
            yield Found("gpu.arch_mixed", True, at)


def parse_build(lines: Lines, at: int) -> Iterator[Found]:
    """What PyTorch was built for, and whether it sees a GPU."""
    found = re.search(r"\b(?:Is CUDA available|CUDA available): (True|False)\b", lines[at])
    if found:
        yield Found("torch.gpu_available", found[1] == "True", at)
    version = re.search(r"PyTorch version\s*: \S+\+(cu\d|rocm|cpu|xpu)", lines[at])
    if version:
        yield Found("torch.build", "cuda" if version[1].startswith("cu") else version[1], at)
