"""Which machine this is, as digests: a capture brings its own."""

from __future__ import annotations

import json

from ...engine.session.identity import Identity, identity_of, read_identity
from .world import Unreadable, World

FILE = ".gpudoctor/identity.json"
_MOST = 64 << 10


def identity(world: World) -> Identity | None:
    """The identity of a machine; None of a tree that holds nothing of it."""
    if not world.live:
        try:
            kept = read_identity(json.loads(world.read(f"/{FILE}", _MOST)))
        except (Unreadable, ValueError, RecursionError):
            kept = None
        if kept is not None:
            return kept
    found = identity_of(
        str(world.system("hostname") or ""),
        world.text("/etc/machine-id"),
        world.text("/proc/sys/kernel/random/boot_id"),
        _gpus(world),
    )
    return found if any(found) else None


def _gpus(world: World) -> list[str]:
    """UUIDs as the drivers give them in files; no tool is asked."""
    found = []
    for path in world.glob("/proc/driver/nvidia/gpus/*/information"):
        lines = (line.partition(":") for line in world.text(path).split("\n"))
        found += [
            value.strip() for name, _, value in lines if name.strip() == "GPU UUID" and "?" not in value
        ]
    for path in world.glob("/sys/class/kfd/kfd/topology/nodes/*/properties"):
        words = (line.split() for line in world.text(path).split("\n"))
        found += [pair[1] for pair in words if len(pair) == 2 and pair[0] == "unique_id" and pair[1] != "0"]
    return found
