"""Versions of packages: ``pip list|freeze``, ``conda list``, ``ds_report``, ``accelerate env``, collect_env."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines, Parser

PACKAGES = {
    "torch": "torch",
    "vllm": "vllm",
    "sglang": "sglang",
    "ray": "ray",
    "openrlhf": "openrlhf",
    "verl": "verl",
    "deepspeed": "deepspeed",
    "accelerate": "accelerate",
    "transformers": "transformers",
    "gpustack": "gpustack",
    "nvidia-nccl-cu11": "nccl",
    "nvidia-nccl-cu12": "nccl",
    "nvidia-nccl-cu13": "nccl",
    "flash-attn": "flash_attn",
    "flash_attn": "flash_attn",
    "triton": "triton",
    "xformers": "xformers",
    "megatron-core": "megatron_core",
    "torch_memory_saver": "torch_memory_saver",
}
_NAMES = "|".join(re.escape(name) for name in PACKAGES)
_LINE = lazy_pattern(
    rf"^\s*(?:\[(?:pip3?|conda)\]\s+)?({_NAMES})(?:==| @ \S*?|\s{{1,40}})v?(\d+\.\d+[\w.+-]*)", re.IGNORECASE
)
_DOTTED = lazy_pattern(r"^\s*(torch|deepspeed) (?:version|info)\s\.{3,}\s+v?(\d+\.\d+[\w.+-]*)")
_ACCELERATE = lazy_pattern(
    r"^- `?(Accelerate|PyTorch|transformers)`? version(?: \(GPU\?\))?: v?(\d+\.\d+[\w.+-]*)"
)
_SHM = lazy_pattern(r"shared memory \(/dev/shm\) size \.{3,}\s+(\d{1,9}(?:\.\d{1,9})?) ?(GB|MB)")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """A line that pairs a package with its version."""
    line = lines[at]
    for pattern in (_LINE, _DOTTED, _ACCELERATE):
        found = pattern.match(line)
        if found:
            name = found[1].lower()
            fact = {"pytorch": "torch"}.get(name, PACKAGES.get(name, name))
            yield Found(f"{fact}.version", found[2], at)
            return
    shm = _SHM.search(line)
    if shm:
        yield Found("shm.size_bytes", int(float(shm[1]) * (1 << 30 if shm[2] == "GB" else 1 << 20)), at)


_TRIGGERS = (
    *(f"{name}{mark}" for name in PACKAGES for mark in ("==", " ")),
    "version ....",
    "info ....",
    "` version:",
    "- PyTorch version",
    "(/dev/shm) size",
)
PARSERS = (
    Parser(
        "packages", _TRIGGERS, parse, facts=tuple(dict.fromkeys(f"{p}.version" for p in PACKAGES.values()))
    ),
)
