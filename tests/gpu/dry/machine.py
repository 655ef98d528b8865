"""A machine that pretends to have NVIDIA GPUs: the vendor's tools, NVML, a CUDA library, a torch, a tree of /sys."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.machines.build import build

HERE = Path(__file__).resolve().parent
NVML = HERE.parents[1] / "probes" / "nvmlstub.c"
DRIVER, MODEL, MEMORY, BAR = "550.54.15", "NVIDIA GeForce RTX 4090", 24564, 32768
SERIAL = "1650522003820"


class NoCompiler(Exception):
    """There is no C compiler here, without which no library can be pretended."""


def make(folder: Path, gpus: int = 2, **lies: str) -> dict[str, str]:
    """Build it in a folder; the environment in which it is there. ``lies`` are variables."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib").mkdir()
    _library(NVML, folder / "lib" / "libnvidia-ml.so.1")
    _library(HERE / "cudart.c", folder / "lib" / "libcudart.so.12")
    answers(folder, gpus)
    _tool(folder, "nvidia-smi", _SMI)
    _tool(folder, "lspci", 'cat "$FOLDER/lspci"')
    for tool in ("py-spy", "unshare"):
        found = shutil.which(tool) or shutil.which(tool, path=os.path.dirname(sys.executable))
        if found:
            (folder / "bin" / tool).symlink_to(os.path.realpath(found))
    build(_tree(gpus), folder / "tree")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NCCL_", "TORCH_", "CUDA_", "FAKE_", "PRETEND_", "GPUDOCTOR_"))
    }
    return {
        **kept,
        "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
        "LD_LIBRARY_PATH": str(folder / "lib"),
        "PYTHONPATH": str(HERE / "torchlike"),
        "NVML_STUB_GPUS": str(gpus),
        "FAKE_GPUS": str(gpus),
        "PRETEND_TREE": str(folder / "tree"),
        **lies,
    }


def make_amd(folder: Path, **lies: str) -> dict[str, str]:
    """A machine with two AMD GPUs and no torch."""
    (folder / "bin").mkdir(parents=True)
    _tool(folder, "amd-smi", _AMD_SMI)
    _tool(folder, "rocminfo", 'cat "$FOLDER/rocminfo"')
    _tool(folder, "lspci", 'cat "$FOLDER/lspci"')
    asic = {"market_name": "AMD Instinct MI300X", "target_graphics_version": "gfx942"}
    vram = {"type": "HBM3", "size": {"value": 196592, "unit": "MB"}}
    (folder / "static").write_text(json.dumps([{"gpu": n, "asic": asic, "vram": vram} for n in range(2)]))
    driver = {"name": "amdgpu", "version": "6.10.5"}
    (folder / "driver").write_text(json.dumps([{"gpu": n, "driver": driver} for n in range(2)]))
    agents = ("  Name:                    AMD EPYC 9654\n  Device Type:             CPU\n",) + (
        "  Name:                    gfx942\n  Device Type:             GPU\n",
    ) * 2
    (folder / "rocminfo").write_text(
        "".join(f"*******\nAgent {n}\n*******\n{text}" for n, text in enumerate(agents, 1))
    )
    (folder / "lspci").write_text(
        "".join(
            f"0000:{n}1:00.0 Processing accelerators [1200]: Advanced Micro Devices, Inc. [AMD/ATI] Aqua Vanjaram "
            "[Instinct MI300X] [1002:74a1]\n"
            for n in range(2)
        )
    )
    cards = [f"pci0000:{n}0/0000:{n}0:01.0/0000:{n}1:00.0 1002:74a1 1200 node={n}" for n in range(2)]
    version = "gfx_target_version 90402\nsimd_count 1216\ncpu_cores_count 0"
    nodes = "sys/class/kfd/kfd/topology/nodes"
    files = {
        f"{nodes}/{n + 1}/{name}": text
        for n in range(2)
        for name, text in (("gpu_id", n + 7), ("properties", version))
    }
    build({"pci": cards, "files": files}, folder / "tree")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PRETEND_", "GPUDOCTOR_", "NVML_"))
    }
    return {**kept, "PATH": f"{folder / 'bin'}:/usr/bin:/bin", "PRETEND_TREE": str(folder / "tree"), **lies}


_AMD_SMI = """case "$*" in
  "static --asic"*) cat "$FOLDER/static" ;;
  "static --driver"*) cat "$FOLDER/driver" ;;
  *) echo "argument not understood" >&2; exit 2 ;;
esac"""


