# ruff: noqa: E501  (output of tools is wide)
"""Shapes of each tool's output over its versions and over ways of pasting; every text is the project's own."""

import pytest

from .test_parsers import facts

SHAPES = {}


def shape(name, text, **expected):
    """Remember a text and facts of it; in names of facts ``__`` stands for the dot."""
    SHAPES[name] = (text, {key.replace("__", "."): value for key, value in expected.items()})


shape(
    "nvidia-smi of 2018, without a CUDA version",
    """\
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 396.37                 Driver Version: 396.37                    |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla V100-SXM2...  Off  | 00000000:00:1B.0 Off |                    0 |
| N/A   41C    P0    43W / 300W |      0MiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
|   1  Tesla V100-SXM2...  Off  | 00000000:00:1C.0 Off |                    0 |
| N/A   40C    P0    41W / 300W |      0MiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
""",
    driver__version="396.37",
    gpu__model="Tesla V100-SXM2",
    gpu__count=2,
    gpu__vendor="nvidia",
    gpu__memory_mib=16160,
    gpu__compute_mode="default",
)
shape(
    "nvidia-smi with slices",
    """\
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.183.01             Driver Version: 535.183.01   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
|                                         |                      |               MIG M. |
|=========================================+======================+======================|
|   0  NVIDIA H100 PCIe               On  | 00000000:17:00.0 Off |                   On |
| N/A   33C    P0              48W / 350W |     87MiB / 81559MiB |     N/A      Default |
|                                         |                      |              Enabled |
+-----------------------------------------+----------------------+----------------------+

+---------------------------------------------------------------------------------------+
| MIG devices:                                                                          |
+------------------+--------------------------------+-----------+-----------------------+
| GPU  GI  CI  MIG |                   Memory-Usage |        Vol|      Shared           |
|  0    1   0   0  |              37MiB / 40192MiB  | 60      0 |  3   0    3    0    3 |
+------------------+--------------------------------+-----------+-----------------------+
""",
    driver__version="535.183.01",
    cuda__driver_max="12.2",
    gpu__model="NVIDIA H100 PCIe",
    gpu__count=1,
    gpu__vendor="nvidia",
    gpu__mig=True,
    gpu__memory_mib=81559,
    gpu__compute_mode="default",
)
shape(
    "nvidia-smi with a GPU that has fallen off",
    """\
| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
|   0  NVIDIA GeForce RTX 4090        Off |   00000000:01:00.0  On |                  Off |
|  0%   41C    P8             22W /  450W |     421MiB /  24564MiB |      3%      Default |
|                                         |                        |                  N/A |
|   1  NVIDIA GeForce RTX 4090        ERR! |   00000000:41:00.0 Off |                 ERR! |
|ERR!  ERR! ERR!             N/A / ERR!  |   24088MiB /  24564MiB |    ERR!      Default |
""",
    driver__version="570.86.15",
    cuda__driver_max="12.8",
    gpu__model="NVIDIA GeForce RTX 4090",
    gpu__count=2,
    gpu__vendor="nvidia",
    gpu__memory_mib=24564,
    gpu__display_attached=True,
    gpu__compute_mode="default",
)
shape(
    "nvidia-smi -L of one kind",
    "GPU 0: NVIDIA L40S (UUID: GPU-1aa1aa1a-2222-3333-4444-555555555555)\n"
    "GPU 1: NVIDIA L40S (UUID: GPU-1bb1bb1b-2222-3333-4444-555555555555)\n",
    gpu__model="NVIDIA L40S",
    gpu__count=2,
    gpu__vendor="nvidia",
)
shape(
    "nvidia-smi -L of two kinds",
    "GPU 0: NVIDIA GeForce RTX 3090 (UUID: GPU-1aa1aa1a-2222-3333-4444-555555555555)\n"
    "GPU 1: NVIDIA GeForce RTX 4090 (UUID: GPU-1bb1bb1b-2222-3333-4444-555555555555)\n",
    gpu__model="NVIDIA GeForce RTX 3090",
    gpu__count=2,
    gpu__vendor="nvidia",
    gpu__arch_mixed=True,
)
shape(
    "query without a header of units",
    "name, driver_version, memory.total\nNVIDIA A100-SXM4-80GB, 535.129.03, 81920\n"
    "NVIDIA A100-SXM4-80GB, 535.129.03, 81920\n",
    gpu__model="NVIDIA A100-SXM4-80GB",
    driver__version="535.129.03",
    gpu__count=2,
    gpu__vendor="nvidia",
    gpu__memory_mib=81920,
)
shape(
    "two nodes with different drivers",
    "== node-a\n| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |\n"
    "== node-b\n| NVIDIA-SMI 535.54.03   Driver Version: 535.54.03   CUDA Version: 12.2 |\n",
    driver__version={"550.54.15", "535.54.03"},
    cuda__driver_max={"12.4", "12.2"},
    gpu__vendor="nvidia",
)
shape(
    "topo of a pair on one bridge and a third card across the sockets",
    "\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\tSYS\t0-15\t0\nGPU1\tNV4\t X \tSYS\t0-15\t0\n"
    "GPU2\tSYS\tSYS\t X \t16-31\t1\n",
    gpu__count=3,
    gpu__vendor="nvidia",
    topology__link="sys",
)
shape(
    "topo of old drivers: SOC, CPU affinity only, a named card",
    "        GPU0    GPU1    mlx4_0  CPU Affinity\nGPU0     X      SOC     PHB     0-9\nGPU1    SOC      X      SOC     10-19\n"
    "mlx4_0  PHB     SOC      X\n",
    gpu__count=2,
    gpu__vendor="nvidia",
    topology__link="sys",
    topology__nic_link="sys",
    rdma__hca_names="mlx4_0",
)
shape(
    "topo with InfiniBand and storage NICs, PXB",
    "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tPXB\tPXB\tSYS\t0-31\t0\t\tN/A\nGPU1\tPXB\t X \tPIX\tSYS\t0-31\t0\t\tN/A\n"
    "NIC0\tPXB\tPIX\t X \tSYS\t\t\t\t\nNIC1\tSYS\tSYS\tSYS\t X \t\t\t\t\n\n"
    "Legend:\n\n  X    = Self\n\nNIC Legend:\n\n  NIC0: mlx5_bond_0\n  NIC1: mlx5_1\n",
    gpu__count=2,
    gpu__vendor="nvidia",
    topology__link="pxb",
    topology__nic_link="pxb",
    rdma__hca_names="mlx5_1,mlx5_bond_0",
)
shape(
    "topo -p2p r of cards whose driver refuses",
    "$ nvidia-smi topo -p2p r\n \tGPU0\tGPU1\t\n GPU0\tX\tGNS\t\n GPU1\tGNS\tX\t\n\nLegend:\n\n  X    = Self\n  OK   = Status Ok\n"
    "  CNS  = Chipset not supported\n  GNS  = GPU not supported\n",
    gpu__count=2,
    gpu__vendor="nvidia",
    p2p__driver_reports=False,
)
shape(
    "rocm-smi of ROCm 5",
    "======================= ROCm System Management Interface =======================\n"
    "================================= Concise Info =================================\n"
    "GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  \n"
    "0    36.0c           41.0W   800Mhz  1600Mhz  0%   auto  560.0W    0%   0%    \n"
    "1    38.0c           N/A     800Mhz  1600Mhz  0%   auto  0.0W      0%   0%    \n"
    "================================================================================\n"
    "============================= End of ROCm SMI Log ==============================\n",
    gpu__count=2,
    gpu__vendor="amd",
)
shape(
    "rocm-smi of ROCm 6 with node and GUID",
    "============================================ ROCm System Management Interface ============================================\n"
    "====================================================== Concise Info ======================================================\n"
    "Device  Node  IDs              Temp        Power     Partitions          SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%  \n"
    "              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)                                                   \n"
    "==========================================================================================================================\n"
    "0       2     0x74a1,   28851  39.0°C      140.0W    NPS1, SPX, 0        131Mhz  900Mhz  0%   auto  750.0W  0%     0%    \n"
    "1       3     0x74a1,   51499  36.0°C      137.0W    NPS1, SPX, 0        132Mhz  900Mhz  0%   auto  750.0W  0%     0%    \n"
    "==========================================================================================================================\n",
    gpu__count=2,
    gpu__vendor="amd",
)
shape(
    "rocm-smi --showproductname",
    "GPU[0]\t\t: Card Series: \t\tAMD Instinct MI210\nGPU[0]\t\t: Card Model: \t\t0x740f\nGPU[0]\t\t: GFX Version: \t\tgfx90a\n"
    "GPU[1]\t\t: Card Series: \t\tAMD Instinct MI210\nGPU[1]\t\t: Card Model: \t\t0x740f\nGPU[1]\t\t: GFX Version: \t\tgfx90a\n",
    gpu__count=2,
    gpu__vendor="amd",
    gpu__model="AMD Instinct MI210",
    gpu__arch="gfx90a",
)
shape(
    "rocm-smi --showtopo of PCIe cards",
    "================================= Weight between two GPUs =================================\n"
    "       GPU0         GPU1         \nGPU0   0            40           \nGPU1   40           0            \n\n"
    "=============================== Link Type between two GPUs ===============================\n"
    "       GPU0         GPU1         \nGPU0   0            PCIE         \nGPU1   PCIE         0            \n",
    gpu__count=2,
    gpu__vendor="amd",
    topology__link="phb",
)
shape(
    "amd-smi topology of cards without peer access",
    "ACCESS TABLE:\n             0000:03:00.0 0000:43:00.0\n0000:03:00.0 ENABLED      DISABLED\n0000:43:00.0 DISABLED     ENABLED\n\n"
    "LINK TYPE TABLE:\n             0000:03:00.0 0000:43:00.0\n0000:03:00.0 SELF         PCIE\n0000:43:00.0 PCIE         SELF\n",
    gpu__count=2,
    gpu__vendor="amd",
    topology__link="phb",
    p2p__driver_reports=False,
)
shape(
    "amd-smi static",
    "GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X\n        VENDOR_ID: 0x1002\n        TARGET_GRAPHICS_VERSION: gfx942\n"
    "GPU: 1\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X\n        TARGET_GRAPHICS_VERSION: gfx942\n",
    gpu__count=2,
    gpu__vendor="amd",
    gpu__model="AMD Instinct MI300X",
    gpu__arch="gfx942",
)
shape(
    "amd-smi without a command",
    "+------------------------------------------------------------------------------+\n"
    "| AMD-SMI 26.0.0+37d158ab      amdgpu version: 6.14.14  ROCm version: 7.0.1    |\n"
    "|-------------------------------------+----------------------------------------|\n"
    "| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |\n"
    "| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |\n"
    "|=====================================+========================================|\n"
    "| 0000:05:00.0    AMD Instinct MI300X | 0 %      37 C    0           140/750 W |\n"
    "|   0       0       2        SPX/NPS1 | 0 %        N/A           284/196288 MB |\n"
    "|-------------------------------------+----------------------------------------|\n"
    "| 0000:26:00.0    AMD Instinct MI300X | 0 %      36 C    0           138/750 W |\n"
    "|   1       1       3        SPX/NPS1 | 0 %        N/A           284/196288 MB |\n",
    rocm__version="7.0.1",
    gpu__vendor="amd",
    gpu__count=2,
    gpu__memory_mib=196288,
    gpu__model="AMD Instinct MI300X",
)
shape(
    "lspci of a root port that redirects",
    "40:01.1 PCI bridge: Advanced Micro Devices, Inc. [AMD] Starship/Matisse GPP Bridge (prog-if 00 [Normal decode])\n"
    "\tCapabilities: [2a0 v1] Access Control Services\n"
    "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+\n"
    "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n",
    pcie__acs_redirect=True,
)
shape(
    "lspci with only source validation",
    "0000:3a:00.0 PCI bridge: Intel Corporation Sky Lake-E PCI Express Root Port A (rev 04)\n"
    "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-\n",
    pcie__acs_redirect=False,
)
shape(
    "lspci without root",
    "41:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 80GB] (rev a1)\n\tCapabilities: <access denied>\n",
    gpu__vendor="nvidia",
    gpu__model="A100 PCIe 80GB",
)
shape(
    "ibv_devinfo of a RoCE port",
    "hca_id:\tmlx5_2\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.39.1002\n\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n"
    "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t1024 (3)\n\t\t\tlink_layer:\t\tEthernet\n",
    net__fabric="roce",
    rdma__port_state="active",
    rdma__userspace=True,
)
shape(
    "ibstat",
    "CA 'mlx5_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tLink layer: InfiniBand\n",
    net__fabric="infiniband",
    rdma__port_state="active",
    rdma__userspace=True,
)
shape(
    "ibdev2netdev",
    "mlx5_0 port 1 ==> ibp12s0 (Up)\nmlx5_1 port 1 ==> ibp18s0 (Down)\n",
    rdma__hca_names="mlx5_0,mlx5_1",
)
shape(
    "ibv_devices",
    "    device          \t   node GUID\n    ------          \t----------------\n    mlx5_0          \ta088c20300aa0001\n"
    "    rocep1s0        \ta088c20300aa0002\n",
    rdma__hca_names="mlx5_0,rocep1s0",
)
shape(
    "show_gids",
    "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
    "mlx5_0\t1\t0\tfe80:0000:0000:0000:0a42:a1ff:fe00:0001\t\t\tv1\teth2\n"
    "mlx5_0\t1\t2\t0000:0000:0000:0000:0000:ffff:0a01:0007\t10.1.0.7  \tv1\teth2\n"
    "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:0a01:0007\t10.1.0.7  \tv2\teth2\n",
    net__fabric="roce",
    rdma__gid_index=3,
)
shape(
    "a queue pair on a link-local address",
    "n1:5:9 [0] misc/ibvwrap.cc:284 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_0:1, "
    "curr state INIT, next state RTR, local GID index 1, local GID fe80::a42:a1ff:fe00:1, remote GID fe80::a42:a1ff:fe00:2\n",
    rdma__gid_in_use="rocev2-link-local",
)
shape(
    "docker run with chosen devices",
    "docker run --rm -it --gpus '\"device=0,3\"' --ipc=host --network host -e NCCL_DEBUG=INFO \\\n"
    "  -e NCCL_P2P_LEVEL=SYS -v /models:/models vllm/vllm-openai:v0.8.5 --model m\n",
    runtime="docker",
    gpu__visible_count=2,
    container__ipc_host=True,
    container__shm="host",
    container__network="host",
    container__privileged=False,
    env__NCCL_DEBUG="INFO",
    env__NCCL_P2P_LEVEL="SYS",
    vllm__version="0.8.5",
)
shape(
    "Compose",
    "services:\n  vllm:\n    image: vllm/vllm-openai:v0.9.0\n    shm_size: '8gb'\n    environment:\n      NCCL_P2P_DISABLE: \"1\"\n"
    "      - NCCL_DEBUG=WARN\n    deploy:\n      resources:\n        reservations:\n          devices:\n"
    "            - driver: nvidia\n              device_ids: ['0', '1']\n",
    runtime="docker",
    shm__size_bytes=8 << 30,
    container__shm="set",
    gpu__visible_count=2,
    env__NCCL_P2P_DISABLE="1",
    env__NCCL_DEBUG="WARN",
    vllm__version="0.9.0",
)
shape(
    "a pod",
    "apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: true\n  containers:\n  - name: t\n    env:\n    - name: NCCL_SOCKET_IFNAME\n"
    '      value: eth0\n    - name: NCCL_IB_HCA\n      value: "mlx5_0,mlx5_1"\n    resources:\n      limits:\n        nvidia.com/gpu: 8\n'
    "    volumeMounts:\n    - mountPath: /dev/shm\n      name: dshm\n  volumes:\n  - name: dshm\n    emptyDir:\n      medium: Memory\n",
    runtime="kubernetes",
    container__network="host",
    container__shm="set",
    gpu__visible_count=8,
    env__NCCL_SOCKET_IFNAME="eth0",
    env__NCCL_IB_HCA="mlx5_0,mlx5_1",
)
shape(
    "a unit",
    '[Service]\nEnvironment=NCCL_SOCKET_IFNAME=ib0\nEnvironment="CUDA_VISIBLE_DEVICES=0,1"\nLimitMEMLOCK=infinity\nLimitNOFILE=65536\n',
    env__NCCL_SOCKET_IFNAME="ib0",
    env__CUDA_VISIBLE_DEVICES="0,1",
    limit__memlock_bytes=-1,
    limit__nofile=65536,
)
shape(
    "settings in a program and on command lines",
    'os.environ["NCCL_P2P_DISABLE"] = "1"\nmpirun -np 16 -x NCCL_ALGO=Ring ./all_reduce_perf\nsetenv NCCL_IB_DISABLE 1\n'
    "srun --export=ALL,NCCL_NET=Socket ./job\n",
    env__NCCL_P2P_DISABLE="1",
    env__NCCL_ALGO="Ring",
    env__NCCL_IB_DISABLE="1",
    env__NCCL_NET="Socket",
    parallel__world_size="16",
)
shape(
    "variables of other families",
    "HIP_VISIBLE_DEVICES=0,1\nexport HSA_NO_SCRATCH_RECLAIM=1\nexport GPU_MAX_HW_QUEUES=2\nexport CUDA_DEVICE_ORDER=PCI_BUS_ID\n"
    "NVIDIA_DRIVER_CAPABILITIES=compute,utility\nexport PYTORCH_ALLOC_CONF=expandable_segments:True\nSLURM_JOB_ID=4711\n",
    env__HIP_VISIBLE_DEVICES="0,1",
    env__HSA_NO_SCRATCH_RECLAIM="1",
    env__GPU_MAX_HW_QUEUES="2",
    env__CUDA_DEVICE_ORDER="PCI_BUS_ID",
    env__NVIDIA_DRIVER_CAPABILITIES="compute,utility",
    env__PYTORCH_ALLOC_CONF="expandable_segments:True",
)
shape(
    "NCCL tells what is set",
    "n1:9:9 [0] NCCL INFO NCCL_SOCKET_IFNAME set to eth0\nn1:9:9 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0\n"
    "n1:9:9 [0] NCCL INFO NCCL_OOB_NET_IFNAME set to eth1\nn1:9:9 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to PHB\n",
    env__NCCL_SOCKET_IFNAME="eth0",
    env__NCCL_IB_HCA="mlx5_0",
    env__NCCL_OOB_NET_IFNAME="eth1",
    env__NCCL_P2P_LEVEL="PHB",
)
shape(
    "ray status, second form",
    "======== Autoscaler status: 2026-03-01 10:00:00.000000 ========\nNode status\n"
    "---------------------------------------------------------------\nActive:\n 1 node_aa11\n 1 node_bb22\nPending:\n (no pending nodes)\n"
    "Recent failures:\n (no failures)\n\nResources\n---------------------------------------------------------------\nTotal Usage:\n"
    " 3.0/128.0 CPU\n 16.0/16.0 GPU\n 0B/1.8TiB memory\n\nFrom request_resources:\n (none)\nPending Demands:\n (no resource demands)\n",
    launcher="ray",
    node__count=2,
    ray__gpu_total=16,
)
shape(
    "meminfo and lsmod",
    "CmaTotal:         65536 kB\nCmaFree:         131072 kB\n\nModule                  Size  Used by\nnvidia_peermem         16384  0\n",
    kernel__cma_free_above_total=True,
    module__nvidia_peermem=True,
)
shape(
    "fabric manager",
    "[Mar 03 2026 09:11:02] [INFO] [tid 2210] Received an inband message:  Message header details: magic Id:adbc\n"
    "[Mar 03 2026 09:11:02] [INFO] [tid 2214] multicast group 0 is allocated.\n",
    service__fabric_manager="running",
)
shape(
    "p2pBandwidthLatencyTest",
    "Device=0 CAN Access Peer Device=1\nDevice=1 CAN Access Peer Device=0\n\n"
    "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1 \n     0 803.32  22.02 \n     1  21.95 810.26 \n"
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1 \n     0 805.10   2.07 \n     1   2.11 812.40 \n",
    p2p__driver_reports=True,
    **{"symptom.p2p-slower-than-staged": True},
)
shape(
    "what works elsewhere is not this machine",
    "vLLM 0.8.5 with TP=4 works on 4x A100 but hangs on 4x RTX 4090\n",
    vllm__version="0.8.5",
    gpu__model="RTX 4090",
    gpu__count=4,
    gpu__vendor="nvidia",
    parallel__tensor=4,
)


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name):
    text, expected = SHAPES[name]
    found = facts(text)
    derived = {key: value for key, value in found.items() if key not in expected}
    assert {key: found.get(key) for key in expected} == expected
    assert not [key for key in derived if not key.startswith(("symptom.", "launcher", "runtime"))]


