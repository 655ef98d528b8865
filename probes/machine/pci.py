"""The PCI bus: which GPUs, NVSwitches and network cards there are, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpudoctor.engine.tuples import NamedTuple

from ...engine.vendors import by_pci
from .finding import Finding, Known, Unknown
from .pciids import (
    AMD,
    HAS_NO_NVLINK,
    IS_DISPLAY,
    MODELS,
    NETWORK_CLASSES,
    NVIDIA,
    SWITCH_CLASS,
)
from .world import Unreadable, World

DEVICES = "/sys/bus/pci/devices"
_ADDRESS = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\Z")
_ORDER = ("sys", "node", "phb", "pxb", "pix")


class Device(NamedTuple):
    """A PCI device; ``path`` are the addresses from the root complex down to it."""

    address: str
    vendor: str
    device: str
    kind: str
    path: tuple[str, ...]
    node: int

    @property
    def integrated(self) -> bool:
        """Whether this GPU is a part of the processor."""
        maker = by_pci(self.vendor)
        if maker is None:
            return False
        return self.device in maker.inside or bool(maker.inside_bus and self.address[5:7] == maker.inside_bus)

    @property
    def bridges(self) -> tuple[str, ...]:
        """The addresses of the bridges above it, the nearest last."""
        return tuple(part for part in self.path[:-1] if _ADDRESS.match(part))


def devices(world: World) -> list[Device]:
    """Every PCI device that can be read, in bus order. Raises Unreadable if the bus itself cannot be."""
    return [found for name in world.names(DEVICES) if (found := _device(world, name))]


def _device(world: World, name: str) -> Device | None:
    base = f"{DEVICES}/{name}"
    try:
        vendor, device, kind = (world.read(f"{base}/{part}")[2:] for part in ("vendor", "device", "class"))
    except Unreadable:
        return None
    path = world.real(base)
    node = world.text(f"{base}/numa_node", "-1")
    parts = tuple(part for part in path.split("/") if _ADDRESS.match(part) or part.startswith("pci"))
    return Device(
        name, vendor, device, kind[:4], parts or (name,), int(node) if node.lstrip("-").isdecimal() else -1
    )


def is_gpu(device: Device) -> bool:
    """Whether this is a GPU on which somebody could compute; the graphics of a processor are none."""
    return by_pci(device.vendor) is not None and device.kind in IS_DISPLAY and not device.integrated


def gpus(world: World) -> list[Device]:
    """The discrete GPUs. Raises Unreadable."""
    return [device for device in devices(world) if is_gpu(device)]


def probe(world: World) -> Iterator[Finding]:
    """Vendor, number and model of the GPUs; none is a finding as well."""
    if not world.is_folder("/sys/bus"):
        yield Unknown("gpu.count", "sysfs is not mounted here", DEVICES)
        return
    present = devices(world)
    found = [device for device in present if is_gpu(device)]
    if not found:
        yield from _nothing(world, bool(present))
    else:
        yield from _found(found)
    inside = [device for device in present if device.kind in IS_DISPLAY and device.integrated]
    compute = [device for device in inside if device.vendor == AMD]
    if any(device.vendor == AMD for device in found):
        text = _listed(compute) if compute else "no AMD graphics inside the processor"
        yield Known("igpu.present", bool(compute), DEVICES, text)
    switches = [d for d in present if d.vendor == NVIDIA and d.kind == SWITCH_CLASS]
    if any(device.vendor == NVIDIA for device in found):
        text = _listed(switches) if switches else "no bridge of class 0680 made by NVIDIA"
        yield Known("nvswitch.visible", bool(switches), DEVICES, text)
    if switches:
        yield Known("gpu.nvswitch_class", True, DEVICES, _listed(switches))


def _found(found: list[Device]) -> Iterator[Finding]:
    # A card for the display beside eight accelerators does not make the machine a mixed one.
    vendors = [device.vendor for device in found]
    vendor = max(dict.fromkeys(vendors), key=vendors.count)
    mine = [device for device in found if device.vendor == vendor]
    maker = by_pci(vendor)
    assert maker
    yield Known("gpu.vendor", maker.name, DEVICES, _listed(mine))
    yield Known("gpu.count", len(mine), DEVICES, _listed(mine))
    models = dict.fromkeys(MODELS.get((d.vendor, d.device), "") for d in mine)
    named = [model for model in models if model]
    if named:
        yield Known("gpu.model", named[0], DEVICES, f"{vendor}:{mine[0].device}")


def _nothing(world: World, bus: bool) -> Iterator[Finding]:
    """No GPU on the bus; WSL and systems on a chip have theirs elsewhere, there the driver is asked."""
    elsewhere = [
        path for path in ("/dev/dxg", "/proc/driver/nvidia/gpus", "/dev/nvhost-gpu") if world.exists(path)
    ]
    if elsewhere:
        yield Unknown("gpu.count", f"no GPU on the PCI bus, but there is {elsewhere[0]}", DEVICES)
        return
    text = "no device of a display or accelerator class" if bus else "no PCI device at all"
    yield Known("gpu.count", 0, DEVICES, text)
    yield Known("gpu.vendor", "none", DEVICES, text)


def _listed(found: list[Device]) -> str:
    shown = ", ".join(f"{d.address} {d.vendor}:{d.device}" for d in found[:8])
    return f"{shown} and {len(found) - 8} more" if len(found) > 8 else shown


def between(one: Device, other: Device) -> str:
    """What stands between two devices, in the words of ``nvidia-smi topo -m``."""
    shared = 0
    for first, second in zip(one.path, other.path, strict=False):
        if first != second:
            break
        shared += 1
    if shared == 0:
        return "node" if one.node == other.node >= 0 else "sys"
    if shared == 1 and not _ADDRESS.match(one.path[0]):
        return "phb"  # only the host bridge is common
    steps = max(len(one.path), len(other.path)) - shared
    return "pix" if steps <= 2 else "pxb"


def probe_topology(world: World) -> Iterator[Finding]:
    """The way from each GPU to its nearest network card, and between GPUs that have nothing but PCIe."""
    present = devices(world)
    found = [device for device in present if is_gpu(device)]
    cards = _cards(world, present)
    if found and cards:
        nearest = [max((between(g, c) for c in cards), key=_ORDER.index) for g in found]
        worst = min(nearest, key=_ORDER.index)
        place = found[nearest.index(worst)].address
        yield Known("topology.nic_link", worst, DEVICES, f"{place} to the nearest of {_listed(cards)}")
    if len(found) < 2:
        return
    models = [MODELS.get((d.vendor, d.device), "") for d in found]
    if all(HAS_NO_NVLINK.search(model) for model in models):
        pairs = [(between(a, b), a, b) for i, a in enumerate(found) for b in found[i + 1 :]]
        link, one, other = min(pairs, key=lambda pair: _ORDER.index(pair[0]))
        yield Known("topology.link", link, DEVICES, f"{one.address} and {other.address}")


def _cards(world: World, present: list[Device]) -> list[Device]:
    """RDMA devices if there are some, else no NIC counts: GPUs talk to a plain network card through the CPU."""
    rdma = {world.real(path).rpartition("/")[2] for path in world.glob("/sys/class/infiniband/*/device")}
    return [d for d in present if d.address in rdma and d.kind in NETWORK_CLASSES]
