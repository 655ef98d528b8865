"""RDMA devices: ``ibv_devinfo``, ``ibstat``, ``show_gids``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_STATES = {"acti": "active", "arme": "armed", "init": "init", "down": "down"}


def parse_device(lines: Lines, at: int) -> Iterator[Found]:
    """``ibv_devinfo`` and ``ibstat``: link layer and port state."""
    line = lines[at]
    layer = re.search(r"[Ll]ink[ _]layer:\s*(InfiniBand|Ethernet)", line)
    if layer:
        yield Found("net.fabric", "infiniband" if layer[1] == "InfiniBand" else "roce", at)
    state = re.search(
        r"(?:^|\s)[Ss]tate:\s+(?:PORT_)?(ACTIVE|Active|DOWN|Down|INIT\w*|Init\w*|ARMED|Armed)\b", line
    )
    if state and state[1].lower()[:4] in _STATES:
        yield Found("rdma.port_state", _STATES[state[1].lower()[:4]], at)
    name = re.match(r"\s*hca_id:\s+(\S+)|CA '(\S+)'", line)
    if name:
        yield Found("rdma.userspace", True, at)


_GID = lazy_pattern(
    r"^\s*(\w+)\s+(\d+)\s+(\d+)\s+([0-9a-f]{4}(?::[0-9a-f]{4}){7})\s+(?:(\d+\.\d+\.\d+\.\d+)\s+)?(v1|v2)\b"
)


def parse_gids(lines: Lines, at: int) -> Iterator[Found]:
    """``show_gids``: the index of the first RoCE v2 entry with an IPv4 address."""
    rows = [
        (number, found) for number, line in enumerate(lines[at:], start=at) if (found := _GID.match(line))
    ]
    if rows:
        yield Found("net.fabric", "roce", rows[0][0])
    for number, row in rows:
        if row[5] and row[6] == "v2":
            yield Found("rdma.gid_index", int(row[3]), number)
            return


_FAILED_QP = lazy_pattern(r"local GID index (\d{1,3}), local GID ([0-9a-fA-F:.]{2,45})")


def parse_queue_pair(lines: Lines, at: int) -> Iterator[Found]:
    """The warning of NCCL 2.24 and later names the GID of the queue pair. A link-local one at index 0 is the usual
    one on InfiniBand, and an IPv4 one may be RoCE v1 or v2: these tell nothing."""
    found = _FAILED_QP.search(lines[at])
    if found and found[2].lower().startswith("fe80") and found[1] != "0":
        yield Found("rdma.gid_in_use", "rocev2-link-local", at)


_COUNTER = lazy_pattern(
    r"\b(?P<name>SymbolErrorCounter|PortXmitDiscards|PortXmitWait|LinkDownedCounter|symbol_error|port_xmit_discards"
    r"|port_xmit_wait|link_downed|out_of_sequence|local_ack_timeout_err)\b[:= .]{1,40}(?P<count>\d{1,20})(?!\.?\d)"
)
_COUNTERS = {
    "symbolerrorcounter": "rdma.symbol_errors",
    "symbol_error": "rdma.symbol_errors",
    "portxmitdiscards": "rdma.xmit_discards",
    "port_xmit_discards": "rdma.xmit_discards",
    "portxmitwait": "rdma.xmit_wait",
    "port_xmit_wait": "rdma.xmit_wait",
    "linkdownedcounter": "rdma.link_downed",
    "link_downed": "rdma.link_downed",
    "out_of_sequence": "rdma.out_of_sequence",
    "local_ack_timeout_err": "rdma.ack_timeouts",
}


def parse_counters(lines: Lines, at: int) -> Iterator[Found]:
    """Counters of a port, as sysfs, ``perfquery``, ``ibqueryerrors`` and ``rdma statistic`` print them."""
    for found in _COUNTER.finditer(lines[at]):
        yield Found(_COUNTERS[found["name"].lower()], int(found["count"]), at)


def parse_names(lines: Lines, at: int) -> Iterator[Found]:
    """Names of the devices: ``ibv_devices``, ``ibdev2netdev``, the NIC legend of ``nvidia-smi topo -m``."""
    names: list[str] = []
    if at and _NAMED.match(lines[at - 1]):
        return  # told with the line above
    for line in lines[at:]:
        found = _NAMED.match(line)
        if found:
            names.append(found[1] or found[2])
        elif names and line.strip():
            break
    if names:
        yield Found("rdma.hca_names", ",".join(sorted(set(names))), at)


_NAMED = lazy_pattern(
    r"^\s*(?:NIC\d{1,3}: ([a-z]\w{2,30})\s*$|([a-z][\w-]{2,30}) (?:port \d{1,3} ==> .*|\s+[0-9a-f]{16}\s*$))"
)
