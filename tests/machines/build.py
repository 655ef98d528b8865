"""Builds the tree of a machine from a short description, since Git keeps neither sysfs links nor odd permissions.

``python -m tests.machines.build NAME DIR`` makes one to look at; ``gpudoctor --root DIR`` diagnoses it.

A description (``NAME.yaml``) has ``pci`` (lines ``PATH VENDOR:DEVICE CLASS [node=N] [group=N:TYPE] [acs=HEX|none]``;
without ``acs`` only 64 bytes of the configuration space can be read, as without root), ``links``, ``files``,
``folders``, ``access``, ``disk``, ``system``, ``environ``, ``commands``, ``kernel_log``; and for the tests ``facts``
that a person would add, and what to ``expect``.
"""

import json
import struct
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.yaml"))


def describe(name):
    """The description of a machine, as it stands in its file."""
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def build(description, root):
    """Write the tree of a machine below ``root``."""
    for line in description.get("pci", ()):
        _device(root, line)
    for path, text in description.get("files", {}).items():
        _write(root, path, text)
    for path in description.get("folders", ()):
        (root / path).mkdir(parents=True, exist_ok=True)
    for path, target in description.get("links", {}).items():
        _link(root, path, target)
    for name, said in description.get("commands", {}).items():
        answer = {"status": 0, "stdout": "", "stderr": "", "state": "done", "detail": "", **said}
        _write(root, f".gpudoctor/commands/{name}.json", json.dumps(answer))
    system = {key: description.get(key, {}) for key in ("access", "disk")}
    system |= {"machine": "x86_64", "hostname": "node1", **description.get("system", {})}
    _write(root, ".gpudoctor/system.json", json.dumps(system))
    _write(root, ".gpudoctor/environ", "\n".join(description.get("environ", ())))
    if "kernel_log" in description:
        _write(root, ".gpudoctor/kernel.log", description["kernel_log"])
    return root


def config_space(acs):
    """4096 bytes with one other extended capability before that of ACS, or without it."""
    config = bytearray(4096)
    after = 0x150 if acs is not None else 0
    struct.pack_into("<I", config, 0x100, after << 20 | 1 << 16 | 0x0001)  # advanced error reporting
    if acs is not None:
        struct.pack_into("<IHH", config, 0x150, 1 << 16 | 0x000D, 0x00FF, acs)
    return bytes(config)


def _device(root, line):
    path, ids, kind, *options = line.split()
    given = dict(option.split("=") for option in options)
    vendor, device = ids.split(":")
    folder = root / "sys/devices" / path
    address = folder.name
    for name, text in (("vendor", f"0x{vendor}"), ("device", f"0x{device}"), ("class", f"0x{kind}00")):
        _write(root, folder.relative_to(root) / name, text)
    _write(root, folder.relative_to(root) / "numa_node", given.get("node", "-1"))
    acs = given.get("acs")
    space = bytes(64) if acs is None else config_space(None if acs == "none" else int(acs, 16))
    (folder / "config").write_bytes(space)
    _link(root, f"sys/bus/pci/devices/{address}", f"/sys/devices/{path}")
    if "group" in given:
        number, mode = given["group"].split(":")
        _write(root, f"sys/kernel/iommu_groups/{number}/type", mode)
        _link(root, folder.relative_to(root) / "iommu_group", f"/sys/kernel/iommu_groups/{number}")


def _write(root, path, text):
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(str(text) if str(text).endswith("\n") else f"{text}\n", encoding="utf-8")


def _link(root, path, target):
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


if __name__ == "__main__":
    build(describe(sys.argv[1]), Path(sys.argv[2]))
