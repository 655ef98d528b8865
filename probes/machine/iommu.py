"""The IOMMU as it is now for the GPUs' own groups; the kernel command line is only what was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .host import hypervisor
from .pci import DEVICES, gpus
from .world import Unreadable, World

_MODES = {"identity": "passthrough", "DMA": "translated", "DMA-FQ": "translated"}


def probe(world: World) -> Iterator[Finding]:
    """Mode of the first GPU's group, a translated one first; no groups and no IOMMU is off."""
    found = gpus(world)
    seen: dict[str, str] = {}
    refused = ""
    for gpu in found:
        link = f"{DEVICES}/{gpu.address}/iommu_group"
        if not world.exists(link):
            continue
        path = f"/sys/kernel/iommu_groups/{world.real(link).rpartition('/')[2]}/type"
        try:
            kind = world.read(path)
        except Unreadable as error:
            refused = str(error)
            continue
        if kind in _MODES:
            seen.setdefault(_MODES[kind], f"{path}: {kind}")
    for mode in ("translated", "passthrough"):
        if mode in seen:
            yield Known("iommu.mode", mode, *seen[mode].split(": ", 1))
            break
    else:
        if refused:
            yield Unknown("iommu.mode", refused, "/sys/kernel/iommu_groups")
        elif found:
            yield from _without_groups(world)
    config = f"/boot/config-{world.text('/proc/sys/kernel/osrelease')}"
    try:
        text = world.read(config, 1 << 20)
    except Unreadable:
        return
    option = "CONFIG_IOMMU_DEFAULT_PASSTHROUGH=y"
    yield Known("iommu.default_passthrough", option in text.split("\n"), config, option)


def _without_groups(world: World) -> Iterator[Finding]:
    try:
        units = world.names("/sys/class/iommu") or world.names("/sys/kernel/iommu_groups")
    except Unreadable as error:
        yield Unknown("iommu.mode", str(error), "/sys/class/iommu")
        return
    if units:
        yield Unknown(
            "iommu.mode", "the GPUs belong to no group, although there is an IOMMU", "/sys/class/iommu"
        )
    elif hypervisor(world):
        yield Unknown("iommu.mode", "a virtual machine does not see the host's IOMMU", "/sys/class/iommu")
    elif world.is_folder("/sys/class"):
        yield Known("iommu.mode", "off", "/sys/class/iommu", "no IOMMU and no groups")
