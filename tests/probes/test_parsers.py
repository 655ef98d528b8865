"""Output of tools in the shapes that people paste, and exactly the facts that it holds."""

import json

import pytest

from gpudoctor.probes.parsers import PARSERS, Found, kubernetes

from .recognized import read_report

IGNORED = ("log.",)


def facts(text):
    """Every fact of the text: one value, or the set of values."""
    found = {}
    for fact in read_report(text):
        if not fact.name.startswith(IGNORED):
            found.setdefault(fact.name, set()).add(fact.value)
    return {name: values.pop() if len(values) == 1 else values for name, values in found.items()}


TABLE = """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|                               |                      |               MIG M. |
|===============================+======================+======================|
|   0  NVIDIA A100-SXM...  On   | 00000000:07:00.0 Off |                    0 |
| N/A   31C    P0    92W / 400W |  30100MiB / 40536MiB |    100%      Default |
|                               |                      |             Disabled |
+-------------------------------+----------------------+----------------------+
|   1  NVIDIA A100-SXM...  On   | 00000000:0F:00.0 Off |                    0 |
| N/A   30C    P0    95W / 400W |  30100MiB / 40536MiB |    100%   E. Process |
|                               |                      |             Disabled |
+-------------------------------+----------------------+----------------------+
"""


def test_nvidia_smi_table_of_the_470_drivers():
    found = facts(TABLE)
    assert found.pop("gpu.compute_mode") == {"default", "exclusive_process"}
    assert found == {
        "driver.version": "470.57.02",
        "cuda.driver_max": "11.4",
        "gpu.model": "NVIDIA A100-SXM",
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "gpu.mig": False,
        "gpu.memory_mib": 40536,
        "symptom.gpu-util-100-idle": True,  # full use at a quarter of the power
    }


def test_nvidia_smi_list_with_slices():
    text = (
        "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
        "  MIG 3g.20gb     Device  0: (UUID: MIG-aaaaaaaa-1111-2222-3333-444444444444)\n"
        "  MIG 3g.20gb     Device  1: (UUID: MIG-bbbbbbbb-1111-2222-3333-444444444444)\n"
        "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-66666666-2222-3333-4444-555555555555)\n"
    )
    assert facts(text) == {
        "gpu.model": "NVIDIA A100-SXM4-40GB",
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "gpu.mig": True,
    }


def test_nvidia_smi_query_as_csv():
    text = (
        "index, name, driver_version, compute_cap, mig.mode.current, compute_mode\n"
        "0, NVIDIA GeForce RTX 5090, 575.57.08, 12.0, [N/A], Default\n"
        "1, NVIDIA GeForce RTX 5090, 575.57.08, 12.0, [N/A], Default\n"
    )
    assert facts(text) == {
        "gpu.model": "NVIDIA GeForce RTX 5090",
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "driver.version": "575.57.08",
        "gpu.arch": "sm_120",
        "gpu.compute_mode": "default",
    }


def test_nvidia_smi_query_in_full():
    text = (
        "==============NVSMI LOG==============\n\n"
        "Driver Version                            : 535.161.08\n"
        "CUDA Version                              : 12.2\n\n"
        "Attached GPUs                             : 8\n"
        "GPU 00000000:1B:00.0\n"
        "    Product Name                          : NVIDIA H100 80GB HBM3\n"
        "    Display Active                        : Disabled\n"
        "    MIG Mode\n"
        "        Current                           : Disabled\n"
        "        Pending                           : Disabled\n"
        "    Compute Mode                          : Default\n"
        "    ECC Errors\n"
        "        Volatile\n"
        "            SRAM Correctable              : 0\n"
        "            SRAM Uncorrectable Parity     : 0\n"
        "            DRAM Uncorrectable            : 3\n"
        "    Remapped Rows\n"
        "        Pending                           : Yes\n"
        "        Remapping Failure Occurred        : Yes\n"
        "    Fabric\n"
        "        State                             : In Progress\n"
        "        Status                            : N/A\n"
    )
    assert facts(text) == {
        "driver.version": "535.161.08",
        "cuda.driver_max": "12.2",
        "gpu.count": 8,
        "gpu.model": "NVIDIA H100 80GB HBM3",
        "gpu.vendor": "nvidia",
        "gpu.display_attached": False,
        "gpu.mig": False,
        "gpu.compute_mode": "default",
        "gpu.ecc_uncorrected": 3,
        "gpu.ecc_corrected": 0,
        "gpu.row_remap_pending": True,
        "gpu.row_remap_failed": True,
        "symptom.fabric-state-in-progress": True,
    }


