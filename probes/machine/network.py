"""Network interfaces by sysfs, and what the variables that name one would find."""

from __future__ import annotations

from collections.abc import Iterator

from .environment import environment
from .finding import Finding, Known, Unknown
from .world import Unreadable, World

NET = "/sys/class/net"
_BRIDGES = ("docker", "br-", "veth", "virbr", "cni", "flannel", "cali", "podman", "lxc")
_PSEUDO = (
    "lo",
    "bonding_masters",
    "sit0",
    "tunl0",
    "ip6tnl0",
    "ip6_vti0",
    "ip_vti0",
    "gre0",
    "gretap0",
    "erspan0",
)
_NAMED = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME")


def interfaces(world: World) -> dict[str, bool]:
    """Interfaces beside the loopback, and whether each is up. Raises Unreadable."""
    found = {}
    for name in world.names(NET):
        if name not in _PSEUDO:
            state = world.text(f"{NET}/{name}/operstate")
            # Tunnels and dummies have no carrier; they say "unknown" and work.
            flags = world.text(f"{NET}/{name}/flags", "0x0")
            found[name] = state == "up" or (state == "unknown" and bool(int(flags, 16) & 1))
    return found


def probe(world: World) -> Iterator[Finding]:
    """Several interfaces, container bridges, interfaces named in variables."""
    if not world.is_folder(NET):
        yield Unknown("net.many_interfaces", f"{NET}: absent", NET)
        return
    found = interfaces(world)
    up = [name for name, is_up in found.items() if is_up]
    yield Known("net.many_interfaces", len(up) > 1, NET, ", ".join(up[:12]) or "none is up")
    bridges = [name for name in up if name.startswith(_BRIDGES)]
    yield Known("net.container_bridge", bool(bridges), NET, ", ".join(bridges[:6]) or "none")
    try:
        environ, _ = environment(world)
    except Unreadable:
        return
    for variable in _NAMED:
        missing = _missing(environ.get(variable, ""), [*found, "lo"])
        if missing:
            text = f"{variable}={environ[variable]}: no interface here matches; there are {', '.join(found) or 'none'}"
            yield Known("net.ifname_exists", False, NET, text)
    proxies = [
        name for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY") if environ.get(name)
    ]
    if proxies:
        yield Known("net.http_proxy", True, "environment", f"{proxies[0]} is set")


def _missing(value: str, names: list[str]) -> bool:
    """Whether a list of interface prefixes matches nothing; ``^`` excludes, ``=`` wants whole names."""
    if not value or value.startswith("^"):
        return False
    exact = value.startswith("=")
    wanted = [word.strip() for word in value.lstrip("=").split(",") if word.strip()]
    return bool(wanted) and not any(n == w if exact else n.startswith(w) for n in names for w in wanted)