ADVICE = (
    "You could try:\nexport NCCL_P2P_DISABLE=1\n",
    "please set NCCL_P2P_DISABLE=1 and report back\n",
    "As a workaround add this to your script:\n\n```\nexport NCCL_IB_DISABLE=1\nexport NCCL_P2P_DISABLE=1\n```\n",
    "#export NCCL_P2P_DISABLE=1\n",
    "# NCCL_P2P_DISABLE=1\n",
    "可以尝试设置：\nexport NCCL_P2P_DISABLE=1\n",
    "NCCL_P2P_DISABLE=1 should fix it\n",
    "What does NCCL_P2P_DISABLE=1 do?\n",
    "os.environ['NCCL_P2P_DISABLE'] = '1'  # try this\n",
)


@pytest.mark.parametrize("text", ADVICE)
def test_an_assignment_in_advice_is_no_fact(text):
    assert not [name for name in facts(text) if name.startswith("env.")]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("export RAY_AUTH_TOKEN=abcdef0123456789", "[hidden]"),
        ("export HTTPS_PROXY=http://me:secret1@proxy:3128", "http://[hidden]@proxy:3128"),
    ],
)
def test_secrets_are_not_kept(line, kept):
    from gpudoctor.probes import read_report

    found = [fact for fact in read_report(line) if fact.name.startswith("env.")]
    assert [fact.value for fact in found] == [kept]
    assert not any("abcdef" in fact.origin.text or "secret1" in fact.origin.text for fact in found)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("tokens: 4096, max_tokens=2048, token=131072", "tokens: 4096, max_tokens=2048, token=131072"),
        ("LLM engine tokenizer='meta/llama-2-7b'", "LLM engine tokenizer='meta/llama-2-7b'"),
        ("api_key=sk-abcdef123456 rest", "api_key=[hidden] rest"),
        (
            "Authorization token: ab12cd34ef56",
            "Authorization token: ab12cd34ef56".replace("ab12cd34ef56", "[hidden]"),
        ),
        ("password='hunter22', user=me", "password='[hidden]', user=me"),
        (
            "InvalidAuthToken: Authentication token is missing",
            "InvalidAuthToken: Authentication token is missing",
        ),
        ("git clone https://me:tok@host/x", "git clone https://[hidden]@host/x"),
        ("unexpected token: identifier", "unexpected token: identifier"),
    ],
)
def test_secrets_are_told_from_words(text, kept):
    from gpudoctor.engine.redaction import redact

    assert redact(text) == kept
