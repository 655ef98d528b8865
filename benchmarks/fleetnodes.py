"""Captures of made-up nodes with planted faults, as ``gpudoctor probe --format json`` writes them.

``python benchmarks/fleetnodes.py FOLDER 1000`` writes them and prints the host list that was to be there.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

HEALTHY: Facts = {
    "os.id": "ubuntu",
    "kernel.version": "5.15.0-113-generic",
    "runtime": "bare",
    "virtualization": "none",
    "gpu.vendor": "nvidia",
    "gpu.model": "NVIDIA L40S",
    "gpu.arch": "sm_89",
    "gpu.count": 8,
    "gpu.visible_count": 8,
    "gpu.mig": False,
    "gpu.compute_mode": "default",
    "gpu.row_remap_pending": False,
    "driver.version": "570.124.06",
    "cuda.driver_max": "12.8",
    "cuda.version": "12.4",
    "torch.version": "2.6.0+cu124",
    "nccl.version": "2.21.5",
    "vllm.version": "0.8.5",
    "ray.version": "2.46.0",
    "python.version": "3.11.9",
    "transformers.version": "4.51.3",
    "topology.link": "sys",
    "topology.pcie_only": True,
    "pcie.acs_redirect": False,
    "iommu.mode": "passthrough",
    "host.numa_balancing": False,
    "limit.memlock_bytes": -1,
    "limit.nofile": 1048576,
    "net.fabric": "roce",
    "net.hostname_loopback": False,
    "net.default_interface": "eno1",
    "net.default_mtu": 1500,
    "rdma.hca_names": "mlx5_0,mlx5_1,mlx5_2,mlx5_3",
    "rdma.active_ports": 4,
    "rdma.port_state": "active",
    "rdma.gid_index": 3,
    "rdma.gid_in_use": "rocev2-ipv4",
    "rdma.mtu": 9000,
    "module.nvidia_peermem": True,
    "env.NCCL_IB_GID_INDEX": "3",
    "env.NCCL_IB_HCA": "mlx5",
    "env.NCCL_SOCKET_IFNAME": "eno1",
    "env.GLOO_SOCKET_IFNAME": "eno1",
    "env.LD_LIBRARY_PATH": "/usr/local/cuda/lib64",
}

FAULTS: dict[str, Facts] = {
    "nccl.version": {"nccl.version": "2.20.5"},
    "rdma.gid_index": {"rdma.gid_index": 5, "rdma.gid_in_use": "rocev2-link-local"},
    "pcie.acs_redirect": {"pcie.acs_redirect": True},
    "limit.memlock_bytes": {"limit.memlock_bytes": 65536},
}
"""One node each, by the fact that is off."""


def name_of(number: int) -> str:
    """``node00001`` and on."""
    return f"node{number:05d}"


def planted(count: int) -> dict[str, str]:
    """Which node of ``count`` has which fault; ``missing`` is the one that writes nothing."""
    rng = random.Random(count)
    chosen = rng.sample(range(1, count + 1), len(FAULTS) + 1)
    return {fault: name_of(n) for fault, n in zip([*FAULTS, "missing"], chosen, strict=True)}


def capture(number: int, faults: dict[str, str]) -> dict[str, Any]:
    """What the probe writes on one node; disks, addresses, free memory and clocks are each node's own."""
    rng = random.Random(number)
    host = name_of(number)
    facts = {
        **HEALTHY,
        "kernel.cmdline": f"BOOT_IMAGE=/vmlinuz root=UUID={rng.getrandbits(64):016x} ro iommu=pt",
        "shm.size_bytes": (512 << 30) + rng.randrange(64) * 4096,
        "shm.free_bytes": (500 << 30) + rng.randrange(1 << 30),
        "host.addresses": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
        "clock.offset_ms": rng.randrange(-300, 300),
        "env.VLLM_HOST_IP": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}",
    }
    for fault, node in faults.items():
        if node == host:
            facts.update(FAULTS.get(fault, {}))
    listed = [
        {
            "name": name,
            "value": value,
            "from": [{"kind": "probe", "where": f"probe of {name}", "text": str(value)}],
        }
        for name, value in facts.items()
    ]
    return {
        "schema": "gpudoctor/facts/1",
        "host": host,
        "boot_id": f"{rng.getrandbits(128):032x}",
        "taken": "2026-01-01T00:00:00+00:00",
        "facts": listed,
        "gaps": [{"fact": "kernel.yama_ptrace_scope", "reason": "permission denied"}],
    }


def write(folder: Path, count: int) -> dict[str, str]:
    """Write the captures of ``count`` nodes, one of which is missing; the planted faults."""
    faults = planted(count)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, count + 1):
        host = name_of(number)
        if host != faults["missing"]:
            (folder / f"{host}.json").write_text(json.dumps(capture(number, faults)), encoding="utf-8")
    return faults


def expected(count: int) -> str:
    """The host list of all nodes."""
    return f"node[{1:05d}-{count:05d}]"


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2])))
    print(expected(int(sys.argv[2])))
