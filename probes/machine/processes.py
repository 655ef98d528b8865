"""Other processes: which of them run inference or training, and which NCCL or RCCL they have loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .libraries import FACTS, library_version
from .world import REFUSED, Unreadable, World

_LIBRARY = re.compile(r"/\S*?lib(nccl|rccl)\.so[\w.]*(?: \(deleted\))?$")
_LAUNCHERS = (
    ("vllm", re.compile(r"\bvllm\b")),
    ("sglang", re.compile(r"\bsglang\b")),
    ("deepspeed", re.compile(r"\bdeepspeed\b")),
    ("accelerate", re.compile(r"\baccelerate(?:\.commands)?\b.*\blaunch")),
    ("ray", re.compile(r"(?:^|/|\s)ray(?:::|let\b|\s)|\bdefault_worker\.py\b")),
    ("torchrun", re.compile(r"\btorchrun\b|torch\.distributed\.(?:run|launch)\b")),
)
"""More telling ones first: vLLM and SGLang start Ray, not the other way round."""
MOST = 4096


def pids(world: World) -> list[str]:
    """The processes that can be seen, oldest numbers first."""
    return sorted((name for name in world.names("/proc") if name.isdecimal()), key=int)[:MOST]


def process_names(world: World) -> set[str]:
    """What the processes are called (15 characters of it)."""
    return {world.text(f"/proc/{pid}/comm") for pid in pids(world)}


def command_line(world: World, pid: str) -> list[str]:
    """The words that started a process; none if they cannot be read."""
    try:
        return [
            word.decode("utf-8", "replace")
            for word in world.read_bytes(f"/proc/{pid}/cmdline").split(b"\0")
            if word
        ]
    except Unreadable:
        return []


def launcher(words: list[str]) -> str:
    """What starts the ranks, from a command line without its long options' values."""
    text = " ".join(word for word in words[:12] if not word.startswith("--"))[:1000]
    return next((name for name, pattern in _LAUNCHERS if pattern.search(text)), "")


def jobs(world: World) -> list[tuple[str, str]]:
    """Running processes that look like a job, with what they are."""
    return [(pid, kind) for pid in pids(world) if (kind := launcher(command_line(world, pid)))]


def loaded(world: World, pid: str) -> list[str]:
    """The communication libraries that a process has mapped. Raises Unreadable."""
    maps = world.read(f"/proc/{pid}/maps", 4 << 20)
    paths = [columns[5] for line in maps.split("\n") if len(columns := line.split(maxsplit=5)) == 6]
    return list(dict.fromkeys(path for path in paths if _LIBRARY.search(path)))


def probe(world: World) -> Iterator[Finding]:
    """The library that running processes really loaded; with ``pid``, of that one, and what started it."""
    if world.pid is not None:
        words = command_line(world, str(world.pid))
        kind = launcher(words)
        if kind:
            yield Known("launcher", kind, f"/proc/{world.pid}/cmdline", " ".join(words[:3])[:120])
    refused = 0
    for pid in [str(world.pid)] if world.pid is not None else pids(world):
        try:
            paths = loaded(world, pid)
        except Unreadable as error:
            refused += error.why == REFUSED
            continue
        for path in paths:
            yield from _library(world, pid, path)
    if refused and world.pid is not None:
        yield Unknown(
            "nccl.loaded_version", "the process belongs to somebody else", f"/proc/{world.pid}/maps"
        )


def _library(world: World, pid: str, path: str) -> Iterator[Finding]:
    where = f"/proc/{pid}/maps"
    if path.endswith(" (deleted)"):
        yield Unknown("nccl.loaded_version", f"{path}: replaced on the disk since it was loaded", where)
        return
    # The process may live in another mount namespace: its own root leads there.
    inside = f"/proc/{pid}/root{path}"
    version = library_version(world, inside if world.live and world.exists(inside) else path)
    if version and "nccl" in path:
        yield Known("nccl.loaded_version", version, where, path)
    elif version:
        yield Known(FACTS["rccl"], version, where, path)
