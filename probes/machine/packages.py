"""The user's Python environment, without importing anything from it: versions by the names of metadata folders.

``torch/version.py`` is read as text, libnccl and librccl tell their version from inside.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

from ..boundedchild import run
from .environment import environment
from .finding import Finding, Known, Unknown
from .libraries import library_version
from .processes import command_line, jobs
from .world import Unreadable, World

_ASK = (
    "import sys,json;print(json.dumps({'path':[p for p in sys.path if p],'version':sys.version.split()[0]}))"
)
_SECONDS = 1.0
_PACKAGES = {
    name.replace("-", "_"): fact
    for fact, names in {
        "torch": ("torch",), "vllm": ("vllm",), "sglang": ("sglang",), "ray": ("ray",), "openrlhf": ("openrlhf",),
        "verl": ("verl",), "deepspeed": ("deepspeed",), "accelerate": ("accelerate",),
        "transformers": ("transformers",), "gpustack": ("gpustack",), "flash_attn": ("flash-attn",),
        "triton": ("triton",), "xformers": ("xformers",), "megatron_core": ("megatron-core",),
        "torch_memory_saver": ("torch-memory-saver",), "llama_cpp": ("llama-cpp-python",),
        "nccl": ("nvidia-nccl-cu11", "nvidia-nccl-cu12", "nvidia-nccl-cu13"), "oneccl": ("oneccl",),
    }.items()
    for name in names
}  # fmt: skip
_DIST = re.compile(r"(?P<name>[A-Za-z0-9_.-]+?)-(?P<version>\d[\w.+!]*)(?:-py\d[\d.]*)?\.(?:dist|egg)-info\Z")
_TORCH_FIELD = re.compile(r"^(cuda|hip|xpu)\b[^=\n]*=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_GUESSES = (
    "{prefix}/lib/python3*/site-packages", "{prefix}/local/lib/python3*/dist-packages",
    "{prefix}/lib/python3*/dist-packages", "{prefix}/lib/python3/dist-packages",
)  # fmt: skip


def interpreter(world: World) -> tuple[str, str]:
    """The Python asked about, and why this one: told, of the process, of the shell, of a running job."""
    if world.python:
        return world.python, "--python"
    if world.pid is not None:
        words = command_line(world, str(world.pid))
        return _of_process(words), f"process {world.pid}"
    if not world.live:
        said = world.system("python")
        return str(said or ""), "captured"
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        prefix = os.environ.get(name)
        if prefix and world.exists(f"{prefix}/bin/python"):
            return f"{prefix}/bin/python", name
    for pid, kind in jobs(world):
        found = _of_process(command_line(world, pid))
        if found:
            return found, f"{kind} process {pid}"
    return "python3", "PATH"


def _of_process(words: list[str]) -> str:
    """A script's interpreter stands first in the command line; /proc/PID/exe would be the base one's."""
    first = words[0] if words else ""
    return first if re.search(r"(?:^|/)python[\d.]*\Z", first) else ""


def probe(world: World) -> Iterator[Finding]:
    """Versions of the frameworks, and the communication library that torch would load."""
    python, why = interpreter(world)
    folders, source, problem = _folders(world, python)
    if problem:
        yield Unknown("torch.version", problem, f"{python} ({why})")
        return
    facts = {_folded(name): fact for name, fact in world.packages.items()}
    facts.update((name, f"{fact}.version") for name, fact in _PACKAGES.items())
    found: dict[str, tuple[str, str]] = {}
    for folder in folders:
        for name in world.names(folder) if world.is_folder(folder) else []:
            match = _DIST.match(name)
            fact = facts.get(_folded(match["name"])) if match else None
            if match and fact:
                found.setdefault(fact, (match["version"], f"{folder}/{name}"))
    label = f"{source} ({why})"
    for fact, (version, path) in sorted(found.items()):
        yield Known(fact, version, label, path)
    if "torch.version" not in found:
        yield Unknown("torch.version", "PyTorch is not installed there", label)
        return
    yield from _torch(world, found["torch.version"][1].rpartition("/")[0])


def _folded(package: str) -> str:
    return re.sub(r"[-_.]+", "_", package).lower()


def _folders(world: World, python: str) -> tuple[list[str], str, str]:
    """Where packages lie for this interpreter, who says so, and what is wrong."""
    if world.live and python:
        said = run([python, "-c", _ASK], seconds=_SECONDS, limit_bytes=LIMIT, cwd="/", own_group=False)
        if said.ok:
            try:
                return json.loads(said.stdout.strip().split("\n")[-1])["path"], python, ""
            except (ValueError, KeyError, TypeError, IndexError):
                return [], python, "it does not answer as a Python does"
        why = "it hung" if said.hung else said.detail or said.stderr.strip()[-200:] or f"status {said.status}"
        return [], python, f"the interpreter cannot be run: {why}"
    prefixes = [python.rpartition("/bin/")[0]] if "/bin/" in python else ["/opt/venv", "/opt/conda", "/usr"]
    guesses = [
        p for prefix in prefixes for guess in _GUESSES for p in world.glob(guess.format(prefix=prefix))
    ]
    return guesses, python or "site-packages", "" if guesses else "no site-packages were found"


LIMIT = 1 << 20


def _torch(world: World, site: str) -> Iterator[Finding]:
    path = f"{site}/torch/version.py"
    try:
        fields = dict(_TORCH_FIELD.findall(world.read(path)))
    except Unreadable as error:
        yield Unknown("torch.build", str(error), path)
        return
    if "cuda" in fields:
        yield Known("torch.build", "cuda", path, f"cuda = {fields['cuda']}")
        yield Known("cuda.version", fields["cuda"], path, f"cuda = {fields['cuda']}")
    elif "hip" in fields:
        yield Known("torch.build", "rocm", path, f"hip = {fields['hip']}")
        if not world.glob("/opt/rocm*/.info/version"):
            yield Known("rocm.version", fields["hip"], path, f"hip = {fields['hip']}")
    elif "xpu" in fields:
        yield Known("torch.build", "xpu", path, f"xpu = {fields['xpu']}")
    else:
        yield Known("torch.build", "cpu", path, "neither cuda, hip nor xpu")
    environ, _ = environment(world)
    library = environ.get("VLLM_NCCL_SO_PATH") or f"{site}/nvidia/nccl/lib/libnccl.so.2"
    for fact, place in (("nccl.version", library), ("rccl.version", f"{site}/torch/lib/librccl.so")):
        version = library_version(world, place)
        if version:
            yield Known(fact, version, place, "version text in the library")
