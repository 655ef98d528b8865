"""One module per tool: from its output to facts. Live probes and pasted reports use the same ones."""

from __future__ import annotations

from . import (
    collect_env,
    containers,
    environment,
    gpu_tests,
    host,
    interfaces,
    kernel_log,
    kubernetes,
    limits,
    lspci,
    nccl_diag,
    nccl_log,
    nvidia_smi,
    packages,
    ras,
    ray_status,
    rdma,
    rocm_smi,
    services,
    slurm,
    topology,
    versions,
    watchdog,
    xpu_smi,
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
    *xpu_smi.PARSERS,
    *topology.PARSERS,
    lspci.PARSER,
    *host.PARSERS,
    *services.PARSERS,
    *limits.PARSERS,
    *interfaces.PARSERS,
    *rdma.PARSERS,
    *containers.PARSERS,
    *kubernetes.PARSERS,
    *slurm.PARSERS,
    *gpu_tests.PARSERS,
    ray_status.PARSER,
    *nccl_log.PARSERS,
    *nccl_diag.PARSERS,
    *kernel_log.PARSERS,
    *watchdog.PARSERS,
    *ras.PARSERS,
)
