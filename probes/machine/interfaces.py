"""The interface of the default route, its MTU, and the addresses of the node: what nodes are compared in."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .network import NET
from .world import Unreadable, World

ROUTE, ROUTE6, LOCAL = "/proc/net/route", "/proc/net/ipv6_route", "/proc/net/fib_trie"
_ANY, _ANY6 = "00000000", "0" * 32
_UP, _GATEWAY = 0x1, 0x2
_OWN = re.compile(r"\|-- ([\d.]{7,15})\n\s+/32 host LOCAL")
_MOST = 32


def probe(world: World) -> Iterator[Finding]:
    """Which way out a node takes, and how large its packets may be."""
    yield from _addresses(world)
    try:
        name = default_interface(world)
    except Unreadable as error:
        yield Unknown("net.default_interface", str(error), error.path)
        return
    if not name:
        yield Unknown("net.default_interface", "there is no default route", ROUTE)
        return
    yield Known("net.default_interface", name, ROUTE, f"default route by {name}")
    mtu = world.text(f"{NET}/{name}/mtu")
    if mtu.isdecimal():
        yield Known("net.default_mtu", int(mtu), f"{NET}/{name}/mtu", mtu)
    else:
        yield Unknown("net.default_mtu", "absent", f"{NET}/{name}/mtu")


def default_interface(world: World) -> str:
    """The interface of the default route with the lowest metric, of IPv4 before IPv6; empty without one."""
    routes = []
    for line in world.read(ROUTE, 1 << 20).splitlines()[1:]:
        words = line.split()
        if len(words) >= 8 and (words[1], words[7]) == (_ANY, _ANY) and int(words[3], 16) & _UP:
            routes.append((int(words[6]), words[0]))
    if routes:
        return min(routes)[1]
    for line in world.text(ROUTE6).splitlines():
        words = line.split()
        if (
            len(words) >= 10
            and words[:2] == [_ANY6, "00"]
            and words[9] != "lo"
            and int(words[8], 16) & _GATEWAY
        ):
            routes.append((int(words[5], 16), words[9]))
    return min(routes)[1] if routes else ""


def _addresses(world: World) -> Iterator[Finding]:
    try:
        found = set(_OWN.findall(world.read(LOCAL, 1 << 20)))
    except Unreadable:
        return
    own = sorted(ipaddress.ip_address(text) for text in found if not text.startswith("127."))
    if own:
        yield Known("host.addresses", ",".join(map(str, own[:_MOST])), LOCAL, f"{len(own)} addresses")