def _library(source: Path, target: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompiler
    subprocess.run([compiler, "-O1", "-pthread", "-shared", "-fPIC", "-o", target, source], check=True)


def _tool(folder: Path, name: str, body: str) -> None:
    path = folder / "bin" / name
    path.write_text(f'#!/bin/sh\nFOLDER="{folder}"\n{body}\n')
    path.chmod(0o755)


_SMI = """case "$*" in
  -q) cat "$FOLDER/query" ;;
  -L) cat "$FOLDER/list" ;;
  "topo -m") cat "$FOLDER/topo" ;;
  "nvlink -s") cat "$FOLDER/nvlink" ;;
  *compute_mode*) cat "$FOLDER/settings"; [ -e "$FOLDER/changing" ] && echo "Prohibited" >> "$FOLDER/settings" ;;
  *utilization.gpu*memory.total*|*memory.used*) cat "$FOLDER/use" ;;
  *) echo "Invalid combination of input arguments." >&2; exit 2 ;;
esac
exit 0"""


def answers(folder: Path, gpus: int) -> None:
    """What the vendor's tools say of it."""
    cards = range(gpus)
    (folder / "query").write_text(_QUERY_HEAD.format(gpus=gpus) + "".join(map(_card, cards)))
    (folder / "list").write_text("".join(f"GPU {n}: {MODEL} (UUID: {_uuid(n)})\n" for n in cards))
    header = "\t" + "\t".join(f"GPU{n}" for n in cards) + "\tCPU Affinity\tNUMA Affinity\n"
    rows = (f"GPU{n}\t" + "\t".join(" X " if n == m else "NV4" for m in cards) + "\t0-15\t0\n" for n in cards)
    (folder / "topo").write_text(header + "".join(rows))
    links = "".join(f"\t Link {link}: 26.562 GB/s\n" for link in range(4))
    (folder / "nvlink").write_text("".join(f"GPU {n}: {MODEL} (UUID: {_uuid(n)})\n{links}" for n in cards))
    (folder / "settings").write_text("Disabled, Default, [N/A], Enabled, 450.00 W, [N/A], [N/A]\n" * gpus)
    (folder / "use").write_text("".join(f"{n}, {_uuid(n)}, 12, 0\n" for n in cards))
    lines = (
        f"0000:{0x11 + n:02x}:00.0 VGA compatible controller [0300]: NVIDIA Corporation AD102 [GeForce RTX 4090] "
        "[10de:2684] (rev a1)\n"
        for n in cards
    )
    (folder / "lspci").write_text(
        "0000:00:00.0 Host bridge [0600]: Intel Corporation Device [8086:0d57]\n" + "".join(lines)
    )


def _uuid(number: int) -> str:
    return f"GPU-0000000{number + 1}-aaaa-bbbb-cccc-dddddddddddd"


_QUERY_HEAD = f"""
==============NVSMI LOG==============

Timestamp                                 : Sun Nov 22 10:00:00 2026
Driver Version                            : {DRIVER}
CUDA Version                              : 12.4

Attached GPUs                             : {{gpus}}
"""


def _card(number: int) -> str:
    return f"""GPU 00000000:{0x11 + number:02X}:00.0
    Product Name                          : {MODEL}
    Product Brand                         : GeForce
    Display Mode                          : Enabled
    Display Active                        : {"Enabled" if number == 0 else "Disabled"}
    MIG Mode
        Current                           : N/A
        Pending                           : N/A
    Serial Number                         : {SERIAL}
    GPU UUID                              : {_uuid(number)}
    PCI
        Bus                               : 0x{0x11 + number:02X}
        GPU Link Info
            PCIe Generation
                Max                       : 4
                Current                   : 1
            Link Width
                Max                       : 16x
                Current                   : 16x
    FB Memory Usage
        Total                             : {MEMORY} MiB
        Reserved                          : 346 MiB
        Used                              : 12 MiB
        Free                              : 24205 MiB
    BAR1 Memory Usage
        Total                             : {BAR} MiB
        Used                              : 1 MiB
    Compute Mode                          : Default
    ECC Mode
        Current                           : Enabled
        Pending                           : Enabled
    ECC Errors
        Volatile
            SRAM Correctable              : 0
            SRAM Uncorrectable            : 0
            DRAM Correctable              : 2
            DRAM Uncorrectable            : 0
        Aggregate
            SRAM Correctable              : 0
            SRAM Uncorrectable            : 0
            DRAM Correctable              : 2
            DRAM Uncorrectable            : 0
    Remapped Rows
        Correctable Error                 : 0
        Uncorrectable Error               : 0
        Pending                           : No
        Remapping Failure Occurred        : No
    Clocks
        Graphics                          : 210 MHz
        SM                                : 210 MHz
        Memory                            : 405 MHz
    Max Clocks
        Graphics                          : 3105 MHz
        SM                                : 3105 MHz
        Memory                            : 10501 MHz
        Video                             : 2415 MHz
    Processes                             : None

"""


def _tree(gpus: int) -> dict[str, object]:
    cards = [
        f"pci0000:00/0000:00:0{n + 1}.0/0000:{0x11 + n:02x}:00.0 10de:2684 0300 node=0" for n in range(gpus)
    ]
    return {
        "pci": cards,
        "files": {
            "dev/nvidia0": "",
            "proc/driver/nvidia/version": f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {DRIVER}  "
            "Tue Mar  5 22:23:56 UTC 2024",
        },
    }
