"""What this machine has for the kit: GPUs, an interpreter whose torch sees them, the vendor's tools, rights."""

from __future__ import annotations

import glob
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gpudoctor.engine.vendors import by_name
from gpudoctor.probes.collective import CollectiveError
from gpudoctor.probes.collective.interpreter import Interpreter, find, gpu_nodes, with_gpus
from gpudoctor.probes.machine.kernellog import ring

from . import children

TOOLS = ("nvidia-smi", "amd-smi", "rocm-smi", "rocminfo", "lspci", "dcgmi", "py-spy", "unshare")
_PLACES = (
    "/opt/*/bin/python3",
    "/opt/*/.venv/bin/python",
    "/opt/*/envs/*/bin/python",
    "/opt/*/*/bin/python3",
    "~/*conda*/bin/python",
    "~/*conda*/envs/*/bin/python",
    "~/*mamba*/envs/*/bin/python",
    "~/.venv*/bin/python",
    "~/*/.venv/bin/python",
    "/venv*/bin/python",
    "/workspace/*venv*/bin/python",
    "/usr/local/bin/python3",
    "/usr/bin/python3",
)
_DRIVER = re.compile(r"\bNVRM\b|\bamdgpu\b")
_MOST = 40
"""Interpreters that are asked at most; each answers in a tenth of a second without importing torch."""


@dataclass
class Surroundings:
    """A machine as the kit found it."""

    vendor: str = ""
    interpreter: Interpreter | None = None
    tried: tuple[str, ...] = ()  # one sentence for each interpreter that would not do
    tools: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    root: bool = False
    mounts: str = ""  # why no mount namespace can be made; empty where it can
    kernel_log: str = ""  # why the kernel log tells nothing of the driver; empty where it does

    @property
    def gpus(self) -> int:
        """How many GPUs torch sees."""
        return len(self.interpreter.gpus) if self.interpreter else 0


def survey(python: str, environment: dict[str, str]) -> Surroundings:
    """Look around; nothing is installed, nothing changed."""
    found = Surroundings(environment=environment)
    path = environment.get("PATH")
    found.tools = {name: there for name in TOOLS if (there := shutil.which(name, path=path))}
    found.interpreter, found.tried = interpreter(python, environment)
    if found.interpreter:
        found.vendor = found.interpreter.built_for
    elif "nvidia-smi" in found.tools:
        found.vendor = "nvidia"
    elif "amd-smi" in found.tools or "rocminfo" in found.tools:
        found.vendor = "amd"
    found.root = os.geteuid() == 0
    found.mounts = _no_mounts(found)
    found.kernel_log = _no_log()
    return found


def _no_log() -> str:
    """Why the kernel log tells nothing of the driver; empty where it does."""
    try:
        text = ring()
    except OSError as error:
        return f"/dev/kmsg: {error.strerror}"
    return "" if _DRIVER.search(text) else "the kernel log holds no line of a GPU's driver"


def interpreter(python: str, environment: dict[str, str]) -> tuple[Interpreter | None, tuple[str, ...]]:
    """The first interpreter whose torch was built for GPUs and sees one, and why the others would not do."""
    tried: list[str] = []
    for path in dict.fromkeys([python] if python else candidates(environment)):
        try:
            one = find(path, environment)
        except CollectiveError as error:
            tried.append(str(error).partition(": name the interpreter")[0])
            continue
        if not one.built_for:
            tried.append(f"{path} has torch {one.torch}, which is built for no GPU")
            continue
        seen = with_gpus(one, environment)
        if seen.gpus:
            return seen, tuple(tried)
        tried.append(f"{path} has torch {one.torch} for {one.built_for}: {seen.trouble or 'it sees no GPU'}")
    return None, tuple(tried)


def candidates(environment: dict[str, str]) -> Iterator[str]:
    """Interpreters that may hold the torch of this machine, the likeliest first; each once."""
    seen: set[str] = set()
    named = [f"{environment[n]}/bin/python" for n in ("VIRTUAL_ENV", "CONDA_PREFIX") if environment.get(n)]
    on_path = [shutil.which(name, path=environment.get("PATH")) for name in ("python3", "python")]
    everywhere = [path for place in _PLACES for path in sorted(glob.glob(os.path.expanduser(place)))]
    for path in [sys.executable, *named, *on_path, *everywhere]:
        if path and path not in seen and os.access(path, os.X_OK) and len(seen) < _MOST:
            seen.add(path)
            yield path


def no_gpu() -> str:
    """Why there is nothing to prove here; empty where there is a GPU. Asks the files of devices alone."""
    return "" if gpu_nodes() else "no device file of a GPU here (/dev/nvidia0, /dev/kfd, /dev/dri/renderD*)"


def _no_mounts(found: Surroundings) -> str:
    if "unshare" not in found.tools:
        return "there is no unshare here"
    tried = children.run(["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", "/dev/shm"], 5)
    return "" if tried.ok else f"unshare -m: {tried.why()}"


def describe(found: Surroundings) -> dict[str, object]:
    """For the report: what there is, without names."""
    one = found.interpreter
    vendor = by_name(found.vendor)
    return {
        "vendor": vendor.name if vendor else "",
        "gpus": [name for name, _ in one.gpus] if one else [],
        "kernel": platform.release(),
        "system": _release(),
        "cpus": os.cpu_count(),
        "root": found.root,
        "mount_namespace": found.mounts or "can be made",
        "kernel_log": found.kernel_log or "tells of the driver",
        "tools": sorted(found.tools),
        "interpreter": one.path if one else "",
        "torch": one.torch if one else "",
        "vllm": one.vllm if one else "",
        "interpreters_that_would_not_do": list(found.tried),
    }


def _release() -> str:
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return ""
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values.get("PRETTY_NAME", "").strip('"')
