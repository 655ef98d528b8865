"""What every group of checks works with: this machine, the ways to start things on it, and where samples go."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import children
from .base import Base
from .checks import Fail
from .children import End
from .samples import Samples, captures
from .surroundings import Surroundings

HERE = Path(__file__).resolve().parent
START = (sys.executable, str(HERE / "start.py"))
JOB = HERE / "jobs" / "job.py"


class Kit:
    """The machine under examination. ``start`` is how gpudoctor is started, so that a dry run may stand before it."""

    def __init__(
        self,
        found: Surroundings,
        samples: Samples,
        scratch: Path,
        base: Base = Base("installed"),  # noqa: B008 - immutable
        start: Sequence[str] = START,
        may_disturb: bool = False,
        patience: float = 12.0,
    ) -> None:
        self.found, self.samples, self.scratch = found, samples, scratch
        self.may_disturb = may_disturb
        self.patience = patience
        """Seconds without any movement that ``gpudoctor run`` takes for a hang: more than NCCL takes to start."""
        self._start = [*start, *(part for folder in reversed(base.folders) for part in ("--from", folder))]
        self.left: list[str] = []
        """What commands have left behind, each with the command."""

    @property
    def python(self) -> str:
        """The interpreter of jobs; Fail where there is none, which the groups ask for first."""
        if not self.found.interpreter:
            raise Fail("no interpreter with a torch for GPUs")
        return self.found.interpreter.path

    def environment(self, **more: str) -> dict[str, str]:
        """Of everything that is started: English, and without what a launcher told us."""
        kept = {n: v for n, v in self.found.environment.items() if n not in _LAUNCHER}
        return {**kept, "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1", **more}

    def tool(self, name: str, *command: str, seconds: float = 20.0) -> End:
        """Ask a tool, and keep what it says under a name."""
        end = children.run(command, seconds, self.environment())
        self.keep(name, end)
        return end

    def gpudoctor(
        self,
        name: str,
        *arguments: str,
        seconds: float,
        env: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> End:
        """Run gpudoctor, keep what it says, and see whether it leaves a process behind."""
        command = [*self._start, *options, *arguments]
        end = children.run(command, seconds, {**self.environment(), **(env or {})}, str(self.scratch))
        self.keep(f"gpudoctor/{name}", end, f"gpudoctor {' '.join(arguments)}")
        self.left += [f"gpudoctor {arguments[0]} left {one}" for one in end.left]
        return end

    def job(self, kind: str, ranks: int = 0) -> list[str]:
        """The command of a job: with torchrun where it has ranks."""
        launcher = ["-m", "torch.distributed.run", "--nproc-per-node", str(ranks)] if ranks else []
        return [self.python, "-W", "ignore", *launcher, str(JOB), kind]

    def keep(self, name: str, end: End, command: str = "") -> None:
        """Keep an output as a sample; of one that says nothing there is nothing to keep."""
        text = end.stdout + (f"\n# standard error:\n{end.stderr}" if end.stderr.strip() else "")
        if end.status is not None and text.strip():
            self.samples.keep(f"{name}.txt", text, command or " ".join(end.command))

    def folder(self, name: str) -> Path:
        """A new folder for the evidence of one check."""
        made = self.scratch / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def capture(self, name: str, folder: Path) -> Path:
        """The archive that gpudoctor has left in a folder, kept as a sample. Fail where there is none."""
        there = captures(folder)
        if not there:
            raise Fail("gpudoctor has kept no evidence")
        self.samples.keep_capture(f"{name}.tar.gz", there[-1])
        return there[-1]


_LAUNCHER = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "LOCAL_WORLD_SIZE")


def document(end: End) -> dict[str, Any]:
    """The JSON document that a command printed, wherever it stands in its output. Fail where there is none."""
    for text in (end.stdout, end.stderr):
        for start in (0, text.find("\n{\n") + 1):
            if text[start : start + 1] == "{":
                with contextlib.suppress(ValueError):
                    found = json.JSONDecoder().raw_decode(text, start)[0]
                    if isinstance(found, dict):
                        return found
    raise Fail(f"gpudoctor gave no answer: {end.why()}")


def facts(said: dict[str, Any]) -> dict[str, list[Any]]:
    """The facts of a document with all their values."""
    found: dict[str, list[Any]] = {}
    for fact in said.get("facts", ()):
        found.setdefault(fact["name"], []).append(fact["value"])
    return found


def named(said: dict[str, Any]) -> list[str]:
    """The incidents of a diagnosis, best first."""
    return [incident["id"] for incident in said.get("incidents", ())]
