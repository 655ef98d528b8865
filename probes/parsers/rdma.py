"""RDMA devices: ``ibv_devinfo``, ``ibstat``, ``show_gids``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines, Parser

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


_GID = re.compile(
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


PARSERS = (
    Parser(
        "ibv_devinfo",
        ("link_layer:", "Link layer:", "state:\t", "State: ", "hca_id:"),
        parse_device,
        facts=("net.fabric", "rdma.port_state", "rdma.userspace"),
    ),
    Parser(
        "show_gids", ("DEV\tPORT\tINDEX", "DEV     PORT"), parse_gids, after=120, facts=("rdma.gid_index",)
    ),
)
