"""InfiniBand and RoCE by sysfs: ports, GIDs, counters, peer memory, and whether user space can use them."""

from __future__ import annotations

from collections.abc import Iterator

from gpudoctor.engine.tuples import NamedTuple

from .environment import environment
from .finding import Finding, Known
from .pci import gpus
from .pciids import NVIDIA
from .world import Unreadable, World

BASE = "/sys/class/infiniband"
_STATES = {"1": "down", "2": "init", "3": "armed", "4": "active"}
_WORST = ("down", "init", "armed", "active")
COUNTERS = {
    "rdma.link_downed": "counters/link_downed",
    "rdma.symbol_errors": "counters/symbol_error",
    "rdma.xmit_discards": "counters/port_xmit_discards",
    "rdma.xmit_wait": "counters/port_xmit_wait",
    "rdma.out_of_sequence": "hw_counters/out_of_sequence",
    "rdma.ack_timeouts": "hw_counters/local_ack_timeout_err",
}
"""The counters of a port that tell of its link, of lost packets and of congestion."""
_KINDS = ("empty", "rocev1", "rocev2-link-local", "rocev2-ipv6", "rocev2-ipv4")
_IPV4 = "0000:0000:0000:0000:0000:ffff:"
_LIBRARIES = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/lib64",
    "/usr/local/lib",
)


class Port(NamedTuple):
    """A port of an RDMA device."""

    device: str
    path: str
    state: str
    linked: bool
    ethernet: bool


def ports(world: World) -> list[Port]:
    """Every port that can be read."""
    found = []
    for path in world.glob(f"{BASE}/*/ports/*"):
        state = _STATES.get(world.text(f"{path}/state").partition(":")[0], "down")
        linked = world.text(f"{path}/phys_state").startswith("5")
        ethernet = world.text(f"{path}/link_layer") == "Ethernet"
        found.append(Port(path.split("/")[4], path, state, linked, ethernet))
    return found


def probe(world: World) -> Iterator[Finding]:
    """The fabric, its ports, what NCCL would take of them, and peer memory."""
    names = world.names(BASE)
    yield from _peer_memory(world)
    if not names:
        yield Known("rdma.active_ports", 0, BASE, "no RDMA device")
        return
    yield Known("rdma.hca_names", ",".join(names), BASE, ", ".join(names))
    found = ports(world)
    active = [port for port in found if port.state == "active"]
    yield Known("rdma.active_ports", len(active), f"{BASE}/*/ports/*/state", f"of {len(found)} ports")
    linked = [port for port in found if port.linked]
    worst = min((p.state for p in linked), key=_WORST.index, default="down")
    yield Known(
        "rdma.port_state",
        worst,
        f"{BASE}/*/ports/*/state",
        f"{len(linked)} of {len(found)} ports have a link",
    )
    yield from _fabric(world, names, active)
    yield from _counters(world, active)
    yield from _filter(world, names, active)
    yield from _userspace(world)
    roce = [port for port in active if port.ethernet]
    if roce:
        yield from _roce(world, roce)


def _fabric(world: World, names: list[str], active: list[Port]) -> Iterator[Finding]:
    drivers = {world.real(path).rpartition("/")[2] for path in world.glob(f"{BASE}/*/device/driver")}
    if "efa" in drivers:
        yield Known("net.fabric", "efa", f"{BASE}/*/device/driver", "efa")
    elif active:
        kind = "roce" if all(port.ethernet for port in active) else "infiniband"
        yield Known("net.fabric", kind, f"{BASE}/*/ports/*/link_layer", ", ".join(names[:10]))


def _counters(world: World, active: list[Port]) -> Iterator[Finding]:
    for fact, counter in COUNTERS.items():
        counts = {p.path: world.text(f"{p.path}/{counter}") for p in active}
        numbers = {path: int(text) for path, text in counts.items() if text.isdecimal()}
        if numbers:
            place = max(numbers, key=lambda path: numbers[path])
            total = sum(numbers.values()) if fact == "rdma.link_downed" else numbers[place]
            yield Known(fact, total, f"{place}/{counter}", str(numbers[place]))


