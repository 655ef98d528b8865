"""One run of all ranks with one set of variables: its specification, its environment, its outcome."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from .nursery import Nursery, clean_environment, program
from .outcome import Outcome, conclude
from .ranks import JobEnd, RankJob, finish, start

SIZES = (1, 1024, 262144, 4194304)
"""Elements of float32: 4 B, 4 KB, 1 MB, 16 MB."""
STEPS = ("device", "init", "copy", "all_reduce", "bandwidth", "all_gather", "send_recv")
PEER_COPY = 16 << 20
"""Elements that are copied between each two GPUs: 64 MB."""
STALL = 10.0
"""Seconds without a sign of any rank, once all are connected, that are taken for a hang."""

Progress = Callable[[str, int, dict[str, Any]], None]
"""Told the variant, the rank, and what the rank says of its stage."""


@dataclass(frozen=True)
class Setup:
    """What all runs of a test have in common."""

    python: str
    backend: str
    world: int
    devices: tuple[int, ...] = ()  # torch's numbers of the GPUs, one for each rank of this node
    store: str = ""  # tcp://ADDRESS:PORT where ranks are on several nodes
    first: int = 0  # number of the first rank of this node
    environment: Mapping[str, str] | None = None
    steps: tuple[str, ...] = STEPS
    sizes: tuple[int, ...] = SIZES
    stall: float = STALL
    here_ranks: int = 0
    api: str = "cuda"  # the module of torch for these GPUs

    @property
    def here(self) -> int:
        """How many ranks run on this node."""
        return self.here_ranks or self.world


class Ended(NamedTuple):
    """A run and its outcome."""

    outcome: Outcome
    end: JobEnd


def prepare(
    nursery: Nursery,
    setup: Setup,
    name: str,
    budget: float,
    settings: Mapping[str, str | None] | None = None,
    progress: Progress | None = None,
) -> RankJob:
    """Start a run; ``settings`` are laid over the environment, None removes. Raises OSError."""
    folder = nursery.job_folder()
    (folder / "rank.py").write_bytes(program("rank.py"))
    spec = {
        "parent": os.getpid(),
        "world": setup.world,
        "first": setup.first,
        "backend": setup.backend,
        "store": setup.store or f"file://{folder}/store",
        "devices": list(setup.devices),
        "api": setup.api,
        # Longer than the budget: torch's own watchdog would turn a hang into an abort of the rank.
        "timeout": budget + 60,
        "sizes": list(setup.sizes),
        "iterations": 5,
        "peer_copy": PEER_COPY,
        "steps": list(setup.steps),
    }
    (folder / "spec.json").write_text(json.dumps(spec))
    environment = rank_environment(setup, budget, str(folder), settings or {})
    commands = [
        [setup.python, "-u", str(folder / "rank.py"), str(folder / "spec.json"), str(setup.first + place)]
        for place in range(setup.here)
    ]
    heard = (lambda rank, event: progress(name, rank, event)) if progress else None
    return start(nursery, folder, commands, environment, budget, setup.stall, heard, setup.first)


def run(
    nursery: Nursery,
    setup: Setup,
    name: str,
    budget: float,
    settings: Mapping[str, str | None] | None = None,
    progress: Progress | None = None,
) -> Ended:
    """Start a run and wait for its end, at most its budget and two seconds. Raises OSError."""
    (end,) = finish([prepare(nursery, setup, name, budget, settings, progress)])
    return Ended(conclude(end), end)


def run_together(
    nursery: Nursery,
    setups: Sequence[Setup],
    name: str,
    budget: float,
    settings: Mapping[str, str | None] | None = None,
    progress: Progress | None = None,
) -> list[Ended]:
    """Several runs at the same time, on GPUs that do not overlap. Raises OSError."""
    jobs = [prepare(nursery, setup, name, budget, settings, progress) for setup in setups]
    return [Ended(conclude(end), end) for end in finish(jobs)]


def rank_environment(
    setup: Setup, budget: float, folder: str, settings: Mapping[str, str | None]
) -> dict[str, str]:
    """The user's environment without a launcher's, with what a bounded test needs, then the variant."""
    environment = clean_environment(dict(os.environ if setup.environment is None else setup.environment))
    environment.update(
        OMP_NUM_THREADS="1",
        PYTHONFAULTHANDLER="1",
        PYTHONDONTWRITEBYTECODE="1",
        TORCH_CPP_LOG_LEVEL="ERROR",
        TORCH_NCCL_ASYNC_ERROR_HANDLING="1",
        TORCH_NCCL_DUMP_ON_TIMEOUT="0",
        TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC=str(int(budget) + 60),
        NCCL_DEBUG="INFO",
        NCCL_DEBUG_FILE=os.path.join(folder, "nccl.%h.%p.log"),
        RCCL_MSCCL_ENABLE="0",
        # A cached answer of vLLM's check of peer access may be older than the machine's settings.
        VLLM_CACHE_ROOT=os.path.join(folder, "vllm"),
    )
    for name, value in settings.items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


def alone(setup: Setup, devices: Sequence[int]) -> Setup:
    """The same test on some of the GPUs."""
    return replace(
        setup, world=len(devices), here_ranks=len(devices), devices=tuple(devices), first=0, store=""
    )
