"""Lines that name a product and its version: environment reports, start-up logs, people's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines, Parser

_V = r"[vV]?(\d{1,6}(?:\.\d{1,20}){1,8}[-.+:0-9A-Za-z]{0,80}(?<![-.+:]))"
_PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (literal, fact, lazy_pattern(expression, re.IGNORECASE))
    for literal, fact, expression in (
        ("PyTorch version:", "torch.version", rf"PyTorch version: {_V}"),
        ("CUDA used to build PyTorch:", "cuda.version", rf"CUDA used to build PyTorch: {_V}"),
        ("ROCM used to build PyTorch:", "rocm.version", rf"ROCM used to build PyTorch: {_V}"),
        ("HIP runtime version:", "rocm.version", rf"HIP runtime version: {_V}"),
        ("ROCm version", "rocm.version", rf"ROCm version ?: {_V}"),
        ("Nvidia driver version:", "driver.version", rf"Nvidia driver version: {_V}"),
        ("Driver Version:", "driver.version", r"Driver Version: *(\d+(?:\.\d+)*)"),
        (
            "NVIDIA UNIX ",
            "driver.version",
            r"NVIDIA UNIX (?:Open )?(?:\w{1,10} )?Kernel Module(?: for \w{1,10})? {1,3}(\d+(?:\.\d+)+)",
        ),
        ("CUDA Version:", "cuda.driver_max", r"CUDA Version: *(\d+\.\d+)"),
        ("vLLM Version:", "vllm.version", rf"vLLM Version: {_V}"),
        ("NCCL version", "nccl.version", rf"NCCL version[: ]+{_V}"),
        ("nccl==", "nccl.version", rf"(?:is using nccl|libnccl)=={_V}"),
        ("RCCL version", "rccl.version", rf"RCCL version ?:? {_V}"),
        ("using nccl==", "nccl.version", rf"nccl=={_V}"),
        ("LLM engine (v", "vllm.version", rf"LLM engine \({_V}\)"),
        ("Fabric Manager version", "fabric_manager.version", rf"Fabric Manager version(?: is)?:? {_V}"),
        ("aws-ofi-nccl", "aws_ofi_nccl.version", rf"(?:Initializing |Using )?aws-ofi-nccl[ =]{{1,2}}{_V}"),
        ("vLLM API server version", "vllm.version", rf"vLLM API server version {_V}"),
    )
)
_HIP, _BUILT_FOR = "HIP runtime version:", "ROCM used to build PyTorch:"
_BY_LITERAL: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
for _literal, _fact, _pattern in _PATTERNS:
    _BY_LITERAL.setdefault(_literal, []).append((_fact, _pattern))


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """Each version that the line states."""
    line = lines[at]
    if _HIP in line and any(_BUILT_FOR in other and "N/A" not in other for other in lines[:at]):
        return  # the release that PyTorch was built for is told already, and numbered alike
    for literal, patterns in _BY_LITERAL.items():
        if literal in line:
            for fact, pattern in patterns:
                found = pattern.search(line)
                if found:
                    yield Found(fact, found[1], at)


PARSER = Parser(
    "versions", tuple(_BY_LITERAL), parse, before=40, facts=tuple({f: None for _, f, _ in _PATTERNS})
)
