"""The interpreter in which the job runs: has it torch, for which GPUs, and how many does it see?"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from gpudoctor.engine.tuples import NamedTuple

from ...engine.redaction import redact
from ...engine.vendors import VENDORS, Vendor, by_name
from ..boundedchild import absolute, run
from ..childend import ChildEnd
from ..text import safe
from .errors import CollectiveError

# Reads torch's version file as text: importing torch takes seconds.
_LOOK = r"""
import importlib.util, json, re, sys
found = {"executable": sys.executable, "torch": "", "builds": {}, "vllm": ""}
def version(name):
    try:
        from importlib import metadata
        return metadata.version(name)
    except Exception:
        return ""
spec = importlib.util.find_spec("torch")
if spec is not None and spec.submodule_search_locations:
    found["torch"] = version("torch") or "?"
    try:
        text = open(spec.submodule_search_locations[0] + "/version.py").read()
        for key, value in re.findall(r"^(\w+)\b[^=\n]*= *['\"]([^'\"]+)", text, re.M):
            found["builds"][key] = value
    except OSError:
        pass
    found["vllm"] = version("vllm")
print(json.dumps(found))
"""
# Properties need no context on the GPU, so a busy GPU is not touched.
_GPUS = """
import json, sys, torch
api = getattr(torch, sys.argv[1])
found = [api.get_device_properties(i) for i in range(api.device_count())] if api.is_available() else []
print(json.dumps([[str(p.name), str(getattr(p, "uuid", "") or "")] for p in found]))
"""
LOOK_SECONDS, GPUS_SECONDS = 10.0, 40.0
ADVICE = (
    "name the interpreter in which the job runs with --python PATH, "
    "for example the bin/python of the environment that holds vLLM or torch"
)


class Interpreter(NamedTuple):
    """An interpreter with torch."""

    path: str
    torch: str
    built_for: str = ""  # the vendor whose GPUs its torch was built for; empty where for none
    vllm: str = ""
    gpus: tuple[tuple[str, str], ...] = ()  # name and UUID of each GPU that torch sees; UUID may be empty
    trouble: str = ""  # why its GPUs could not be listed

    @property
    def vendor(self) -> Vendor | None:
        """The vendor whose GPUs torch was built for; None where for none."""
        return by_name(self.built_for)


def find(path: str = "", environment: Mapping[str, str] | None = None) -> Interpreter:
    """The interpreter that was named, or the first in the usual places that has torch.

    Raises CollectiveError if there is none.
    """
    environment = os.environ if environment is None else environment
    # The children run elsewhere: a path relative to here would mean another file there.
    named = [absolute(path)] if path else list(candidates(environment))
    tried = []
    for candidate in named:
        found, why = _look(candidate, environment)
        if found is not None:
            return found
        tried.append(why)
    if path:
        raise CollectiveError(f"{tried[0]}: {ADVICE}")
    places = ", ".join(named)
    raise CollectiveError(f"no interpreter with torch was found (looked at {places}): {ADVICE}")


def candidates(environment: Mapping[str, str]) -> Iterator[str]:
    """The active environment, the python of the path, our own; each once."""
    seen = set()
    active = [environment[n] + "/bin/python" for n in ("VIRTUAL_ENV", "CONDA_PREFIX") if environment.get(n)]
    on_path = [
        found for name in ("python3", "python") if (found := shutil.which(name, path=environment.get("PATH")))
    ]
    for candidate in (*active, *on_path, sys.executable):
        # Not resolved: a virtual environment is told by the path under which it is called.
        if candidate not in seen and Path(candidate).exists():
            seen.add(candidate)
            yield candidate


def _look(path: str, environment: Mapping[str, str]) -> tuple[Interpreter | None, str]:
    outcome = run([path, "-c", _LOOK], seconds=LOOK_SECONDS, env=environment, cwd="/")
    if not outcome.ok:
        why = _last_words(outcome)
        return None, f"{path} cannot be run as a Python interpreter ({why})"
    try:
        found = json.loads(outcome.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        return None, f"{path} is no Python interpreter"
    if not found["torch"]:
        return None, f"{path} has no torch"
    built_for = next((vendor.name for vendor in VENDORS if found["builds"].get(vendor.build)), "")
    return Interpreter(path, found["torch"], built_for, found["vllm"]), ""


def gpu_nodes() -> int:
    """GPUs that have a device node here; without one, asking torch would be a waste of seconds."""
    patterns = {
        pattern
        for vendor in VENDORS
        for pattern, beside in vendor.nodes
        if not beside or Path(beside).exists()
    }
    return sum(len(list(Path("/").glob(pattern.lstrip("/")))) for pattern in patterns)


def with_gpus(found: Interpreter, environment: Mapping[str, str] | None = None) -> Interpreter:
    """The same with the GPUs that its torch sees."""
    api = found.vendor.api if found.vendor else "cuda"
    outcome = run([found.path, "-c", _GPUS, api], seconds=GPUS_SECONDS, env=environment, cwd="/")
    try:
        gpus = json.loads(outcome.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        return found._replace(trouble=f"torch could not list the GPUs: {_last_words(outcome)}")
    return found._replace(gpus=tuple((str(name), str(uuid)) for name, uuid in gpus))


def _last_words(outcome: ChildEnd) -> str:
    words = outcome.detail or (outcome.stderr.strip().splitlines() or [outcome.state])[-1]
    return redact(safe(words))[:200]
