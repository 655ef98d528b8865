"""Where the job would run: bare metal, a container of which engine, a pod, a Slurm job, WSL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .environment import environment
from .finding import Finding, Known, Unknown
from .world import Unreadable, World

_ALL_CAPABILITIES = 36  # as many bits at least stand in CapEff of a privileged process
_CGROUP = "/proc/1/cgroup"
_OF_CONTAINERS = (
    (r"^\S+ \S+ \S+ \S+ / .* - overlay ", "/ is an overlay"),
    (r"^\S+ \S+ \S+ \S+ /etc/hosts ", "/etc/hosts is mounted"),
)


def runtime(world: World, environ: dict[str, str]) -> tuple[str, str, str]:
    """Name of the runtime, where it shows, and the text there. Each sign alone is a hint; a pod's is the best."""
    if environ.get("KUBERNETES_SERVICE_HOST") or world.exists("/var/run/secrets/kubernetes.io"):
        return "kubernetes", "environment", "KUBERNETES_SERVICE_HOST"
    if re.search(r"microsoft", world.text("/proc/sys/kernel/osrelease"), re.IGNORECASE):
        return "wsl", "/proc/sys/kernel/osrelease", world.text("/proc/sys/kernel/osrelease")
    for name in ("APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"):  # inside, even of a job of Slurm
        if environ.get(name):
            return "apptainer", "environment", name
    if environ.get("SLURM_JOB_ID"):
        return "slurm", "environment", f"SLURM_JOB_ID={environ['SLURM_JOB_ID'][:20]}"
    if world.exists("/run/.containerenv"):
        return "podman", "/run/.containerenv", "there is such a file"
    groups = world.text(_CGROUP)
    for mark, name in (("kubepods", "kubernetes"), ("libpod", "podman"), ("docker", "docker")):
        if mark in groups:
            return name, _CGROUP, next(line for line in groups.split("\n") if mark in line)[:120]
    if world.exists("/.dockerenv"):
        mounts = world.text("/proc/self/mountinfo")
        signs = [text for pattern, text in _OF_CONTAINERS if re.search(pattern, mounts, re.MULTILINE)]
        if signs:
            return "docker", "/.dockerenv", f"there is such a file, and {signs[0]}"
        if not _has_init(world):
            return "", "/.dockerenv", "/.dockerenv is there, but no mount of a container"
    if world.text("/run/systemd/container"):
        return "podman", "/run/systemd/container", world.text("/run/systemd/container")
    return "bare", "/proc", "no sign of a container, a pod or a Slurm job"


def _has_init(world: World) -> bool:
    return world.text("/proc/1/comm") in ("systemd", "init")


def probe(world: World) -> Iterator[Finding]:
    """The runtime, and what a container was given."""
    environ, _ = environment(world)
    name, where, text = runtime(world, environ)
    yield Known("runtime", name, where, text) if name else Unknown("runtime", text, where)
    if environ.get("SLURM_GPUS_PER_TASK") or environ.get("SLURM_GPU_BIND"):
        yield Known("slurm.gpu_per_task", True, "environment", "SLURM_GPUS_PER_TASK or SLURM_GPU_BIND is set")
    if name not in ("docker", "podman", "kubernetes"):
        return
    effective = re.search(r"^CapEff:\s*([0-9a-f]+)", world.text("/proc/self/status"), re.MULTILINE)
    if effective:
        privileged = int(effective[1], 16).bit_count() >= _ALL_CAPABILITIES
        yield Known("container.privileged", privileged, "/proc/self/status", effective[0])
    if world.glob("/sys/class/infiniband/*"):
        given = world.glob("/dev/infiniband/uverbs*")
        text = f"{len(given)} uverbs devices"
        yield Known("container.infiniband", bool(given), "/dev/infiniband", text)


def probe_shm(world: World) -> Iterator[Finding]:
    """Size and free space of /dev/shm; 64 MiB in a container is what it gets without being asked."""
    path = "/dev/shm"
    try:
        size, free = world.disk(path)
    except Unreadable as error:
        yield Unknown("shm.size_bytes", str(error), path)
        return
    if size == 0:
        yield Unknown("shm.size_bytes", "/dev/shm is not mounted", path)
        return
    yield Known("shm.size_bytes", size, path, "statvfs")
    yield Known("shm.free_bytes", free, path, "statvfs")
    environ, _ = environment(world)
    if size == 64 << 20 and runtime(world, environ)[0] in ("docker", "podman"):
        yield Known("container.shm", "default", path, "64 MiB, what an engine gives by itself")
