"""Every probe of files and of the kernel: its name, what it costs the machine, and the facts it may give."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gpudoctor.engine.tuples import NamedTuple

from . import (
    acs,
    amdgpu,
    container,
    environment,
    host,
    intelgpu,
    interfaces,
    iommu,
    kernellog,
    limits,
    names,
    network,
    nvidia,
    packages,
    pci,
    processes,
    rdma,
)
from .finding import Finding
from .world import World

PASSIVE, DRIVER, ROOT, DISTURBS = "passive", "driver", "root", "disturbs"
LEVELS = {
    PASSIVE: "reads files only",
    DRIVER: "asks the GPU driver, in a child that is given up if it hangs",
    ROOT: "would need root, which is never taken",
    DISTURBS: "disturbs the machine; only on request",
}


class Probe(NamedTuple):
    """A probe that reads files; it runs in a process of its own."""

    name: str
    level: str
    run: Callable[[World], Iterable[Finding]]
    facts: tuple[str, ...]


PROBES = (
    Probe(
        "pci", PASSIVE, pci.probe,
        ("gpu.vendor", "gpu.count", "gpu.model", "igpu.present", "nvswitch.visible", "gpu.nvswitch_class"),
    ),
    Probe("topology", PASSIVE, pci.probe_topology, ("topology.nic_link", "topology.link")),
    Probe(
        "nvidia", PASSIVE, nvidia.probe,
        ("driver.version", "driver.patched_p2p", "driver.registry_dwords", "gpu.model", "symptom.gpu-not-visible"),
    ),
    Probe("fabric-manager", PASSIVE, nvidia.probe_fabric_manager, ("service.fabric_manager",)),
    Probe(
        "amdgpu", PASSIVE, amdgpu.probe,
        ("gpu.arch", "gpu.arch_mixed", "igpu.present", "topology.link", "topology.pcie_only", "module.amdgpu_dkms",
         "gpu.ecc_uncorrected", "rocm.version", "symptom.amdgpu-module-not-loaded"),
    ),
    Probe(
        "kfd", PASSIVE, amdgpu.probe_access,
        ("device.kfd_access", "symptom.kfd-missing", "symptom.kfd-permission-denied"),
    ),
    Probe("intelgpu", PASSIVE, intelgpu.probe, ("gpu.kernel_driver", "device.render_access")),
    Probe("acs", PASSIVE, acs.probe, ("pcie.acs_redirect",)),
    Probe("iommu", PASSIVE, iommu.probe, ("iommu.mode", "iommu.default_passthrough")),
    Probe(
        "host", PASSIVE, host.probe,
        ("kernel.version", "kernel.cmdline", "kernel.cmdline_configured", "cpu.arch", "os.id", "virtualization",
         "host.numa_balancing", "kernel.yama_ptrace_scope", "kernel.cma_free_above_total", "logind.remove_ipc"),
    ),
    Probe("clock", PASSIVE, host.probe_clock, ("host.clock_synchronized",)),
    Probe(
        "runtime", PASSIVE, container.probe,
        ("runtime", "slurm.gpu_per_task", "container.privileged", "container.infiniband"),
    ),
    Probe("shm", PASSIVE, container.probe_shm, ("shm.size_bytes", "shm.free_bytes", "container.shm")),
    Probe("limits", PASSIVE, limits.probe, ("limit.memlock_bytes", "limit.nofile", "limit.pids")),
    Probe("environment", PASSIVE, environment.probe, ("nccl.conf_file",)),
    Probe(
        "packages", PASSIVE, packages.probe,
        ("torch.version", "torch.build", "cuda.version", "rocm.version", "nccl.version", "rccl.version",
         "vllm.version", "sglang.version", "ray.version", "deepspeed.version", "transformers.version"),
    ),
    Probe("processes", PASSIVE, processes.probe, ("nccl.loaded_version", "launcher")),
    Probe(
        "network", PASSIVE, network.probe,
        ("net.many_interfaces", "net.container_bridge", "net.ifname_exists", "net.http_proxy"),
    ),
    Probe(
        "interfaces", PASSIVE, interfaces.probe,
        ("net.default_interface", "net.default_mtu", "host.addresses"),
    ),
    Probe(
        "hostname", PASSIVE, names.probe,
        ("net.hostname_loopback", "net.hostname_resolves", "net.master_addr_resolves"),
    ),
    Probe(
        "rdma", PASSIVE, rdma.probe,
        ("rdma.active_ports", "rdma.hca_names", "rdma.port_state", "net.fabric", "rdma.link_downed",
         "rdma.symbol_errors",
         "rdma.xmit_discards", "rdma.xmit_wait", "rdma.out_of_sequence", "rdma.ack_timeouts",
         "rdma.hca_filter_matches", "rdma.userspace", "rdma.gid_index", "rdma.gid_in_use", "rdma.mtu",
         "rdma.peermem_registered", "module.nvidia_peermem"),
    ),
    Probe("kernel-log", PASSIVE, kernellog.probe, ("symptom.xid-error", "symptom.amdgpu-reset")),
)  # fmt: skip

GROUPS = {
    "gpu": ("pci", "nvidia", "amdgpu", "intelgpu", "nvml", "nvidia-smi", "amd-smi", "xpu-smi"),
    "host": ("host", "runtime", "clock"),
    "topology": ("topology", "amdgpu", "nvml", "nvidia-topology", "amd-topology", "xpu-topology"),
    "python": ("packages",),
    "rocm": ("amdgpu", "packages"),
    "fabricmanager": ("fabric-manager", "fabric-manager-version"),
    "ncclconf": ("environment",),
}
"""What the vocabulary calls the probe of a fact, where that is not the name of one probe."""
