"""GPUs and fabric chips by PCI id: only what is needed where no driver tells the name.

Data-center models and what the knowledge base tells apart; other cards get their name from the driver.
The ids are those of the public PCI ID repository (github.com/pciutils/pciids), the names those that drivers give.
"""

from __future__ import annotations

import re

from ...engine import vendors

NVIDIA, AMD, INTEL = vendors.NVIDIA.pci, vendors.AMD.pci, vendors.INTEL.pci

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
    (INTEL, "56a0"): "Intel(R) Arc(TM) A770 Graphics",
    (INTEL, "56a1"): "Intel(R) Arc(TM) A750 Graphics",
    (INTEL, "56a2"): "Intel(R) Arc(TM) A580 Graphics",
    (INTEL, "56a5"): "Intel(R) Arc(TM) A380 Graphics",
    (INTEL, "56a6"): "Intel(R) Arc(TM) A310 Graphics",
    (INTEL, "56b1"): "Intel(R) Arc(TM) Pro A40/A50 Graphics",
    (INTEL, "56b3"): "Intel(R) Arc(TM) Pro A60 Graphics",
    (INTEL, "56c0"): "Intel(R) Data Center GPU Flex 170",
    (INTEL, "56c1"): "Intel(R) Data Center GPU Flex 140",
    (INTEL, "e20b"): "Intel(R) Arc(TM) B580 Graphics",
    (INTEL, "e20c"): "Intel(R) Arc(TM) B570 Graphics",
    (INTEL, "e211"): "Intel(R) Arc(TM) Pro B60 Graphics",
    (INTEL, "e212"): "Intel(R) Arc(TM) Pro B50 Graphics",
    (INTEL, "e223"): "Intel(R) Arc(TM) Pro B70 Graphics",
    (INTEL, "0bd5"): "Intel(R) Data Center GPU Max 1550",
    (INTEL, "0bd6"): "Intel(R) Data Center GPU Max 1550",
    (INTEL, "0bd7"): "Intel(R) Data Center GPU Max 1350",
    (INTEL, "0bd8"): "Intel(R) Data Center GPU Max 1350",
    (INTEL, "0bd9"): "Intel(R) Data Center GPU Max 1100",
    (INTEL, "0bda"): "Intel(R) Data Center GPU Max 1100",
    (INTEL, "0bdb"): "Intel(R) Data Center GPU Max 1100",
}

IS_DISPLAY = ("0300", "0302", "0380", "1200")
"""PCI classes of GPUs: VGA, 3D, other display, processing accelerator."""
SWITCH_CLASS = "0680"
NETWORK_CLASSES = ("0200", "0207")
HAS_NO_NVLINK = re.compile(
    r"GeForce (?:RTX [45]0\d\d|GTX)|\b(?:Tesla T4|L4|L20|L40S?|A10G?|RTX 6000 Ada|RTX PRO \d+)\b|Arc\(TM\)|GPU Flex"
)
"""Models without any link of their own (NVLink, Xe Link): between these PCIe is the whole topology."""
