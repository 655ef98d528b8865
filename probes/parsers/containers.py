"""How the container was started: ``docker run`` lines, Compose and Kubernetes fragments, systemd units.

A ``docker run`` that shows its options also shows what it lacks: without ``--shm-size`` and ``--ipc=host`` the
container has Docker's 64 MiB in ``/dev/shm``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import compiled, lazy_pattern
from .base import Found, Lines
from .kubernetes import node_count

_SIZE = lazy_pattern(r"--shm-size[= ]['\"]?(\d{1,12}(?:\.\d{1,9})?\s{0,3}[kmgtKMGT]?i?[bB]?)")
_MEMLOCK = lazy_pattern(r"--ulimit[= ]['\"]?memlock=(-?\d+)")
_NOFILE = lazy_pattern(r"--ulimit[= ]['\"]?nofile=(\d+)")
_RUN = lazy_pattern(r"(?:^|[\s$#`])(docker|podman|nerdctl)\s+(?:container\s+)?run\s")
_GPUS = lazy_pattern(r"--gpus[= ]['\"]{0,2}(?:(\d{1,2})\b|device=([\w,.:-]{1,400}))")
_ADVICE = lazy_pattern(r"\b(?:try|should|suggest|recommend|instead|add|use)\b|建议|可以|添加", re.IGNORECASE)


def parse_run(lines: Lines, at: int) -> Iterator[Found]:
    """A command line that starts a container, with the lines that a backslash joins to it."""
    found = _RUN.search(lines[at])
    if not found or _ADVICE.search(lines[at][: found.start()]):
        return
    command = lines[at]
    following = at
    while command.rstrip().endswith("\\") and following + 1 < len(lines):
        following += 1
        command = command.rstrip()[:-1] + " " + lines[following]
    yield Found("runtime", "podman" if found[1] == "podman" else "docker", at)
    yield from _options(command, at)


def _options(command: str, at: int) -> Iterator[Found]:
    size = _SIZE.search(command)
    host_ipc = compiled(r"--ipc[= ]host\b").search(command)
    if size:
        yield Found("shm.size_bytes", _bytes(size[1]), at)
        yield Found("container.shm", "set", at)
    elif host_ipc:
        yield Found("container.shm", "host", at)
        yield Found("container.ipc_host", True, at)
    elif len(command.split()) > 5 and not compiled(r"-v \S*:/dev/shm|--mount \S*/dev/shm").search(command):
        yield Found("container.shm", "default", at)
    yield Found("container.privileged", "--privileged" in command, at)
    network = compiled(r"--net(?:work)?[= ](host|bridge|none)\b").search(command)
    if network or "--net" not in command:
        yield Found("container.network", network[1] if network else "bridge", at)
    gpus = _GPUS.search(command)
    if gpus:
        count = int(gpus[1]) if gpus[1] else len([d for d in gpus[2].split(",") if d])
        yield Found("gpu.visible_count", count, at)
    memlock, nofile = _MEMLOCK.search(command), _NOFILE.search(command)
    if memlock:
        yield Found("limit.memlock_bytes", int(memlock[1]), at)
    if nofile:
        yield Found("limit.nofile", int(nofile[1]), at)


def _bytes(text: str) -> int:
    found = compiled(r"([\d.]+)\s*([kmgtKMGT]?)").match(text)
    assert found
    return int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " "))


def parse_compose(lines: Lines, at: int) -> Iterator[Found]:
    """A key of a Compose file."""
    line = lines[at]
    size = re.match(r"\s*shm_size:\s*['\"]?(\d{1,12}(?:\.\d{1,9})?\s{0,3}[kmgtKMGT]?[bB]?)", line)
    if size:
        yield Found("runtime", "docker", at)
        yield Found("shm.size_bytes", _bytes(size[1]), at)
        yield Found("container.shm", "set", at)
    if re.match(r"\s*ipc:\s*['\"]?host", line):
        yield Found("runtime", "docker", at)
        yield Found("container.shm", "host", at)
        yield Found("container.ipc_host", True, at)
    devices = compiled(r"\s*device_ids:\s*\[([^\]]{1,400})\]").match(line)
    if devices:
        yield Found("runtime", "docker", at)
        yield Found("gpu.visible_count", len([d for d in devices[1].split(",") if d.strip()]), at)
    if re.match(r"\s*network_mode:\s*['\"]?host", line):
        yield Found("runtime", "docker", at)
        yield Found("container.network", "host", at)


def parse_pod(lines: Lines, at: int) -> Iterator[Found]:
    """A key of a pod template."""
    line = lines[at].strip()
    gpus = re.match(r"-?\s*['\"]?(?:nvidia|amd)\.com/gpu['\"]?:\s*['\"]?(\d{1,2})\b", line)
    if gpus and node_count(lines, at) is None:
        yield Found("gpu.visible_count", int(gpus[1]), at)
    if re.match(r"-?\s*['\"]?(?:nvidia|amd)\.com/gpu['\"]?:", line) or line.startswith(
        ("hostIPC:", "hostNetwork:")
    ):
        yield Found("runtime", "kubernetes", at)
    if line.startswith("hostIPC: true"):
        yield Found("container.ipc_host", True, at)
    if line.startswith("hostNetwork:"):
        yield Found("container.network", "host" if line.endswith("true") else "other", at)
    if line == "medium: Memory" and any("/dev/shm" in other for other in lines):
        yield Found("runtime", "kubernetes", at)
        yield Found("container.shm", "set", at)
    if line.startswith("privileged:"):
        yield Found("container.privileged", line.endswith("true"), at)


def parse_unit(lines: Lines, at: int) -> Iterator[Found]:
    """Limits of a systemd unit."""
    found = compiled(r"\s*Limit(MEMLOCK|NOFILE)=(infinity|\d+)\s*$").match(lines[at])
    if found:
        fact = "limit.memlock_bytes" if found[1] == "MEMLOCK" else "limit.nofile"
        yield Found(fact, -1 if found[2] == "infinity" else int(found[2]), at)