@pytest.mark.parametrize(("state", "inactive"), [("<inactive>", True), ("26.562 GB/s", False)])
def test_nvlink_status(state, inactive):
    text = (
        "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
        f"\t Link 0: 26.562 GB/s\n\t Link 1: {state}\n"
    )
    assert facts(text)["gpu.nvlink_inactive"] is inactive


def test_peer_access_matrix():
    text = " \tGPU0\tGPU1\t\n GPU0\tX\tCNS\t\n GPU1\tCNS\tX\t\n\nLegend:\n\n  X = Self\n  CNS = Chipset not supported\n"
    assert facts(text) == {
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "p2p.driver_reports": False,
        "symptom.p2p-not-available": True,
    }
    assert facts(text.replace("CNS", "OK"))["p2p.driver_reports"] is True


def test_rocm_smi_table():
    text = (
        "============================================ ROCm System Management Interface ====================\n"
        "====================================================== Concise Info ==============================\n"
        "Device  Node  IDs              Temp        Power     Partitions          SCLK  MCLK     Fan  Perf \n"
        "              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)                            \n"
        "==================================================================================================\n"
        "0       2     0x74a1,   28851  41.0°C      140.0W    NPS1, SPX, 0        132Mhz  900Mhz  0%   auto \n"
        "1       3     0x74a1,   51499  37.0°C      138.0W    NPS1, SPX, 0        132Mhz  900Mhz  0%   auto \n"
        "==================================================================================================\n"
    )
    assert facts(text) == {"gpu.vendor": "amd", "gpu.count": 2}


def test_amd_smi_link_types():
    text = (
        "LINK TYPE TABLE:\n"
        "             0000:05:00.0 0000:26:00.0\n"
        "0000:05:00.0 SELF         PCIE\n"
        "0000:26:00.0 PCIE         SELF\n"
    )
    assert facts(text) == {"gpu.vendor": "amd", "gpu.count": 2, "topology.link": "phb"}


def test_an_integrated_amd_gpu_beside_discrete_ones():
    text = (
        "HSA Agents\n==========\n*******\nAgent 1\n*******\n  Name:                    AMD Ryzen 9 7950X\n"
        "Agent 2\n*******\n  Name:                    gfx1100\n  Marketing Name:          Radeon RX 7900 XTX\n"
        "Agent 3\n*******\n  Name:                    gfx1036\n  Marketing Name:          AMD Radeon Graphics\n"
    )
    found = facts(text)
    assert found["igpu.present"] is True
    assert found["gpu.arch"] == "gfx1100"
    assert found["gpu.model"] == "Radeon RX 7900 XTX"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "BOOT_IMAGE=/vmlinuz-6.8.0 root=UUID=ab12 ro amd_iommu=on iommu=pt",
            {
                "kernel.cmdline": "BOOT_IMAGE=/vmlinuz-6.8.0 root=UUID=ab12 ro amd_iommu=on iommu=pt",
                "kernel.version": "6.8.0",
            },
        ),
        (
            'GRUB_CMDLINE_LINUX_DEFAULT="quiet iommu=pt"',
            {"kernel.cmdline_configured": "quiet iommu=pt"},
        ),
        ("[    0.512] iommu: Default domain type: Passthrough ", {"iommu.mode": "passthrough"}),
        ("max locked memory       (kbytes, -l) 64", {"limit.memlock_bytes": 65536}),
        ("max locked memory           (kbytes, -l) unlimited", {"limit.memlock_bytes": -1}),
        (
            "Max locked memory         65536                65536                bytes",
            {"limit.memlock_bytes": 65536},
        ),
        ("open files                          (-n) 1024", {"limit.nofile": 1024}),
        (
            "shm              64M   12M   52M  19% /dev/shm",
            {"shm.size_bytes": 64 << 20, "shm.free_bytes": 52 << 20},
        ),
        (
            "tmpfs         65536 4 65532  1% /dev/shm",
            {"shm.size_bytes": 64 << 20, "shm.free_bytes": 65532 << 10},
        ),
        (
            "Linux box 5.15.0-97-generic #107-Ubuntu SMP x86_64 GNU/Linux",
            {"kernel.version": "5.15.0-97-generic", "cpu.arch": "x86_64"},
        ),
        ("LimitMEMLOCK=infinity", {"limit.memlock_bytes": -1}),
        ('PRETTY_NAME="Ubuntu 22.04.4 LTS"', {"os.id": "Ubuntu 22.04.4 LTS"}),
    ],
)
def test_the_host(line, expected):
    assert facts(line) == expected


