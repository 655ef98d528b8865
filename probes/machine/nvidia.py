"""What the NVIDIA kernel module says of itself in /proc, without a word to a GPU; and the fabric manager."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .container import runtime
from .environment import environment
from .finding import Finding, Known, Unknown
from .pci import devices
from .pciids import NVIDIA, SWITCH_CLASS
from .processes import process_names
from .world import ABSENT, Unreadable, World

BASE = "/proc/driver/nvidia"
_VERSION = re.compile(r"Kernel Module(?: for \S+)?\s+(\d+\.\d+(?:\.\d+)?\S*)")
_MANAGER = ("/usr/bin/nv-fabricmanager", "/usr/sbin/nv-fabricmanager", "/usr/local/bin/nv-fabricmanager")


def probe(world: World) -> Iterator[Finding]:
    """Driver version, a P2P patch, registry keys, and models by the driver's own name."""
    try:
        text = world.read(f"{BASE}/version")
    except Unreadable as error:
        if error.why != ABSENT:
            yield Unknown("driver.version", str(error), error.path)
        yield from _without_driver(world)
        return
    found = _VERSION.search(text)
    first = text.split("\n")[0]
    if found:
        yield Known("driver.version", found[1].removesuffix("-p2p"), f"{BASE}/version", first)
    if "-p2p" in first:
        yield Known("driver.patched_p2p", True, f"{BASE}/version", first)
    elif "Open Kernel Module" not in first or "dvs-builder@" in first:
        # The patch is one of the open modules; NVIDIA's own builds carry the name of its builder.
        yield Known("driver.patched_p2p", False, f"{BASE}/version", first)
    keys = re.search(r'^RegistryDwords: "([^"]+)"', world.text(f"{BASE}/params"), re.MULTILINE)
    if keys:
        yield Known("driver.registry_dwords", keys[1], f"{BASE}/params", keys[0])
    for path in world.glob(f"{BASE}/gpus/*/information"):
        model = re.search(r"^Model:\s+(\S.*?)\s*$", world.text(path), re.MULTILINE)
        if model and model[1] != "Unknown":
            yield Known("gpu.model", model[1], path, model[0])
            break
    yield from _not_given(world)


def _not_given(world: World) -> Iterator[Finding]:
    """A container sees the host's driver in /proc, and its GPUs only if it was given their device files."""
    try:
        kind = runtime(world, environment(world)[0])[0]
    except Unreadable:
        return
    if kind in ("docker", "podman", "kubernetes") and not world.glob("/dev/nvidia[0-9]*"):
        text = "the driver is loaded, and this container has no /dev/nvidia0"
        yield Known("symptom.gpu-not-visible", True, "/dev", text)


def _without_driver(world: World) -> Iterator[Finding]:
    cards = [device for device in devices(world) if device.vendor == NVIDIA and device.kind.startswith("03")]
    if cards and world.is_folder("/proc/self") and not world.exists("/dev/nvidiactl"):
        text = f"{len(cards)} NVIDIA GPUs on the PCI bus, no kernel module, no /dev/nvidiactl"
        yield Known("symptom.gpu-not-visible", True, BASE, text)


def probe_fabric_manager(world: World) -> Iterator[Finding]:
    """The state of nv-fabricmanager, where there are NVSwitches that it would have to set up."""
    fact = "service.fabric_manager"
    if not any(d.vendor == NVIDIA and d.kind == SWITCH_CLASS for d in devices(world)):
        return
    names = process_names(world)
    running = "nv-fabricmanager" in names  # 15 characters are kept of a name: this has 16
    running = running or "nv-fabricmanage" in names
    installed = [path for path in _MANAGER if world.exists(path)]
    if running:
        yield Known(fact, "running", "/proc/*/comm", "nv-fabricmanager")
    elif "systemd" not in names and "init" not in names:
        yield Unknown(fact, "it runs on the host, whose processes are not visible from here", "/proc/*/comm")
    elif installed:
        yield Known(fact, "stopped", "/proc/*/comm", f"{installed[0]} is there, no process of it")
    else:
        yield Known(fact, "absent", "/usr/bin", "no nv-fabricmanager is installed, none runs")


def fabric_mismatch(said: str, driver: str) -> str:
    """The two versions, where the fabric manager's is not the driver's; nothing where they agree."""
    found = re.search(r"(\d+\.\d+(?:\.\d+)?)", said)
    return f"nv-fabricmanager {found[1]}, driver {driver}" if found and found[1] != driver else ""
