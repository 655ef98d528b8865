"""Every parser: the literals that call it, how much it reads around them, and the facts that it may find.

A log calls a few of them. The module of a parser is imported when one of its literals turns up: all of them together
take as long as reading a short log.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from functools import cache

from . import environment, packages, versions
from .base import Found, Lines, Parser


def _of(module: str, function: str) -> Callable[[Lines, int], Iterable[Found]]:
    """A function of a module beside this one, which is imported at its first call."""

    @cache
    def parser() -> Callable[[Lines, int], Iterable[Found]]:
        found: Callable[[Lines, int], Iterable[Found]] = getattr(
            importlib.import_module(f".{module}", __package__), function
        )
        return found

    return lambda lines, at: parser()(lines, at)


# fmt: off
PARSERS: tuple[Parser, ...] = (
    versions.PARSER,
    *packages.PARSERS,
    Parser("GPUs of an environment report", ("GPU models and configuration:",), _of("collect_env", "parse_models"),
        after=40, facts=("gpu.model", "gpu.vendor", "gpu.count", "gpu.arch", "gpu.arch_mixed")),
    Parser("PyTorch build", ("CUDA available:", "PyTorch version:", "PyTorch version  "), _of("collect_env",
        "parse_build"), facts=("torch.gpu_available", "torch.build")),
    environment.PARSER,
    Parser("nvidia-smi", ("Persistence-M",), _of("nvidia_smi", "parse_table"), after=120, facts=("gpu.model",
        "gpu.count", "gpu.vendor", "gpu.mig", "gpu.compute_mode", "gpu.display_attached", "gpu.arch_mixed",
        "gpu.memory_mib")),
    Parser("nvidia-smi -L", ("(UUID: GPU-",), _of("nvidia_smi", "parse_list"), before=20, after=400,
        facts=("gpu.model", "gpu.count", "gpu.vendor", "gpu.mig")),
    Parser("nvidia-smi -q", ("Attached GPUs",), _of("nvidia_smi", "parse_query"), before=3, after=1600,
        facts=("gpu.ecc_uncorrected", "gpu.ecc_corrected", "gpu.row_remap_pending", "gpu.row_remap_failed",
        "pcie.link_narrow")),
    Parser("nvidia-smi CSV", ("driver_version", "utilization.gpu", "memory.total", "compute_cap", "index, name",
        "pcie.link.width"), _of("nvidia_smi", "parse_csv"), after=32, facts=("gpu.arch", "pcie.link_narrow")),
    Parser("nvidia-smi nvlink", ("Link 0:",), _of("nvidia_smi", "parse_nvlink"), before=1, after=20,
        facts=("gpu.nvlink_inactive",)),
    Parser("amd-smi", ("| AMD-SMI ",), _of("rocm_smi", "parse_summary"), after=80, facts=("gpu.vendor", "gpu.count",
        "gpu.model", "gpu.memory_mib")),
    Parser("rocm-smi rows", ("GPU[0]", "\"card0\"", "GPU: 0"), _of("rocm_smi", "parse_index"), before=30, after=300,
        facts=("gpu.count", "gpu.vendor")),
    Parser("rocm-smi", ("Concise Info", "Device  [Model : Revision]", "Device  Node"), _of("rocm_smi",
        "parse_concise"), after=80, facts=("gpu.vendor", "gpu.count", "gpu.model", "igpu.present")),
    Parser("AMD card name", ("Card series", "Card Series", "Card model", "Card Model", "MARKET_NAME", "market_name",
        "Marketing Name"), _of("rocm_smi", "parse_name"), facts=("gpu.model", "gpu.vendor")),
    Parser("rocminfo", ("HSA Agents",), _of("rocm_smi", "parse_agents"), after=900, facts=("gpu.arch",
        "igpu.present")),
    Parser("xpu-smi discovery", ("Device Name: Intel(R)",), _of("xpu_smi", "parse_discovery"), before=80, after=300,
        facts=("gpu.vendor", "gpu.count", "gpu.model", "igpu.present", "gpu.arch_mixed")),
    Parser("xpu-smi topology", ("GPU 0/0",), _of("xpu_smi", "parse_topology"), before=1, after=70,
        facts=("gpu.vendor", "gpu.count", "topology.link")),
    Parser("sycl-ls", ("level_zero:gpu",), _of("xpu_smi", "parse_sycl"), before=40, after=40, facts=("gpu.vendor",
        "gpu.count", "gpu.model", "igpu.present", "gpu.arch_mixed")),
    Parser("clinfo", ("Device Name  ",), _of("xpu_smi", "parse_clinfo"), facts=("gpu.vendor", "gpu.model")),
    Parser("XPU report", ("Is XPU available", "Intel GPU models"), _of("xpu_smi", "parse_report"), after=40,
        facts=("gpu.vendor", "gpu.count", "gpu.model", "igpu.present", "gpu.arch_mixed")),
    Parser("nvidia-smi topo", ("GPU0\tGPU1", "GPU0 ", "GPU0\t", "| GPU0"), _of("topology", "parse"), after=90,
        facts=("topology.nic_link", "gpu.count", "gpu.vendor", "topology.link", "p2p.driver_reports")),
    Parser("rocm-smi topology", ("Link Type between two GPUs", "LINK TYPE TABLE", "Weight between two GPUs",
        "WEIGHT TABLE", "ACCESS TABLE"), _of("topology", "parse_amd"), after=40, facts=("topology.nic_link",
        "gpu.count", "gpu.vendor", "topology.link", "p2p.driver_reports")),
    Parser("rocm-smi topology JSON", ("between DRM devices 0 and 1", "\"link_type\""), _of("topology",
        "parse_amd_json"), after=400, facts=("topology.nic_link", "gpu.count", "gpu.vendor", "topology.link",
        "p2p.driver_reports")),
    Parser("lspci ACSCtl", ("ACSCtl:",), _of("lspci", "parse"), before=120, facts=("pcie.acs_redirect",)),
    Parser("kernel command line", ("BOOT_IMAGE=", " root=", "GRUB_CMDLINE_LINUX"), _of("host", "parse_cmdline"),
        facts=("kernel.cmdline", "kernel.cmdline_configured")),
    Parser("kernel IOMMU", ("Default domain type:", "CONFIG_IOMMU_DEFAULT_PASSTHROUGH"), _of("host", "parse_iommu"),
        facts=("iommu.mode", "iommu.default_passthrough")),
    Parser("meminfo", ("CmaTotal:",), _of("host", "parse_cma"), before=3, after=3,
        facts=("kernel.cma_free_above_total",)),
    Parser("modules", ("nvidia_peermem ", "nvidia-peermem "), _of("host", "parse_modules"),
        facts=("module.nvidia_peermem",)),
    Parser("system", ("Linux version ", "Linux-", "PRETTY_NAME=", "OS: ", " SMP "), _of("host", "parse_system"),
        facts=("kernel.version", "os.id")),
    Parser("systemctl status", ("nvidia-fabricmanager.service",), _of("services", "parse"), after=12,
        facts=("service.fabric_manager",)),
    Parser("limits", ("max locked memory", "Max locked memory", "open files", "Max open files"), _of("limits",
        "parse_limit"), facts=("limit.memlock_bytes", "limit.nofile")),
    Parser("df", ("% /dev/shm",), _of("limits", "parse_df"), before=12, facts=("shm.size_bytes", "shm.free_bytes")),
    Parser("ip addr", ("LOOPBACK,UP", "lo               UNKNOWN"), _of("interfaces", "parse_interfaces"), before=6,
        after=120, facts=("net.many_interfaces", "net.container_bridge")),
    Parser("RDMA counters", ("SymbolErrorCounter", "PortXmitDiscards", "PortXmitWait", "LinkDownedCounter",
        "symbol_error", "port_xmit_discards", "port_xmit_wait", "link_downed", "out_of_sequence",
        "local_ack_timeout_err"), _of("rdma", "parse_counters"), facts=("rdma.symbol_errors", "rdma.xmit_discards",
        "rdma.xmit_wait", "rdma.link_downed", "rdma.out_of_sequence", "rdma.ack_timeouts")),
    Parser("failed queue pair", ("local GID index",), _of("rdma", "parse_queue_pair"), facts=("rdma.gid_in_use",)),
    Parser("RDMA device names", ("NIC Legend:", "node GUID", " ==> "), _of("rdma", "parse_names"), before=1, after=70,
        facts=("rdma.hca_names",)),
    Parser("ibv_devinfo", ("link_layer:", "Link layer:", "state:\t", "State: ", "hca_id:", "CA '"), _of("rdma",
        "parse_device"), facts=("net.fabric", "rdma.port_state", "rdma.userspace")),
    Parser("show_gids", ("DEV\tPORT\tINDEX", "DEV     PORT"), _of("rdma", "parse_gids"), after=120,
        facts=("rdma.gid_index",)),
    Parser("docker run", ("docker run", "podman run", "nerdctl run", "container run"), _of("containers", "parse_run"),
        after=25, facts=("shm.size_bytes", "container.shm", "container.ipc_host", "container.privileged",
        "container.network", "gpu.visible_count")),
    Parser("compose", ("shm_size:", "ipc: ", "ipc:\t", "network_mode:", "device_ids:"), _of("containers",
        "parse_compose"), facts=("shm.size_bytes", "container.shm", "container.ipc_host", "container.privileged",
        "container.network", "gpu.visible_count")),
    Parser("pod", (".com/gpu:", ".com/gpu\":", "hostIPC:", "hostNetwork:", "medium: Memory", "privileged:"),
        _of("containers", "parse_pod"), before=30, after=30, facts=("shm.size_bytes", "container.shm",
        "container.ipc_host", "container.privileged", "container.network", "gpu.visible_count")),
    Parser("systemd unit", ("LimitMEMLOCK=", "LimitNOFILE="), _of("containers", "parse_unit"),
        facts=("limit.memlock_bytes", "limit.nofile")),
    Parser("images of a cluster", ("gpu-operator:v", "gpu-operator-validator:v", "k8s-device-plugin:",
        "container-toolkit:v"), _of("kubernetes", "parse_image"), facts=("gpu_operator.version",
        "k8s_device_plugin.version", "nvidia_container_toolkit.version", "amd_k8s_device_plugin.version",
        "amd_gpu_operator.version")),
    Parser("labels of a node", ("nvidia.com/gpu.product", "nvidia.com/gpu.count", "nvidia.com/gpu.memory",
        "driver-version.full"), _of("kubernetes", "parse_label"), before=20, after=20, facts=("gpu.vendor",
        "gpu.model", "gpu.count", "gpu.memory_mib", "driver.version")),
    Parser("resources of a node", (".com/gpu:", ".com/gpu\":"), _of("kubernetes", "parse_node"), before=40,
        facts=("gpu.count", "symptom.gpu-marked-unhealthy")),
    Parser("pods of an operator", ("CrashLoopBackOff", "Init:", "RunContainerError", "CreateContainer",
        "ImagePullBackOff", "StartError"), _of("kubernetes", "parse_pods"), facts=("symptom.gpu-operand-not-ready",)),
    Parser("slurmstepd", ("error: *** JOB ", "error: *** STEP "), _of("slurm", "parse_end"),
        facts=("slurm.ended_by",), event=True),
    Parser("srun", ("srun: error: ",), _of("slurm", "parse_tasks"), facts=("slurm.failed_tasks", "slurm.ended_by",
        "symptom.worker-died"), event=True),
    Parser("nccl-tests", ("# nThread", "#       size         count"), _of("gpu_tests", "parse_table"), after=90,
        facts=("collective.default",)),
    Parser("peer access", ("Access Peer Device=",), _of("gpu_tests", "parse_access"), facts=("p2p.driver_reports",)),
    Parser("p2pBandwidthLatencyTest", ("P2P=Enabled",), _of("gpu_tests", "parse_bandwidth"), before=40, after=30),
    Parser("simpleP2P", ("Verification error", "Test passed"), _of("gpu_tests", "parse_simple_p2p"), before=30,
        facts=("p2p.copy",)),
    Parser("ray status", ("Autoscaler status:",), _of("ray_status", "parse_ray"), after=60, facts=("node.count",
        "ray.gpu_total")),
    Parser("NCCL log", ("set by environment to", "IFNAME set to ", "NCCL_IB_HCA set to ", "INFO cudaDriverVersion",
        "Using network ", "NET/IB : Using", "NET/Socket : Using", "Bootstrap : Using", "Bootstrap: Using", "via P2P/",
        "via SHM/", "via NET/", "GPU Direct RDMA ", "NET/FastSocket : Using", ": opCount "), _of("nccl_log", "parse"),
        facts=("nccl.network", "net.fabric", "net.bootstrap_interface", "nccl.gdr", "nccl.via_p2p")),
    Parser("NCCL DIAG", ("NCCL DIAG [",), _of("nccl_diag", "parse"), facts=("gpu.model", "gpu.count", "gpu.vendor",
        "cuda.driver_max", "driver.version", "symptom.nvlink-inactive")),
    Parser("Xid", ("Xid", "XID"), _of("kernel_log", "parse"), facts=("symptom.xid-error", "xid.*", "sxid.*",
        "gpu.recovery_action"), event=True),
    Parser("recovery action", ("GPU Recovery Action",), _of("kernel_log", "parse_action"),
        facts=("gpu.recovery_action",)),
    Parser("segfault", ("segfault at",), _of("kernel_log", "parse_segfault"), facts=("symptom.libnccl-segfault",),
        event=True),
    Parser("watchdog", ("(SeqNum=", "ast enqueued "), _of("watchdog", "parse_work"), facts=("watchdog.collective",
        "watchdog.progress"), event=True),
    Parser("desync report", ("but didn't join collective #", "lagging ranks that caused",
        "joined but didn't finish collective"), _of("watchdog", "parse_desync"), before=2, after=3,
        facts=("log.late_ranks", "log.unfinished_ranks"), event=True),
    Parser("RAS counts", ("Communicator ranks have different",), _of("ras", "parse_counts"), after=60,
        facts=("ras.behind_ranks",)),
    Parser("RAS missing ranks", ("Missing communicator data from", "The missing rank"), _of("ras", "parse_missing"),
        after=12, facts=("ras.missing_ranks",)),
    Parser("RAS dead processes", ("managing GPU",), _of("ras", "parse_process"), before=12,
        facts=("ras.dead_process",)),
)
# fmt: on