def test_interfaces_of_a_host_with_docker():
    text = (
        "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n"
        "2: eno1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP\n"
        "3: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN\n"
    )
    assert facts(text) == {"net.many_interfaces": True, "net.container_bridge": True}


def test_rdma_ports_and_gids():
    text = (
        "hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n\t\tport:\t1\n"
        "\t\t\tstate:\t\t\tPORT_DOWN (1)\n\t\t\tlink_layer:\t\tEthernet\n"
    )
    found = facts(text)
    assert found["net.fabric"] == "roce"
    assert found["rdma.port_state"] == "down"
    gids = (
        "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
        "mlx5_0\t1\t0\tfe80:0000:0000:0000:ba59:9fff:fe00:0001\t\t\tv1\teth2\n"
        "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a00:0105\t10.0.1.5  \tv2\teth2\n"
    )
    assert facts(gids) == {"net.fabric": "roce", "rdma.gid_index": 3}


def test_docker_run_tells_also_what_it_lacks():
    found = facts("docker run --gpus all -p 8000:8000 -v /models:/models IMAGE --tensor-parallel-size 4\n")
    assert found["container.shm"] == "default"
    assert found["container.network"] == "bridge"
    assert found["container.privileged"] is False
    found = facts(
        "$ docker run --gpus all \\\n    --shm-size=16g --ulimit memlock=-1 \\\n    --network host IMAGE\n"
    )
    assert found["shm.size_bytes"] == 16 << 30
    assert found["limit.memlock_bytes"] == -1
    assert found["container.network"] == "host"
    assert found["container.shm"] == "set"


def test_advice_to_start_a_container_is_no_fact():
    assert "shm.size_bytes" not in facts("you should try docker run --shm-size=16g --gpus all IMAGE")


def test_compose_and_kubernetes():
    found = facts('services:\n  llm:\n    shm_size: "2gb"\n    network_mode: host\n')
    assert found["shm.size_bytes"] == 2 << 30
    assert found["container.network"] == "host"
    pod = (
        "    resources:\n      limits:\n        nvidia.com/gpu: 4\n    volumeMounts:\n    - mountPath: /dev/shm\n"
        "      name: shm\n  volumes:\n  - name: shm\n    emptyDir:\n      medium: Memory\n"
    )
    found = facts(pod)
    assert found["runtime"] == "kubernetes"
    assert found["container.shm"] == "set"


