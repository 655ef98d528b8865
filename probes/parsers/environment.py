"""Assignments of environment variables that were in force, told apart from somebody's advice.

An assignment counts where it stands as a shell, a container tool or a dump prints it: alone on its line,
after ``export``, before a command, behind ``-e``. It does not count inside a sentence, nor in a block
that a sentence of advice introduces ("try:", "set", "should", and their like in Chinese).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines, Parser

PREFIXES = (
    "NCCL_", "RCCL_", "TORCH_NCCL_", "GLOO_", "HSA_", "VLLM_", "SGLANG_", "RAY_EXPERIMENTAL_NOSET_",
    "UCX_", "FI_", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF", "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "NVIDIA_VISIBLE_DEVICES",
    "GGML_CUDA_P2P", "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS", "MASTER_ADDR", "MASTER_PORT",
)  # fmt: skip
_NAME = "|".join(re.escape(p) + (r"[A-Z0-9_]{1,60}" if p.endswith("_") else "") for p in PREFIXES)
_ASSIGNMENT = re.compile(
    rf"(?<![\w/$.{{-])({_NAME})=(\"[^\"]{{0,200}}\"|'[^']{{0,200}}'|[^\s\"',;`)\]}}]{{0,200}})"
)
_ADVICE = re.compile(
    r"\b(?:try|should|suggest\w*|recommend\w*|please|workaround|solution|add|adding|set|setting|fix(?:ed|es)?"
    r"|solve[sd]?|need to|must|can be|export it|instead)\b"
    r"|设置|添加|建议|可以|需要|必须|尝试|改为|解决|强制|例如",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^[\s>|*#$%-]*(?:\S{0,40}[$#]\s+)?"  # a quotation mark, a list mark, a prompt
    r"(?:(?:sudo\s+)?(?:export|env|ENV|docker|podman|srun|mpirun|nerdctl|set -x)\b.*|"
    rf"[-\"']*(?:{_NAME})=.*|(?:[A-Z][A-Z0-9_]*=\S*\s+)+.*)$"
)


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """The assignments on the line, unless they are advice."""
    line = lines[at]
    found = list(_ASSIGNMENT.finditer(line))
    if not found or not _LEAD.match(line) or _is_advice(lines, at):
        return
    for match in found:
        value = match[2].strip("\"'`")
        if any(mark in value for mark in "$<>*|") or not value.isascii():
            continue  # a placeholder, or a sentence that goes on
        yield Found(f"env.{match[1]}", value, at)


def _is_advice(lines: Lines, at: int) -> bool:
    rest = _ASSIGNMENT.sub("", lines[at]).replace("set -x", "")
    if _ADVICE.search(rest):
        return True
    above = next(
        (line.strip() for line in reversed(lines[:at]) if line.strip(" `") and not _LEAD.match(line)), ""
    )
    return above.endswith((":", "：")) and bool(_ADVICE.search(above))


PARSER = Parser("environment", PREFIXES, parse, before=4, facts=("env.<NAME>",))
