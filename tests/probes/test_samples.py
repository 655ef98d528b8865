# ruff: noqa: E501  (output of tools is wide)
"""The shared samples of real output: every fact that a careful reader notes, and no other.

Samples are other people's output, so they are not part of the project: the test is skipped where they are absent.
The project's own texts of the same shapes are in ``test_shapes.py``.
"""

from pathlib import Path

import pytest

from .recognized import read_report

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared samples are not here")
XID = ("symptom.xid", "xid.", "sxid.", "xid_")
"""What the kernel log says of Xids is listed in its own test."""

FACTS = {
    "cmdline/dmesg_arch_amd.txt": {
        "kernel.cmdline": "rd.luks.name=d5a148a4-a3ec-46ba-8bc8-f1f889902c04=luks rd.luks.options=discard root=/dev/mapper/luks rootflags=subvol=@ rd.luks.options=discard rw add_efi_memmap initrd=amd-ucode.img initrd=initramfs-linux-zen.img",
    },
    "cmdline/grub_amd_iommu_off_iommu_pt.txt": {
        "kernel.cmdline_configured": "amd_iommu=off iommu=pt pci=realloc=off default_hugepagesz=1G hugepagesz=1G hugepages=8 isolcpus=0-3,32-35 nohz_full=0-3,32-35 rcu_nocbs=0-3,32-35 irqaffinity=4-31,36-63 rcu_nocb_poll tsc=reliable audit=0 nosoftlockup",
        "symptom.isolcpus-set": True,
    },
    "cmdline/insights_rhel7.txt": {
        "kernel.cmdline": "BOOT_IMAGE=/vmlinuz-3.10.0-327.36.3.el7.x86_64 root=/dev/system_vg/Root ro rd.lvm.lv=system_vg/Root crashkernel=auto rd.lvm.lv=system_vg/Swap rhgb quiet LANG=en_GB.utf8",
        "kernel.version": "3.10.0-327.36.3.el7.x86_64",
    },
    "collect_env/own_cpu_torch213.txt": {
        "cpu.arch": "x86_64",
        "kernel.version": "6.18.44-fc-v595-x86_64",
        "os.id": "Debian GNU/Linux 12",
        "torch.build": "cpu",
        "torch.gpu_available": False,
        "torch.version": "2.13.0+cpu",
        "virtualization": "vm",
    },
    "collect_env/vllm_h100_8gpu_cu124.txt": {
        "cpu.arch": "x86_64",
        "cuda.version": "12.4",
        "driver.version": "550.90.12",
        "env.CUDA_MODULE_LOADING": "LAZY",
        "gpu.count": 8,
        "gpu.model": "NVIDIA H100 80GB HBM3",
        "gpu.vendor": "nvidia",
        "kernel.version": "6.8.0-47-generic-x86_64",
        "nccl.version": "2.21.5",
        "os.id": "Ubuntu 22.04.3 LTS",
        "torch.build": "cuda",
        "torch.gpu_available": True,
        "torch.version": {"2.5.1", "2.5.1+cu124"},
        "transformers.version": "4.46.2",
        "triton.version": "3.1.0",
        "virtualization": "vm",
    },
    "collect_env/vllm_mi300x_8gpu_rocm62_a.txt": {
        "cpu.arch": "x86_64",
        "env.CUDA_MODULE_LOADING": "LAZY",
        "gpu.arch": "gfx942",
        "gpu.count": 8,
        "gpu.model": "AMD Instinct MI300X",
        "gpu.vendor": "amd",
        "kernel.version": "6.8.0-48-generic-x86_64",
        "launcher": "vllm",
        "os.id": "Ubuntu 20.04.6 LTS",
        "rocm.version": {"6.2.41133", "6.2.41133-dd7f95766"},
        "topology.link": "xgmi",
        "torch.build": "rocm",
        "torch.gpu_available": True,
        "torch.version": "2.6.0.dev20240918+rocm6.2",
        "transformers.version": "4.45.2",
        "triton.version": "3.0.0",
        "vllm.version": "0.6.3.dev109+gcb3b2b9b.d20241010",
    },
    "collect_env/vllm_mi300x_tgi_rocm61.txt": {
        "cpu.arch": "x86_64",
        "env.CUDA_MODULE_LOADING": "LAZY",
        "gpu.arch": "gfx942",
        "gpu.model": "AMD Instinct MI300X",
        "gpu.vendor": "amd",
        "kernel.version": "6.8.0-45-generic-x86_64",
        "launcher": "vllm",
        "os.id": "Ubuntu 22.04.4 LTS",
        "rocm.version": {"6.1.40091", "6.1.40091-a8dbc0c19"},
        "torch.build": "rocm",
        "torch.gpu_available": True,
        "torch.version": "2.4.1+rocm6.1",
        "transformers.version": "4.45.1",
        "triton.version": "3.0.0",
        "vllm.version": "0.6.3.dev116+g151ef4ef",
    },
    "dmesg/amdgpu_page_fault_init_fail_azure.txt": {
        "gpu.vendor": "amd",
        "log.error_line": 2,
        "symptom.amdgpu-init-failed": True,
        "symptom.amdgpu-page-fault": True,
        "symptom.gpu-not-visible": True,
    },
    "dmesg/amdgpu_ring_timeout_mode1_reset.txt": {
        "gpu.vendor": "amd",
        "log.error_line": 2,
        "symptom.amdgpu-reset": True,
        "symptom.amdgpu-ring-timeout": True,
    },
    "dmesg/kmsg_peermem_invalid_context.txt": {
        "gpu.vendor": "nvidia",
        "log.error_line": 1,
        "module.nvidia_peermem": True,
    },
    "dmesg/libnccl_segfault.txt": {
        "symptom.libnccl-segfault": True,
    },
    "dmesg/xid13_sm_exception_dmesg_decode_iso.txt": {
        "gpu.vendor": "nvidia",
        "symptom.killed-by-oom": True,
        "symptom.oom-killer-line": True,
        "symptom.xid-error": True,
        "xid.13": True,
        "xid.43": True,
    },
    "dmesg/xid63_row_remap.txt": {
        "gpu.vendor": "nvidia",
        "symptom.xid-error": True,
        "xid.63": True,
    },
    "dmesg/xid79_sxid20034_markdown_quote.txt": {
        "gpu.vendor": "nvidia",
        "sxid.20034": True,
        "symptom.gpu-off-bus": True,
        "symptom.sxid-fatal": True,
        "symptom.xid-error": True,
        "xid.79": True,
    },
    "fabricmanager/fabricmanager_log.txt": {
        "service.fabric_manager": "running",
    },
    "lspci/cx_nic_acsctl.txt": {},
    "lspci/doc_grep_acsctl.txt": {
        "pcie.acs_redirect": False,
    },
    "lspci/gpu_no_acs_ctl_rtx6000ada.txt": {
        "gpu.model": "RTX 6000 Ada Generation",
        "gpu.vendor": "nvidia",
    },
    "lspci/grep_acsctl_all_off.txt": {
        "pcie.acs_redirect": False,
    },
    "lspci/pex890xx_acs_off.txt": {
        "pcie.acs_redirect": False,
    },
    "nccl/collective_opcount_and_destroy_complete.txt": {
        "nccl.last_call": "AllReduce #0, count 2147483648",
    },
    "nccl/doc_bootstrap_net_p2p_tuning.txt": {
        "gpu.vendor": "nvidia",
        "log.quiet": True,
        "log.stage": "transport",
        "nccl.via_net": True,
        "nccl.via_p2p": True,
    },
    "nccl/doc_init_graph_coll_shm_ras.txt": {
        "log.hosts": "node-01",
        "log.quiet": True,
        "log.stage": "transport",
        "nccl.last_call": "AllReduce #0, count 2",
        "nccl.network": "IB",
        "nccl.via_shm": True,
        "parallel.world_size": 2,
    },
    "nccl/doc_warn_no_net_plugin.txt": {
        "nccl.cuda_build": "13.0",
        "nccl.network": "IB",
        "nccl.version": "2.30.3+cuda13.0",
        "symptom.nccl-net-not-found": True,
    },
    "nccl/efa_16rank_channels_init_complete.txt": {
        "log.hosts": "nccl-tests-efa-16-worker-0,nccl-tests-efa-16-worker-1",
        "log.quiet": True,
        "log.stage": "init_complete",
        "nccl.via_p2p": True,
        "net.fabric": "efa",
        "parallel.world_size": 16,
    },
    "nccl/fsdp_p5_ofi.txt": {
        "aws_ofi_nccl.version": "1.13.2-aws",
        "cuda.driver_max": "12.8",
        "log.hosts": "p5-dy-gpu-3",
        "log.quiet": True,
        "log.stage": "steps",
        "nccl.cuda_build": "12.2",
        "nccl.version": "2.26.2+cuda12.2",
    },
    "nccl/init_net_ib_roce_2x_a100.txt": {
        "cuda.driver_max": "13.0",
        "env.NCCL_TOPO_DUMP_FILE": "nccl_topo_dump.xml",
        "log.hosts": "mew0",
        "log.quiet": True,
        "log.ranks_without_init": "0,1",
        "log.stage": "bootstrap",
        "nccl.cuda_build": "13.0",
        "nccl.gdr": False,
        "nccl.network": "IB",
        "nccl.version": "2.27.7+cuda13.0",
        "net.bootstrap_interface": "eno8303",
        "net.fabric": "roce",
        "parallel.world_size": 2,
        "rdma.hca_names": "mlx5_0,mlx5_1",
        "symptom.gdr-disabled": True,
    },
    "nccl/nccl_tests_allreduce_a100.txt": {
        "gpu.count": 8,
        "gpu.model": "A100-SXM4-40GB",
        "gpu.vendor": "nvidia",
        "node.count": 1,
        "parallel.world_size": 8,
    },
    # Out of a tutorial: "For example, this output: ..." is about nobody's machine.
    "nccl/net_lines_ib_fastsocket.txt": {"nccl.network": None, "net.fabric": None, "rdma.hca_names": None},
    "nccl/rings_trees_connected.txt": {
        "log.quiet": True,
        "log.stage": "transport",
        "nccl.last_call": "AllReduce #0, count 1073741824",
    },
    "nvidia-smi/a100_pcie_mig_col_disabled.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.90.12",
        "gpu.compute_mode": "default",
        "gpu.count": 1,
        "gpu.memory_mib": 81920,
        "gpu.mig": False,
        "gpu.model": "NVIDIA A100 80GB PCIe",
        "gpu.vendor": "nvidia",
        "symptom.gpu-util-100-idle": True,
    },
    "nvidia-smi/a100sxmx4.txt": {
        "cuda.driver_max": "12.5",
        "driver.version": "555.42.02",
        "gpu.compute_mode": "default",
        "gpu.count": 2,
        "gpu.memory_mib": 81920,
        "gpu.mig": False,
        "gpu.model": "NVIDIA A100-SXM4-80GB",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/a40_x10_550.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.127.05",
        "gpu.compute_mode": "default",
        "gpu.count": 5,
        "gpu.memory_mib": 46068,
        "gpu.model": "NVIDIA A40",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/h100_8gpu_loaded.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.90.12",
        "gpu.compute_mode": "default",
        "gpu.count": 8,
        "gpu.memory_mib": 81559,
        "gpu.mig": False,
        "gpu.model": "NVIDIA H100 80GB HBM3",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/h100sxmx8.txt": {
        "cuda.driver_max": "12.7",
        "driver.version": "565.57.01",
        "gpu.compute_mode": "default",
        "gpu.count": 2,
        "gpu.memory_mib": 81559,
        "gpu.mig": False,
        "gpu.model": "NVIDIA H100 80GB HBM3",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/l4.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.90.07",
        "gpu.compute_mode": "default",
        "gpu.count": 1,
        "gpu.memory_mib": 23034,
        "gpu.model": "NVIDIA L4",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/nvlink_status_a100.txt": {
        "gpu.count": 8,
        "gpu.model": "NVIDIA A100-SXM4-80GB",
        "gpu.nvlink_inactive": False,
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/q_ecc_remapped_rows_xid63.txt": {
        "cuda.driver_max": "11.6",
        "driver.version": "510.73.08",
        "gpu.count": 8,
        "gpu.ecc_corrected": 177,
        "gpu.ecc_uncorrected": 0,
        "gpu.model": "NVIDIA A100-SXM4-80GB",
        "gpu.row_remap_failed": False,
        "gpu.row_remap_pending": True,
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/rtx3090.txt": {
        "cuda.driver_max": "12.6",
        "driver.version": "560.35.03",
        "gpu.compute_mode": "default",
        "gpu.count": 2,
        "gpu.memory_mib": 24576,
        "gpu.model": "NVIDIA GeForce RTX 3090",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/rtx4060ti.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.54.14",
        "gpu.compute_mode": "default",
        "gpu.count": 2,
        "gpu.memory_mib": 16380,
        "gpu.model": "NVIDIA GeForce RTX 4060 Ti",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi/rtx4090.txt": {
        "cuda.driver_max": "12.4",
        "driver.version": "550.127.05",
        "gpu.compute_mode": "default",
        "gpu.count": 2,
        "gpu.memory_mib": 24564,
        "gpu.model": "NVIDIA GeForce RTX 4090",
        "gpu.vendor": "nvidia",
    },
    "nvidia-smi-topo/2gpu_2nic_phb_pix_nic_legend.txt": {
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "rdma.hca_names": "mlx5_0,mlx5_1",
        "topology.link": "phb",
        "topology.nic_link": "node",
    },
    "nvidia-smi-topo/2gpu_phb_no_legend.txt": {
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "topology.link": "phb",
    },
    "nvidia-smi-topo/gh200_4gpu_nv6_markdown_mangled.txt": {
        "gpu.count": 4,
        "gpu.vendor": "nvidia",
        "topology.link": "nvlink",
    },
    "nvidia-smi-topo/h100_8gpu_1nic_nv18_collect_env_b.txt": {
        "env.NVIDIA_VISIBLE_DEVICES": "all",
        "gpu.count": 8,
        "gpu.vendor": "nvidia",
        "rdma.hca_names": "mlx5_0",
        "topology.link": "nvlink",
        "topology.nic_link": "sys",
    },
    "nvidia-smi-topo/h100_8gpu_1nic_nv18_sys_in_collect_env.txt": {
        "env.NVIDIA_VISIBLE_DEVICES": "all",
        "gpu.count": 8,
        "gpu.vendor": "nvidia",
        "rdma.hca_names": "mlx5_0",
        "topology.link": "nvlink",
        "topology.nic_link": "sys",
    },
    "nvidia-smi-topo/h100_8gpu_nv18_spaces.txt": {
        "gpu.count": 8,
        "gpu.vendor": "nvidia",
        "topology.link": "nvlink",
    },
    "nvidia-smi-topo/h100_8gpu_nv18_split_affinity.txt": {
        "gpu.count": 8,
        "gpu.vendor": "nvidia",
        "topology.link": "nvlink",
    },
    "nvidia-smi-topo/h200_8gpu_10nic_ansi_nv18.txt": {
        "gpu.count": 8,
        "gpu.vendor": "nvidia",
        "rdma.hca_names": "mlx5_0,mlx5_1,mlx5_2,mlx5_3,mlx5_4,mlx5_5,mlx5_6,mlx5_7,mlx5_8,mlx5_9",
        "topology.link": "nvlink",
        "topology.nic_link": "pix",
    },
    "nvidia-smi-topo/topo_mp_4gpu_mlx5_named_columns.txt": {
        "gpu.count": 4,
        "gpu.vendor": "nvidia",
        "rdma.hca_names": "mlx5_0,mlx5_1",
        "topology.link": "sys",
        "topology.nic_link": "sys",
    },
    "ray/driver_log_scheduler_warnings.txt": {
        "launcher": "ray",
        "symptom.ray-resources-short": True,
    },
    "ray/own_ray_start_head_260.txt": {
        "launcher": "ray",
    },
    "ray/own_ray_status_260_auth_token_missing.txt": {
        "launcher": "ray",
        "symptom.ray-invalid-auth-token": True,
    },
    "ray/own_ray_status_no_cluster.txt": {
        "launcher": "ray",
        "log.error_line": 1,
    },
    "ray/ray_status_autoscaler_v1.txt": {
        "launcher": "ray",
        "node.count": 1,
        "ray.gpu_total": 0,
    },
    "rocm/amd_smi_topology_and_xgmi.txt": {
        "gpu.count": 8,
        "gpu.vendor": "amd",
        "p2p.driver_reports": True,
        "topology.link": "xgmi",
    },
    "rocm/rocm_smi_concise_mi250.txt": {
        "gpu.count": 8,
        "gpu.model": "Instinct MI210",
        "gpu.vendor": "amd",
    },
    "rocm/rocm_smi_concise_mi300x_1.txt": {
        "gpu.count": 1,
        "gpu.model": "AMD Instinct MI300X",
        "gpu.vendor": "amd",
    },
    "rocm/rocm_smi_concise_mi300x_4.txt": {
        "gpu.count": 4,
        "gpu.model": "AMD Instinct MI300X",
        "gpu.vendor": "amd",
    },
    "rocm/rocm_smi_json_showtopo_vega20_8gpu.txt": {
        "gpu.count": 8,
        "gpu.vendor": "amd",
        "topology.link": "phb",
    },
    "rocm/rocm_smi_showtopo_mi300x_8_a.txt": {
        "gpu.count": 8,
        "gpu.vendor": "amd",
        "topology.link": "xgmi",
    },
    "rocm/rocm_smi_showtoponuma_mi250.txt": {
        "gpu.count": 8,
        "gpu.vendor": "amd",
    },
    "torch-watchdog/allreduce_old_format_wrapped.txt": {
        "symptom.nccl-watchdog-timeout": True,
        "symptom.timeout-at-seqnum-1": True,
        "watchdog.collective": "ALLREDUCE #1",
    },
    "torch-watchdog/allreduce_seq6463_default_pg.txt": {
        "symptom.nccl-watchdog-timeout": True,
        "symptom.timeout-late": True,
        "watchdog.collective": "ALLREDUCE #6463",
        "watchdog.progress": "enqueued #6463, completed #6462",
    },
    "torch-watchdog/desync_report_seq2.txt": {
        "log.late_ranks": "1",
        "symptom.nccl-watchdog-timeout": True,
        "symptom.rank-missing-in-collective": True,
        "watchdog.collective": "ALLREDUCE #2",
    },
}
"""Of error lines that nothing explains the number is listed."""


def facts(path):
    """Every fact of a sample: its value, or the set of its values."""
    data = path.read_bytes()
    if data.startswith(b"# source"):
        data = data.split(b"\n", 1)[1]
    found = {}
    for fact in read_report(data):
        found.setdefault(fact.name, set()).add(fact.value)
    errors = found.pop("log.error_line", set())
    found = {name: values.pop() if len(values) == 1 else values for name, values in found.items()}
    return found | ({"log.error_line": len(errors)} if errors else {})


@pytest.mark.parametrize("name", FACTS)
def test_sample(name):
    found = facts(SAMPLES / name)
    expected = FACTS[name]
    assert {key: found.get(key) for key in expected} == expected
    assert not [key for key in found.keys() - expected.keys() if not key.startswith(XID)]


def test_every_sample_is_listed():
    there = {str(path.relative_to(SAMPLES)) for path in SAMPLES.glob("*/*.txt")}
    assert not there - FACTS.keys()