TESTS_HEADER = """\
# nThread 1 nGpus 2 minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid   4121 on      alpha device  0 [0000:01:00] NVIDIA GeForce RTX 4090
#  Rank  1 Group  0 Pid   4121 on      alpha device  1 [0000:41:00] NVIDIA GeForce RTX 4090
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
ROW = "           8             2     float     sum      -1    10.52    0.00    0.00      {0}    10.41 0.00 0.00 0\n"


@pytest.mark.parametrize(
    ("rest", "fact", "value"),
    [
        (
            ROW.format(0) + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 5.1\n",
            "collective.default",
            "pass",
        ),
        (ROW.format(2) + "# Out of bounds values : 2 FAILED\n", "collective.default", "wrong"),
        ("alpha: Test NCCL failure common.cu:958 'unhandled cuda error'\n", "collective.default", "error"),
        ("", "symptom.nccl-tests-stops-after-header", True),
    ],
)
def test_nccl_tests(rest, fact, value):
    found = facts(TESTS_HEADER + rest)
    assert found[fact] == value
    assert found["gpu.model"] == "NVIDIA GeForce RTX 4090"
    assert found["gpu.count"] == 2
    assert found["node.count"] == 1


def test_peer_copies_that_are_slower_than_through_the_host():
    text = (
        "Device=0 CAN Access Peer Device=1\nDevice=1 CAN Access Peer Device=0\n\n"
        "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1 \n"
        "     0 915.28  16.52 \n     1  16.53 916.36 \n"
        "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1 \n"
        "     0 916.89   3.24 \n     1   3.25 919.05 \n"
    )
    assert facts(text) == {
        "p2p.driver_reports": True,
        "symptom.topo-p2p-ok": True,
        "symptom.p2p-slower-than-staged": True,
    }


def test_ray_status():
    text = (
        "======== Autoscaler status: 2026-03-04 10:11:12.131415 ========\nNode status\n-----\nActive:\n"
        " 1 node_aaaa\n 1 node_bbbb\nPending:\n (no pending nodes)\nResources\n-----\nTotal Usage:\n"
        " 4.0/128.0 CPU\n 16.0/16.0 GPU\n"
    )
    assert facts(text) == {"launcher": "ray", "node.count": 2, "ray.gpu_total": 16}


def test_environment_reports():
    text = (
        "PyTorch version: 2.6.0+cu124\nIs debug build: False\nCUDA used to build PyTorch: 12.4\n"
        "Is CUDA available: True\nGPU models and configuration: \nGPU 0: NVIDIA L40S\nGPU 1: NVIDIA L40S\n\n"
        "Nvidia driver version: 550.54.15\n[pip3] nvidia-nccl-cu12==2.21.5\n[conda] torch  2.6.0  pypi_0  pypi\n"
        "vLLM Version: 0.7.3\n"
    )
    found = facts(text)
    assert found.pop("torch.version") == {"2.6.0+cu124", "2.6.0"}
    assert found == {
        "torch.build": "cuda",
        "torch.gpu_available": True,
        "cuda.version": "12.4",
        "gpu.model": "NVIDIA L40S",
        "gpu.count": 2,
        "gpu.vendor": "nvidia",
        "driver.version": "550.54.15",
        "nccl.version": "2.21.5",
        "vllm.version": "0.7.3",
        "launcher": "vllm",
    }


def test_ds_report_and_accelerate_env():
    assert facts("torch version .................... 2.5.1+cu124\n")["torch.version"] == "2.5.1+cu124"
    assert (
        facts("deepspeed info ................... 0.16.4, unknown, unknown\n")["deepspeed.version"]
        == "0.16.4"
    )
    assert facts("shared memory (/dev/shm) size .... 0.06 GB\n")["shm.size_bytes"] == int(0.06 * (1 << 30))
    assert facts("- `Accelerate` version: 1.2.1\n")["accelerate.version"] == "1.2.1"
    assert facts("- PyTorch version (GPU?): 2.5.1 (True)\n")["torch.version"] == "2.5.1"


INFO = "gpu-a:77:99 [0] NCCL INFO "


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (INFO + "Bootstrap : Using docker0:172.17.0.1<0>", {"net.bootstrap_interface": "docker0"}),
        (INFO + "NET/IB : No device found.", {}),
        (
            INFO + "NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
            {"net.fabric": "roce", "rdma.hca_names": "mlx5_0"},
        ),
        (INFO + "Using network Socket", {"nccl.network": "Socket"}),
        (INFO + "NCCL_P2P_DISABLE set by environment to 1.", {"env.NCCL_P2P_DISABLE": "1"}),
        (INFO + "Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct", {"nccl.via_shm": True}),
        (INFO + "Channel 00 : 0[0] -> 1[1] via P2P/IPC", {"nccl.via_p2p": True}),
        (INFO + "Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0", {"nccl.via_net": True}),
        (INFO + "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'", {"nccl.gdr": True}),
        (
            INFO + "AllGather: opCount 1f sendbuff 0x7f0 recvbuff 0x7f1 count 512 datatype 9 op 0 root 0 comm 0x5",
            {"nccl.last_call": "AllGather #31, count 512"},
        ),
        (INFO + "NCCL version 2.27.7+cuda13.0", {"nccl.version": "2.27.7+cuda13.0", "nccl.cuda_build": "13.0"}),
    ],
)  # fmt: skip
def test_nccl_at_info(line, expected):
    found = facts(line)
    assert expected.items() <= found.items()
    extra = found.keys() - expected.keys()
    assert {name for name in extra if not name.startswith("symptom.")} <= {"gpu.vendor"}


def test_the_watchdog_and_its_desync_report():
    text = (
        "[rank0]:[E304 10:00:00.000000001 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=77, OpType=_ALLGATHER_BASE, NumelIn=10, NumelOut=80, Timeout(ms)=600000) ran for "
        "600012 milliseconds before timing out.\n"
        "[rank0]:[E304 10:00:00.000000002 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 0] Exception "
        "(either an error or timeout) detected by watchdog at work: 77, last enqueued NCCL work: 80, last completed "
        "NCCL work: 76.\n"
        "\t - To our best knowledge, the lagging/dead/mismatched ranks that caused the desync are:\n"
        "\t   - [0] joined but didn't finish collective #77 (count from 1)\n"
        "\t     [3, 5] finished collective #76, but didn't join collective #77 (count from 1)\n"
    )
    found = facts(text)
    assert found["watchdog.collective"] == "_ALLGATHER_BASE #77"
    assert found["watchdog.progress"] == "enqueued #80, completed #76"
    late = {f.value for f in read_report(text) if f.name == "log.late_ranks"}
    assert late == {"3,5"}


def test_the_kernel_log():
    text = (
        "[ 11.1] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=python, GPU has fallen off the bus.\n"
        "[ 12.1] nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 12028, Non-fatal, Link 33 egress non-posted PRIV error\n"
        "[ 13.1] python[99]: segfault at 0 ip 00007f sp 00007f error 4 in libnccl.so.2[7f+1]\n"
    )
    found = facts(text)
    assert found["xid.79"] is True
    assert found["sxid.12028"] is True
    assert found["symptom.libnccl-segfault"] is True


RAS_TEXT = """\
NCCL version 2.27.5 compiled with CUDA 12.9

