"""Network interfaces: ``ip addr`` and ``ip -br addr``."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_INTERFACE = lazy_pattern(r"^\d+: ([\w.@-]+): <([A-Z_,-]*)>.* mtu (\d+)")
_BRIEF = lazy_pattern(r"^([\w.@-]+)\s+(UP|DOWN|UNKNOWN)\s+\S")
_VIRTUAL = ("docker", "br-", "veth", "virbr", "cni", "flannel", "cali", "lo", "tunl", "kube")


def parse_interfaces(lines: Lines, at: int) -> Iterator[Found]:
    """``ip addr`` and ``ip -br addr``: how many interfaces are up beside the loopback."""
    names: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        long, brief = _INTERFACE.match(line), _BRIEF.match(line)
        if long and "UP" in long[2].split(","):
            names.append((number, long[1]))
        elif brief and brief[2] != "DOWN":
            names.append((number, brief[1]))
    others = [(n, name) for n, name in names if name != "lo"]
    if names:
        yield Found("net.many_interfaces", len(others) > 1, names[-1][0])
    if any(name.startswith(_VIRTUAL[:3]) for _, name in others):
        number = next(n for n, name in others if name.startswith(_VIRTUAL[:3]))
        yield Found("net.container_bridge", True, number)
