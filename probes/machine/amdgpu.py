"""AMD GPUs as the kernel shows them: kfd topology, drm devices, RAS counters, and who may open them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .pci import gpus
from .pciids import AMD
from .world import ABSENT, REFUSED, Unreadable, World

NODES = "/sys/class/kfd/kfd/topology/nodes"
_DRM = "/sys/class/drm"
_PCIE, _XGMI = "2", "11"
KFD = "/dev/kfd"
_ROCM = ("/opt/rocm/.info/version", "/opt/rocm/.info/version-dev", "/opt/rocm/core/.info/version")


def target(version: int) -> str:
    """``90402`` as ``gfx942``: two decimal digits each for major, minor and step, the last two in hexadecimal."""
    return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"


def _properties(text: str) -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in text.split("\n") if len(line.split(maxsplit=1)) == 2)


def gpu_nodes(world: World) -> list[tuple[str, dict[str, str]]]:
    """The kfd nodes that are GPUs; those that a container may not see cannot be read."""
    found = []
    for path in sorted(world.glob(f"{NODES}/*"), key=lambda p: int(p.rpartition("/")[2] or 0)):
        if world.text(f"{path}/gpu_id", "0") not in ("", "0"):
            properties = _properties(world.text(f"{path}/properties"))
            if properties:
                found.append((path, properties))
    return found


def probe(world: World) -> Iterator[Finding]:
    """Architectures, XGMI, RAS errors, whose kernel module it is, ROCm."""
    present = [device for device in gpus(world) if device.vendor == AMD]
    nodes = gpu_nodes(world)
    if present:
        base = "/sys/module/amdgpu"
        if world.is_folder(base):
            theirs = world.exists(f"{base}/version")
            text = world.text(f"{base}/version") if theirs else "no version file: the kernel's own module"
            yield Known("module.amdgpu_dkms", theirs, f"{base}/version", text)
        elif world.is_folder("/sys/module"):
            text = f"{len(present)} AMD GPUs on the PCI bus, /sys/module/amdgpu is not there"
            yield Known("symptom.amdgpu-module-not-loaded", True, "/sys/module", text)
    if nodes:
        yield from _targets(nodes)
        yield from _links(world, nodes)
    yield from _ras(world)
    yield from _rocm(world)


def _targets(nodes: list[tuple[str, dict[str, str]]]) -> Iterator[Finding]:
    named = {
        path: target(int(p["gfx_target_version"]))
        for path, p in nodes
        if p.get("gfx_target_version", "").isdecimal()
    }
    # Integrated graphics have no memory of their own behind a BAR: kfd calls them by their CPU cores.
    inside = [
        path for path, p in nodes if int(p.get("cpu_cores_count", "0") or 0) > 0 or path in _small(nodes)
    ]
    discrete = {path: name for path, name in named.items() if path not in inside}
    for path, name in list(discrete.items())[:1]:
        yield Known("gpu.arch", name, f"{path}/properties", "gfx_target_version")
    if inside and discrete:
        names = ", ".join(named.get(path, "?") for path in inside)
        yield Known(
            "igpu.present", True, NODES, f"{names} beside {', '.join(sorted(set(discrete.values())))}"
        )
    if discrete:
        kinds = sorted(set(discrete.values()))
        yield Known("gpu.arch_mixed", len(kinds) > 1, NODES, ", ".join(kinds))


def _small(nodes: list[tuple[str, dict[str, str]]]) -> set[str]:
    """Nodes with a handful of compute units beside nodes with many: the graphics of a desktop processor."""
    units = {path: int(p.get("simd_count", "0") or 0) for path, p in nodes}
    return {path for path, count in units.items() if 0 < count <= 8 and max(units.values()) >= 64}


def _links(world: World, nodes: list[tuple[str, dict[str, str]]]) -> Iterator[Finding]:
    """XGMI if every pair of GPUs has it; PCIe as soon as one pair lacks it."""
    numbers = {path.rpartition("/")[2] for path, _ in nodes}
    if len(numbers) < 2:
        return
    direct: set[tuple[str, str]] = set()
    seen = False
    for path, _ in nodes:
        for link in world.glob(f"{path}/io_links/*/properties") + world.glob(
            f"{path}/p2p_links/*/properties"
        ):
            properties = _properties(world.text(link))
            seen = True
            if properties.get("type") == _XGMI and properties.get("node_to") in numbers:
                direct.add((path.rpartition("/")[2], properties["node_to"]))
    if not seen:
        yield Unknown("topology.link", "kfd shows no links between the GPUs", NODES)
    elif len(direct) == len(numbers) * (len(numbers) - 1):
        yield Known(
            "topology.link", "xgmi", f"{NODES}/*/io_links", f"{len(numbers)} GPUs, all links of type 11"
        )
        yield Known("topology.pcie_only", False, f"{NODES}/*/io_links", "XGMI between every two GPUs")
    else:
        yield Known("topology.pcie_only", True, f"{NODES}/*/io_links", "two GPUs without an XGMI link")


def _ras(world: World) -> Iterator[Finding]:
    total, place = 0, ""
    for path in world.glob(f"{_DRM}/card*/device/ras/*_err_count"):
        found = re.search(r"^ue: (\d+)", world.text(path), re.MULTILINE)
        if found:
            place = place or path
            if int(found[1]):
                total, place = total + int(found[1]), path
    if place:
        yield Known("gpu.ecc_uncorrected", total, place, f"ue: {total}")


def _rocm(world: World) -> Iterator[Finding]:
    paths = [*_ROCM, *sorted(world.glob("/opt/rocm-*/.info/version"), reverse=True)]
    for path in paths:
        found = re.match(r"\d+\.\d+(?:\.\d+)?(?:-\w+)?", world.text(path))
        if found:
            yield Known("rocm.version", found[0], path, found[0])
            return


def probe_access(world: World) -> Iterator[Finding]:
    """Whether this user may open the AMD compute device and the render nodes."""
    try:
        present = [device for device in gpus(world) if device.vendor == AMD]
    except Unreadable:
        present = []
    if not present and not world.exists(KFD):
        return
    said = world.access(KFD)
    if said == ABSENT:
        text = f"{len(present)} AMD GPUs on the PCI bus, no {KFD}"
        yield Known("symptom.kfd-missing", True, KFD, text)
        yield Known("device.kfd_access", False, KFD, text)
        return
    yield Known("symptom.kfd-missing", False, KFD, f"{KFD} is there")
    if said == REFUSED:
        yield Known("symptom.kfd-permission-denied", True, KFD, f"this user may not read and write {KFD}")
        yield Known("device.kfd_access", False, KFD, "refused")
        return
    nodes = world.glob("/dev/dri/renderD*")
    denied = [path for path in nodes if world.access(path) == REFUSED]
    if denied or not nodes:
        text = f"{denied[0]} is refused" if denied else "no render nodes below /dev/dri"
        yield Known("device.kfd_access", False, "/dev/dri", text)
    else:
        yield Known("device.kfd_access", True, KFD, f"{KFD} and {len(nodes)} render nodes may be opened")