Job summary
===========

  Nodes  Processes         GPUs  Processes     GPUs
(total)   per node  per process    (total)  (total)
      4          8            1         32       32

Errors
======

DEAD
  1 job process is considered dead (unreachable via the RAS network)
  Process 3487 on node 10.16.64.213 managing GPU 5

#0-0 (cf264af53edbe986) INCOMPLETE
  Missing communicator data from 1 rank
  The missing rank: 21

Warnings
========

#0-0 (27a079b828ff1a75) MISMATCH
  Communicator ranks have different AllReduce operation counts
  30 ranks have launched up to operation 6650
  Rank 3 has launched up to operation 6649 -- GPU 3 managed by process 48 on node 10.16.64.210
  Rank 9 has launched up to operation 6649 -- GPU 1 managed by process 49 on node 10.16.64.211
"""


def test_ras_as_text():
    found = facts(RAS_TEXT)
    assert found["ras.dead_process"].startswith("Process 3487 on node 10.16.64.213 managing GPU 5")
    assert found["ras.missing_ranks"] == "21"
    assert found["ras.behind_ranks"] == "3,9"


def ras_document(count):
    def rank(number, done):
        return {
            "rank": number, "host": "10.0.0.1", "pid": 100 + number, "cuda_dev": number, "nvml_dev": number,
            "status": {"init_state": 0, "async_error": 0},
            "collective_counts": {"Broadcast": 0, "AllReduce": done},
        }  # fmt: skip

    missing = {"rank": 3, "host": "10.0.0.2", "pid": 103, "cuda_dev": 3, "nvml_dev": 3}
    missing["status"] = {"unresponsive": True, "considered_dead": True}
    communicator = {"size": 4, "ranks": [rank(0, 9), rank(1, count), rank(2, 9)], "missing_ranks": [missing]}
    return json.dumps(
        {"nccl_version": "2.28.9", "communicators_count": 1, "communicators": [communicator]}, indent=2
    )


@pytest.mark.parametrize("comma", [True, False])
def test_ras_as_json_with_and_without_the_comma_that_2_28_9_left_out(comma):
    text = ras_document(8)
    if not comma:
        before = '"nvml_dev": 3,\n          "status"'
        assert before in text.replace("            ", "          ")
        text = text.replace('"nvml_dev": 3,\n', '"nvml_dev": 3\n')
    assert facts(text) == {
        "nccl.version": "2.28.9",
        "ras.missing_ranks": "3",
        "ras.dead_process": "Process 103 on node 10.0.0.2",
        "ras.behind_ranks": "1",
    }


@pytest.mark.parametrize(
    "text", ["{", '{"communicators_count": 1', '{"communicators_count": [], "communicators": 7}']
)
def test_broken_ras_json_says_nothing(text):
    assert facts(text) == {}


def test_every_parser_of_the_catalogue_has_its_function():
    for parser in PARSERS:
        assert all(isinstance(found, Found) for found in parser.parse(["nothing of it"], 0))


def test_the_catalogue_names_every_product_of_images():
    named = next(parser.facts for parser in PARSERS if parser.name == "images of a cluster")
    assert set(named) == set(kubernetes._PRODUCTS.values())
