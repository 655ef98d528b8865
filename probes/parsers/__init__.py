"""One module per tool: from its output to facts. Live probes and pasted reports use the same ones."""

from __future__ import annotations

from . import (
    collect_env,
    containers,
    environment,
    gpu_tests,
    host,
    kernel_log,
    lspci,
    nccl_diag,
    nccl_log,
    nvidia_smi,
    packages,
    ras,
    rdma,
    rocm_smi,
    topology,
    versions,
    watchdog,
)
from .base import Found, Parser

__all__ = ["PARSERS", "Found", "Parser"]

PARSERS: tuple[Parser, ...] = (
    versions.PARSER,
    *packages.PARSERS,
    *collect_env.PARSERS,
    environment.PARSER,
    *nvidia_smi.PARSERS,
    *rocm_smi.PARSERS,
    *topology.PARSERS,
    lspci.PARSER,
    *host.PARSERS,
    *rdma.PARSERS,
    *containers.PARSERS,
    *gpu_tests.PARSERS,
    *nccl_log.PARSERS,
    *nccl_diag.PARSERS,
    *kernel_log.PARSERS,
    *watchdog.PARSERS,
    *ras.PARSERS,
)
