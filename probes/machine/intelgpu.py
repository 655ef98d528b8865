"""Intel GPUs as the kernel shows them: which driver has them, their memory, and who may open them."""

from __future__ import annotations

from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .pci import DEVICES, Device, gpus
from .pciids import INTEL
from .world import REFUSED, World

_MEMORY = ("lmem_total_bytes", "tile*/physical_vram_size_bytes", "device/tile*/physical_vram_size_bytes")
"""Below a card: i915 and xe show the size of the memory in some releases, most of them do not."""


def probe(world: World) -> Iterator[Finding]:
    """The kernel driver of each GPU, the memory of the smallest, and whether its render node may be opened."""
    present = [device for device in gpus(world) if device.vendor == INTEL]
    if not present:
        return
    yield from _drivers(world, present)
    yield from _memory(world, present)
    yield from _access(world, present)


def _drivers(world: World, present: list[Device]) -> Iterator[Finding]:
    drivers = {device.address: _driver(world, device) for device in present}
    without = [address for address, driver in drivers.items() if not driver]
    place = f"{DEVICES}/{(without or list(drivers))[0]}/driver"
    if without:
        text = f"{len(without)} of {len(present)} Intel GPUs have no kernel driver: {', '.join(without[:8])}"
        yield Known("gpu.kernel_driver", "none", place, text)
    else:
        text = ", ".join(f"{address} {driver}" for address, driver in list(drivers.items())[:8])
        yield Known("gpu.kernel_driver", next(iter(drivers.values())), place, text)


def _driver(world: World, device: Device) -> str:
    link = f"{DEVICES}/{device.address}/driver"
    return world.real(link).rpartition("/")[2] if world.exists(link) else ""


def _memory(world: World, present: list[Device]) -> Iterator[Finding]:
    sizes: list[tuple[int, str]] = []
    for device in present:
        for card in world.glob(f"{DEVICES}/{device.address}/drm/card*"):
            paths = [path for name in _MEMORY for path in world.glob(f"{card}/{name}")]
            numbers = [
                int(text, 0) for path in paths if (text := world.text(path)).removeprefix("0x").isalnum()
            ]
            if numbers:
                sizes.append((sum(numbers) >> 20, paths[0]))
    if sizes:
        size, path = min(sizes)
        yield Known("gpu.memory_mib", size, path, f"{size} MiB")


def _access(world: World, present: list[Device]) -> Iterator[Finding]:
    fact = "device.render_access"
    nodes = []
    for device in present:
        names = world.names(f"{DEVICES}/{device.address}/drm") if _has_drm(world, device) else []
        nodes += [f"/dev/dri/{name}" for name in names if name.startswith("renderD")]
    if not nodes:
        yield Unknown(fact, "the kernel shows no render node of these GPUs", f"{DEVICES}/*/drm")
        return
    denied = [node for node in nodes if world.access(node) == REFUSED]
    absent = [node for node in nodes if world.access(node) not in ("yes", REFUSED)]
    if denied or absent:
        text = f"{denied[0]} is refused" if denied else f"{absent[0]} is not here, though the kernel shows it"
        yield Known(fact, False, "/dev/dri", text)
    else:
        yield Known(fact, True, "/dev/dri", f"{len(nodes)} render nodes may be opened")


def _has_drm(world: World, device: Device) -> bool:
    return world.is_folder(f"{DEVICES}/{device.address}/drm")
