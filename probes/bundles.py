"""Folders that other tools gather from a machine or a cluster: what of them is worth reading."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence

from ..engine.patterns import lazy_pattern

_SOS = lazy_pattern(
    r"^(?:sos_commands/(?:nvidia|amd\w*|rocm|gpu|kernel|pci|infiniband|rdma|hardware|logs|memory|processor|devices"
    r"|networking|systemd|kubernetes|docker|podman|crio|containerd|lxd|libvirt|slurm|host|virt\w*|pam|process)/"
    r"|proc/(?:cmdline|meminfo|cpuinfo|driver/)|var/log/|run/log/|etc/(?:os-release|redhat-release|lsb-release"
    r"|modprobe\.d/|default/grub|docker/|containerd/|cdi/|nvidia|security/limits|slurm|sysctl|systemd/system)"
    r"|(?:dmesg|uname|lspci|df|free|lsmod|uptime|mount)$)"
)
_SOS_MARKS = ("sos_commands/", "sos_reports/", "sos_logs/")
_GPU_PLACE = lazy_pattern(r"gpu|nvidia|amd|rocm|nfd|kmm|feature|network-operator|sriov|ray|mpi|train|slurm")
_PLATFORM = lazy_pattern(r"(?:^|/)namespaces/(?P<name>openshift[^/]*|kube-[^/]*|default)/")
_CLUSTER = lazy_pattern(r"(?:^|/)cluster-scoped-resources/(?!core/(?:nodes|events))")
_HOSTS = lazy_pattern(
    r"(?:^|/)(?:host_service_logs|audit_logs|etcd_info|monitoring|pprof|static-pods)/|\.html$"
)
_GATHERED = ("namespaces/", "cluster-scoped-resources/")

Choice = tuple[list[str], str]
"""The files to read, and what was left out in words; empty for nothing."""


def inside(folder: str) -> tuple[list[str], list[OSError]]:
    """The files of a folder and of what lies in it, by their paths inside, sorted; and what could not be opened.

    Raises OSError where the folder itself is closed.
    """
    found: list[tuple[str, ...]] = []
    closed: list[OSError] = []
    for place, _, names in os.walk(folder, onerror=closed.append):
        below = os.path.relpath(place, folder).split(os.sep) if place != folder else []
        found += ((*below, name) for name in names if _is_plain(os.path.join(place, name)))
    for error in closed:
        if error.filename == folder:
            raise error
    return [os.path.join(*parts) for parts in sorted(found)], closed


def _is_plain(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def chosen(files: Sequence[str]) -> Choice:
    """Of the folder of ``sos report`` or must-gather the files that can tell of GPUs, network and kernel."""
    for is_one, wanted, name in (
        (_is_sos, _in_sos, "sos report"),
        (_is_must_gather, _in_must_gather, "must-gather"),
    ):
        if is_one(files):
            kept = [path for path in files if wanted(path)]
            left = len(files) - len(kept)
            if not kept or not left:
                break
            return kept, f"a folder of {name}: {left} files about other things were left out"
    return list(files), ""


def _is_sos(names: Collection[str]) -> bool:
    return any(f"/{mark}" in f"/{name}" for name in names for mark in _SOS_MARKS)


def _in_sos(name: str) -> bool:
    first, _, rest = name.partition("/")
    return bool(_SOS.search(rest if first.startswith(("sosreport", "sos-")) and rest else name))


def _is_must_gather(names: Collection[str]) -> bool:
    found = {mark for name in names for mark in _GATHERED if f"/{mark}" in f"/{name}"}
    return len(found) == len(_GATHERED)


def _in_must_gather(name: str) -> bool:
    platform = _PLATFORM.search(name)
    if platform:
        return bool(_GPU_PLACE.search(platform["name"]))
    return not (_CLUSTER.search(name) or _HOSTS.search(name))
