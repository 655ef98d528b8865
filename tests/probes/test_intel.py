"""What tools and people say of Intel GPUs."""

import pytest

from gpudoctor.engine import Session, vendors
from gpudoctor.probes.machine.environment import allowed
from gpudoctor.probes.machine.pciids import MODELS
from gpudoctor.probes.parsers.mentions import maker_of

from .recognized import read_report

ROW = "| {0}         | Device Name: {1:<73}|\n|           | Vendor Name: Intel(R) Corporation |\n"
TILES = """         GPU 0/0  GPU 0/1  GPU 1/0  GPU 1/1  CPU Affinity
GPU 0/0  S        MDF      XL16     XL16     0-55,112-167
GPU 0/1  MDF      S        XL16     XL16     0-55,112-167
GPU 1/0  XL16     XL16     S        MDF      56-111,168-223
GPU 1/1  XL16     XL16     MDF      S        56-111,168-223
"""
EIGHT = "         " + "  ".join(f"GPU {n}/0" for n in range(8)) + "  CPU Affinity\n"
EIGHT += "".join(
    f"GPU {a}/0  "
    + "  ".join("S" if a == b else "NODE" if a // 4 == b // 4 else "SYS" for b in range(8))
    + f"  {'0-127,256-383' if a < 4 else '128-255,384-511'}\n"
    for a in range(8)
)
SYCL = """[opencl:cpu][opencl:0] Intel(R) OpenCL, 12th Gen Intel(R) Core(TM) i9-12900 OpenCL 3.0 (Build 0)
[opencl:gpu][opencl:1] Intel(R) OpenCL Graphics, Intel(R) Arc(TM) A770 Graphics OpenCL 3.0 NEO  [25.05.32567.17]
[opencl:gpu][opencl:2] Intel(R) OpenCL Graphics, Intel(R) Arc(TM) A770 Graphics OpenCL 3.0 NEO  [25.05.32567.17]
[level_zero:gpu][level_zero:0] Intel(R) oneAPI Unified Runtime over Level-Zero, Intel(R) Arc(TM) A770 Graphics 12.55.8
[level_zero:gpu][level_zero:1] Intel(R) oneAPI Unified Runtime over Level-Zero, Intel(R) Arc(TM) A770 Graphics 12.55.8
[level_zero:gpu][level_zero:2] Intel(R) oneAPI Unified Runtime over Level-Zero, Intel(R) UHD Graphics 770 12.2.0
"""


@pytest.fixture
def read(knowledge):
    """A function from a text to the values of some facts."""

    def values(text, *facts):
        session = Session(knowledge)
        for fact in read_report(text):
            session.add(fact)
        assert not [f.name for f in session.facts() if f.conflicts]
        return {fact: session.value(fact) for fact in facts}

    return values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "".join(ROW.format(n, "Intel(R) Arc(TM) Pro B60 Graphics") for n in range(4)),
            {"gpu.vendor": "intel", "gpu.count": 4, "gpu.model": "Intel(R) Arc(TM) Pro B60 Graphics"},
        ),
        (TILES, {"gpu.vendor": "intel", "gpu.count": 2, "topology.link": "xelink"}),
        (EIGHT, {"gpu.vendor": "intel", "gpu.count": 8, "topology.link": "sys"}),
        (
            SYCL,
            {
                "gpu.vendor": "intel",
                "gpu.count": 2,
                "gpu.model": "Intel(R) Arc(TM) A770 Graphics",
                "igpu.present": True,
            },
        ),
        (
            "PyTorch version              : 2.11.0+xpu\nIs XPU available             : True\n"
            "Intel GPU models             :\nGPU 0: Intel(R) Arc(TM) Pro B60 Graphics\n"
            "GPU 1: Intel(R) Arc(TM) Pro B60 Graphics\n",
            {"gpu.vendor": "intel", "gpu.count": 2, "torch.gpu_available": True, "torch.build": "xpu"},
        ),
        (
            "  Device Name                                     Intel(R) Arc(TM) B580 Graphics\n",
            {"gpu.vendor": "intel", "gpu.model": "Intel(R) Arc(TM) B580 Graphics"},
        ),
        (
            "export ZE_AFFINITY_MASK=0,1\nexport CCL_TOPO_P2P_ACCESS=0\n",
            {"env.ZE_AFFINITY_MASK": "0,1", "env.CCL_TOPO_P2P_ACCESS": "0"},
        ),
    ],
)
def test_what_tools_print(read, text, expected):
    assert read(text, *expected) == expected


@pytest.mark.parametrize(
    ("text", "vendor", "model", "count"),
    [
        ("2x4090, hangs", "nvidia", "RTX 4090", 2),
        ("we have two 4090 cards and it hangs", "nvidia", "RTX 4090", 2),
        ("two 5090s hang", "nvidia", "RTX 5090", 2),
        ("our mi300x node hangs", "amd", "mi300x", None),
        ("8 H200 in one box", "nvidia", "H200", 8),
        ("a node with 8x h100", "nvidia", "h100", 8),
        ("vLLM on 4x Arc B60", "intel", "Arc B60", 4),
        ("dual b580 desktop", "intel", "Arc b580", 2),
        ("an RTX PRO 6000 machine", "nvidia", "RTX PRO 6000", None),
        ("Radeon RX 7900 XTX", "amd", "Radeon RX 7900 XTX", None),
        ("four Max 1550", "intel", "Max 1550", 4),
        ("2张 4090 卡住", "nvidia", "RTX 4090", 2),
    ],
)
def test_models_and_counts_as_people_write_them(read, text, vendor, model, count):
    expected = {"gpu.vendor": vendor, "gpu.model": model, "gpu.count": count}
    assert read(text, *expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "rank 4 H100 is late",
        "CUDA 12 H100",
        "gpu 2 4090",
        "level l4 of the tree",
        "port 4090 is closed",
        "step 5090",
    ],
)
def test_numbers_that_count_nothing(read, text):
    assert read(text, "gpu.count") == {"gpu.count": None}


def test_every_vendor_is_told_by_its_own_record():
    for vendor in vendors.VENDORS:
        names = [name for (pci, _), name in MODELS.items() if pci == vendor.pci]
        assert names
        assert {maker_of(name) for name in names} <= {vendor.name, ""}
        assert all(allowed(f"{p}X" if p.endswith("_") else p) for p in vendor.prefixes)
        assert vendors.by_name(vendor.name) is vendors.by_pci(vendor.pci) is vendor
    assert not allowed("SECRETS_OF_MINE")
