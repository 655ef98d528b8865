"""Host names: resolving one can stall for half a minute, so this is always a process of its own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator

from .environment import environment
from .finding import Finding, Known, Unknown
from .world import Unreadable, World

_FACT = "net.hostname_loopback"


def probe(world: World) -> Iterator[Finding]:
    """Where the own host name leads, and whether MASTER_ADDR leads anywhere."""
    name = str(world.system("hostname") or "")
    if not name:
        yield Unknown(_FACT, "the host name is not known", "getaddrinfo")
        return
    if not world.live and not world.system("addresses"):
        yield Unknown(_FACT, "not in this capture", "getaddrinfo")
        return
    found = _addresses(world, name)
    if found:
        loopback = all(ipaddress.ip_address(address.split("%")[0]).is_loopback for address in found)
        yield Known(_FACT, loopback, "getaddrinfo", f"{name}: {', '.join(found[:4])}")
    else:
        yield Unknown(_FACT, f'the host name "{name}" does not resolve', "getaddrinfo")
    yield Known("net.hostname_resolves", bool(found), "getaddrinfo", name)
    try:
        master = environment(world)[0].get("MASTER_ADDR", "")
    except Unreadable:
        return
    if master and world.live and not _addresses(world, master):
        yield Known("net.master_addr_resolves", False, "getaddrinfo", f"MASTER_ADDR={master}")


def _addresses(world: World, name: str) -> list[str]:
    if not world.live:
        said = world.system("addresses") or {}
        return [str(address) for address in said.get(name, [])]
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
