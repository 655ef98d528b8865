"""Environment variables by allow-list: our own, those of a running job, and what an nccl.conf adds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ...engine.redaction import is_secret, redact
from ...engine.vendors import prefixes
from .finding import Finding, Known, Unknown
from .world import ABSENT, REFUSED, Unreadable, World

CAPTURED = "/.gpudoctor/environ"
_PREFIXES = (
    "TORCH_",
    "PYTORCH_",
    "GLOO_",
    "VLLM_",
    "SGLANG_",
    "SGL_",
    "RAY_",
    "UCX_",
    "FI_",
    "OFI_",
    *prefixes(),
)
ALLOWED = re.compile(
    "|".join(f"{prefix}[A-Za-z0-9_]{{1,60}}" if prefix.endswith("_") else prefix for prefix in _PREFIXES)
    + r"|OMP_NUM_THREADS|MASTER_(?:ADDR|PORT)|(?:LOCAL_)?(?:RANK|WORLD_SIZE)|LD_(?:PRELOAD|LIBRARY_PATH)|ROCM_PATH"
    r"|TRITON_CACHE_DIR|SLURM_(?:JOB_ID|GPUS_PER_TASK|GPU_BIND|NTASKS|NNODES)"
    r"|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy"
)
_PRESENCE = ("KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER")
_SHOWN = ("SLURM_",)  # read for the runtime, no fact of its own
_LONGEST = 2000
_IMAGE = ("NVIDIA_REQUIRE_CUDA",)  # set by every CUDA image, long, and of no consequence unless it refuses


def allowed(name: str) -> bool:
    """Whether a variable may be read at all."""
    return bool(ALLOWED.fullmatch(name)) or name in _PRESENCE


def environment(world: World) -> tuple[dict[str, str], str]:
    """The allowed variables and where they stand. Raises Unreadable for another process."""
    if world.pid is not None:
        source = f"/proc/{world.pid}/environ"
        pairs = world.read_bytes(source, 1 << 20).decode("utf-8", "replace").split("\0")
    elif world.live:
        source = "environment of gpudoctor"
        pairs = [f"{name}={value}" for name, value in os.environ.items()]
    else:
        source = CAPTURED
        pairs = world.text(CAPTURED).split("\n")
    split = (pair.partition("=") for pair in pairs)
    found = {name: _value(name, value) for name, mark, value in split if mark and allowed(name)}
    if world.record:
        world.record.environ.update(found)
    return found, source


def _value(name: str, value: str) -> str:
    if is_secret(name) or name in _PRESENCE:
        return "set"
    return redact(value)[:_LONGEST]


def home(world: World) -> str:
    """The home folder of whoever asks, by the environment."""
    if not world.live:
        return str(world.system("home") or "")
    return os.environ.get("HOME", "")


def probe(world: World) -> Iterator[Finding]:
    """``env.NAME`` for every allowed variable that is set."""
    try:
        found, source = environment(world)
    except Unreadable as error:
        why = "the process belongs to somebody else" if error.why == REFUSED else str(error)
        yield Unknown("env.NCCL_DEBUG", why, error.path)
        return
    for name, value in sorted(found.items()):
        if name not in (*_PRESENCE, *_IMAGE) and not name.startswith(_SHOWN):
            yield Known(f"env.{name}", value, source, name)
    yield from _conf(world, found)


def _conf(world: World, found: dict[str, str]) -> Iterator[Finding]:
    """NCCL reads these files itself; a variable of the environment wins over a line in them."""
    folder = home(world)
    paths = ["/etc/nccl.conf", *([f"{folder}/.nccl.conf"] if folder else [])]
    named = found.get("NCCL_CONF_FILE", "").removeprefix("~")
    if named:
        paths.insert(
            0,
            named
            if named.startswith("/") and not found["NCCL_CONF_FILE"].startswith("~")
            else folder + named,
        )
    present = False
    for path in paths:
        try:
            text = world.read(path)
        except Unreadable as error:
            if error.why != ABSENT:
                yield Unknown("nccl.conf_file", str(error), path)
            continue
        pairs = re.findall(r"^[ \t]*(NCCL_[A-Z0-9_]+)[ \t]*=[ \t]*(\S+)", text, re.MULTILINE)
        if pairs and not present:
            present = True
            yield Known("nccl.conf_file", True, path, f"sets {', '.join(name for name, _ in pairs[:8])}")
        for name, value in pairs:
            if name not in found:
                yield Known(f"env.{name}", _value(name, value), path, f"{name}={_value(name, value)}")
    if not present:
        yield Known("nccl.conf_file", False, " ".join(paths), "none of these files sets anything")
