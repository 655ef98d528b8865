"""GPUs and fabric chips by PCI id: only what is needed where no driver tells the name.

Data-center models and what the knowledge base tells apart; other cards get their name from the driver.
The ids are those of the public PCI ID repository (github.com/pciutils/pciids), the names those that drivers give.
"""

from __future__ import annotations

import re

NVIDIA, AMD, INTEL = "10de", "1002", "8086"
VENDORS = {NVIDIA: "nvidia", AMD: "amd", INTEL: "intel"}

MODELS = {
    (NVIDIA, "15f8"): "Tesla P100-PCIE-16GB",
    (NVIDIA, "1db1"): "Tesla V100-SXM2-16GB",
    (NVIDIA, "1db4"): "Tesla V100-PCIE-16GB",
    (NVIDIA, "1db5"): "Tesla V100-SXM2-32GB",
    (NVIDIA, "1db6"): "Tesla V100-PCIE-32GB",
    (NVIDIA, "1eb8"): "Tesla T4",
    (NVIDIA, "20b0"): "NVIDIA A100-SXM4-40GB",
    (NVIDIA, "20b2"): "NVIDIA A100-SXM4-80GB",
    (NVIDIA, "20b5"): "NVIDIA A100 80GB PCIe",
    (NVIDIA, "20f1"): "NVIDIA A100-PCIE-40GB",
    (NVIDIA, "20f3"): "NVIDIA A800-SXM4-80GB",
    (NVIDIA, "2235"): "NVIDIA A40",
    (NVIDIA, "2236"): "NVIDIA A10",
    (NVIDIA, "2237"): "NVIDIA A10G",
    (NVIDIA, "2204"): "NVIDIA GeForce RTX 3090",
    (NVIDIA, "2230"): "NVIDIA RTX A6000",
    (NVIDIA, "2330"): "NVIDIA H100 80GB HBM3",
    (NVIDIA, "2331"): "NVIDIA H100 PCIe",
    (NVIDIA, "2321"): "NVIDIA H100 NVL",
    (NVIDIA, "2324"): "NVIDIA H800",
    (NVIDIA, "2329"): "NVIDIA H20",
    (NVIDIA, "2335"): "NVIDIA H200",
    (NVIDIA, "2342"): "NVIDIA GH200 480GB",
    (NVIDIA, "26b1"): "NVIDIA RTX 6000 Ada Generation",
    (NVIDIA, "26b5"): "NVIDIA L40",
    (NVIDIA, "26b9"): "NVIDIA L40S",
    (NVIDIA, "27b8"): "NVIDIA L4",
    (NVIDIA, "2684"): "NVIDIA GeForce RTX 4090",
    (NVIDIA, "2685"): "NVIDIA GeForce RTX 4090 D",
    (NVIDIA, "2704"): "NVIDIA GeForce RTX 4080",
    (NVIDIA, "2901"): "NVIDIA B200",
    (NVIDIA, "2b85"): "NVIDIA GeForce RTX 5090",
    (NVIDIA, "20b7"): "NVIDIA A30",
    (NVIDIA, "20b1"): "NVIDIA A100-PCIE-40GB",
    (NVIDIA, "20f5"): "NVIDIA A800 80GB PCIe",
    (NVIDIA, "20f6"): "NVIDIA A800 40GB PCIe",
    (NVIDIA, "20bd"): "NVIDIA A800-SXM4-40GB",
    (NVIDIA, "2203"): "NVIDIA GeForce RTX 3090 Ti",
    (NVIDIA, "2206"): "NVIDIA GeForce RTX 3080",
    (NVIDIA, "2322"): "NVIDIA H800 PCIe",
    (NVIDIA, "2328"): "NVIDIA H20B",
    (NVIDIA, "232c"): "NVIDIA H20",
    (NVIDIA, "2339"): "NVIDIA H100",
    (NVIDIA, "233b"): "NVIDIA H200 NVL",
    (NVIDIA, "2348"): "NVIDIA GH200 144G HBM3e",
    (NVIDIA, "26b7"): "NVIDIA L20",
    (NVIDIA, "26ba"): "NVIDIA L20",
    (NVIDIA, "2909"): "NVIDIA B200",
    (NVIDIA, "2941"): "NVIDIA GB200",
    (NVIDIA, "2b87"): "NVIDIA GeForce RTX 5090 D",
    (NVIDIA, "2c02"): "NVIDIA GeForce RTX 5080",
    (NVIDIA, "2c05"): "NVIDIA GeForce RTX 5070 Ti",
    (NVIDIA, "2bb1"): "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
    (NVIDIA, "2bb4"): "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
    (NVIDIA, "2bb5"): "NVIDIA RTX PRO 6000 Blackwell Server Edition",
    (NVIDIA, "2e12"): "NVIDIA GB10",
    (NVIDIA, "3182"): "NVIDIA B300 SXM6 AC",
    (NVIDIA, "31c2"): "NVIDIA GB300",
    (NVIDIA, "31c3"): "NVIDIA GB300",
    (AMD, "738c"): "AMD Instinct MI100",
    (AMD, "7408"): "AMD Instinct MI250X",
    (AMD, "740c"): "AMD Instinct MI250X",
    (AMD, "740f"): "AMD Instinct MI210",
    (AMD, "74a0"): "AMD Instinct MI300A",
    (AMD, "74a1"): "AMD Instinct MI300X",
    (AMD, "74a2"): "AMD Instinct MI308X",
    (AMD, "74a5"): "AMD Instinct MI325X",
    (AMD, "74a9"): "AMD Instinct MI300X HF",
    (AMD, "74bd"): "AMD Instinct MI300X HF",
    (AMD, "74b5"): "AMD Instinct MI300X VF",
    (AMD, "74b9"): "AMD Instinct MI325X VF",
    (AMD, "75a0"): "AMD Instinct MI350X",
    (AMD, "75a3"): "AMD Instinct MI355X",
    (AMD, "744c"): "AMD Radeon RX 7900 XT/7900 XTX",
    (AMD, "7448"): "AMD Radeon PRO W7900",
    (AMD, "7551"): "AMD Radeon AI PRO R9700",
    (AMD, "7550"): "AMD Radeon RX 9070/9070 XT",
    (AMD, "73bf"): "AMD Radeon RX 6800/6900 XT",
    (AMD, "738e"): "AMD Instinct MI100",
    (AMD, "744a"): "AMD Radeon PRO W7900 Dual Slot",
    (AMD, "745e"): "AMD Radeon PRO W7800",
    (AMD, "66a1"): "AMD Instinct MI50",
    (AMD, "75a8"): "AMD Instinct MI350P",
}

INTEGRATED = {
    (AMD, device)
    for device in (
        "15d8",
        "15dd",
        "1636",
        "1638",
        "164c",
        "1681",
        "15bf",
        "15c8",
        "1900",
        "1506",
        "164e",
        "13c0",
        "164d",
    )
} | {(AMD, "150e"), (AMD, "1586")}
"""GPUs inside AMD processors."""

IS_DISPLAY = ("0300", "0302", "0380", "1200")
"""PCI classes of GPUs: VGA, 3D, other display, processing accelerator."""
SWITCH_CLASS, BRIDGE_CLASS = "0680", "0604"
NETWORK_CLASSES = ("0200", "0207")
HAS_NO_NVLINK = re.compile(
    r"GeForce (?:RTX [45]0\d\d|GTX)|\b(?:Tesla T4|L4|L20|L40S?|A10G?|RTX 6000 Ada|RTX PRO \d+)\b"
)
"""Models without any NVLink: between these PCIe is the whole topology."""