def _filter(world: World, names: list[str], active: list[Port]) -> Iterator[Finding]:
    try:
        environ, source = environment(world)
    except Unreadable:
        return
    value = environ.get("NCCL_IB_HCA", "")
    if not value:
        return
    excluded, exact = value.startswith("^"), "=" in value[:2]
    words = [word.partition(":")[0] for word in value.lstrip("^=").split(",") if word]
    usable = {port.device for port in active}
    hit = {name for name in usable if any(name == w if exact else name.startswith(w) for w in words)}
    chosen = usable - hit if excluded else hit
    text = f"NCCL_IB_HCA={value} selects {', '.join(sorted(chosen)) or 'nothing'} of {', '.join(names)}"
    yield Known("rdma.hca_filter_matches", bool(chosen), source, text)


def _userspace(world: World) -> Iterator[Finding]:
    folders = [folder for folder in _LIBRARIES if world.is_folder(folder)]
    if not folders:
        return
    verbs = next((path for f in folders for path in world.glob(f"{f}/libibverbs.so.1*")), "")
    provider = next((path for f in folders for path in world.glob(f"{f}/libibverbs/lib*-rdmav*.so")), "")
    providers = provider or next((path for f in folders for path in world.glob(f"{f}/libmlx5.so.1*")), "")
    text = f"libibverbs: {verbs or 'absent'}; provider: {providers or 'absent'}"
    yield Known("rdma.userspace", bool(verbs and providers), folders[0], text)


def gid_kind(gid: str, kind: str) -> str:
    """What stands in one slot of a GID table."""
    if not gid or set(gid) <= {"0", ":"}:
        return "empty"
    if "v2" not in kind:
        return "rocev1"
    if gid.startswith(_IPV4):
        return "rocev2-ipv4"
    return "rocev2-link-local" if gid.startswith("fe80") else "rocev2-ipv6"


def gids(world: World, port: Port) -> dict[int, str]:
    """The kinds of the slots of a port; a slot whose type cannot be read is empty."""
    slots = (name for name in world.names(f"{port.path}/gids") if name.isdecimal())
    return {
        int(slot): gid_kind(
            world.text(f"{port.path}/gids/{slot}"), world.text(f"{port.path}/gid_attrs/types/{slot}")
        )
        for slot in slots
    }


def _roce(world: World, found: list[Port]) -> Iterator[Finding]:
    tables = {port: gids(world, port) for port in found}
    usable = {p: [i for i, kind in sorted(t.items()) if kind == "rocev2-ipv4"] for p, t in tables.items()}
    first = found[0]
    if usable[first]:
        yield Known("rdma.gid_index", usable[first][0], f"{first.path}/gids", "RoCE v2 with an IPv4 address")
    try:
        environ, source = environment(world)
    except Unreadable:
        environ, source = {}, ""
    chosen = environ.get("NCCL_IB_GID_INDEX", "")
    if chosen.isdecimal():
        kinds = {port: table.get(int(chosen), "empty") for port, table in tables.items()}
        port = min(kinds, key=lambda p: _KINDS.index(kinds[p]))
        yield Known("rdma.gid_in_use", kinds[port], source, f"NCCL_IB_GID_INDEX={chosen} on {port.device}")
    for port in found:
        for slot in usable[port][:1]:
            interface = world.text(f"{port.path}/gid_attrs/ndevs/{slot}")
            mtu = world.text(f"/sys/class/net/{interface}/mtu") if interface else ""
            if mtu.isdecimal():
                yield Known(
                    "rdma.mtu", int(mtu), f"/sys/class/net/{interface}/mtu", f"{port.device}: {interface}"
                )
                return


def _peer_memory(world: World) -> Iterator[Finding]:
    try:
        nvidia = any(device.vendor == NVIDIA for device in gpus(world))
    except Unreadable:
        return
    clients = world.glob("/sys/kernel/mm/memory_peers/*")
    if clients:
        text = ", ".join(path.rpartition("/")[2] for path in clients)
        yield Known("rdma.peermem_registered", True, "/sys/kernel/mm/memory_peers", text)
    if nvidia and world.is_folder("/sys/module"):
        loaded = world.exists("/sys/module/nvidia_peermem")
        text = "loaded" if loaded else "not loaded (no fault where DMA-BUF is used)"
        yield Known("module.nvidia_peermem", loaded, "/sys/module/nvidia_peermem", text)
