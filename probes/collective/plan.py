"""What the test will do, decided and said before anything is started."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from ...engine.vendors import Vendor
from . import interpreter
from .busy import busy_gpus
from .errors import CollectiveError
from .interpreter import Interpreter
from .runs import STALL, Setup

GLOO = "gloo"
BUDGET = 120.0
BASELINE, VARIANT, LEAST = 30.0, 20.0, 5.0
"""Seconds for the baseline and for each variant at most; with less than the last left, a run is skipped."""
_MOST_RANKS = 64


@dataclass(frozen=True)
class Options:
    """What the caller wants. ``settings`` are laid over the environment of every run; None removes.

    ``only``: the facts to establish (what they need is run); otherwise the baseline, and the matrix after a
    baseline that failed. ``join``: ADDRESS:PORT of the first node, with ``node`` of ``nodes``.
    """

    backend: str = "auto"
    ranks: int | None = None
    matrix: bool = False
    budget: float = BUDGET
    python: str = ""
    yes: bool = False
    settings: Mapping[str, str | None] | None = None
    only: tuple[str, ...] = ()
    join: str = ""
    node: int = 0
    nodes: int = 1
    environment: Mapping[str, str] | None = None
    stall: float = STALL


@dataclass(frozen=True)
class Plan:
    """A test that can be made here."""

    interpreter: Interpreter
    setup: Setup
    vendor: str
    nodes: int = 1

    @property
    def backend(self) -> str:
        """Of ``torch.distributed``: ``nccl``, ``xccl`` or ``gloo``."""
        return self.setup.backend

    @property
    def on_gpus(self) -> bool:
        """Whether GPUs take part, through the library of their vendor."""
        return self.setup.backend != GLOO

    @property
    def shared_gpu(self) -> bool:
        """Whether two ranks must share a GPU."""
        return len(set(self.setup.devices)) < len(self.setup.devices)

    def words(self, budget: float) -> str:
        """What it takes of the machine, for the person who started it."""
        ranks = f"{self.setup.here} ranks of {self.backend}, {self.interpreter.path} (torch {self.interpreter.torch})"
        if not self.on_gpus:
            memory = f"about {0.4 * self.setup.here:.1f} GB of host memory"
        else:
            gpus = ", ".join(map(str, sorted(set(self.setup.devices))))
            memory = (
                f"GPU {gpus}: at most about 2 GB on each (1 GB of it torch's, the rest context and buffers)"
            )
        return f"{ranks}; {memory}; at most {budget:.0f} s"


def make_plan(options: Options) -> Plan:
    """Choose interpreter, backend and ranks. Raises CollectiveError where no test can be made."""
    _check_meeting(options)
    environment = dict(os.environ if options.environment is None else options.environment)
    found = interpreter.find(options.python, environment)
    wanted = options.backend
    if found.vendor and (wanted == "nccl" or (wanted == "auto" and interpreter.gpu_nodes())):
        found = interpreter.with_gpus(found, environment)
    on_gpus = wanted == "nccl" or (
        wanted == "auto" and bool(found.gpus)
    )  # the GPUs' library, whatever its name
    if wanted == "auto" and interpreter.gpu_nodes() and not found.gpus:
        why = found.trouble or (
            f"the torch of {found.path} is built for no GPU" if not found.vendor else "its torch sees none"
        )
        raise CollectiveError(
            f"this machine has GPUs, but {why}: {interpreter.ADVICE}; --backend gloo tests the network alone"
        )
    if not on_gpus:
        return Plan(found, _setup(found, None, options, environment), "", options.nodes)
    vendor = _vendor_with_gpus(found, options)
    return Plan(found, _setup(found, vendor, options, environment), vendor.name, options.nodes)


def _check_meeting(options: Options) -> None:
    """Over several nodes the first node's address is needed, and a number for this one."""
    address, _, port = options.join.rpartition(":")
    if options.nodes > 1 and not options.join:
        raise CollectiveError("several nodes meet at an address of the first: --join ADDRESS:PORT")
    if options.join and not (address and port.isdecimal() and 0 < int(port) < 65500):
        raise CollectiveError(f'--join takes ADDRESS:PORT, not "{options.join}"')
    if not 0 <= options.node < max(options.nodes, 1):
        raise CollectiveError(f"--node must be between 0 and {options.nodes - 1}, not {options.node}")


def _vendor_with_gpus(found: Interpreter, options: Options) -> Vendor:
    """The vendor of the GPUs that the test would use. Raises CollectiveError where it should not be made."""
    if not found.vendor:
        raise CollectiveError(f"the torch of {found.path} is built for no GPU: {interpreter.ADVICE}")
    if not found.gpus:
        raise CollectiveError(found.trouble or f"the torch of {found.path} sees no GPU")
    if options.yes:
        return found.vendor
    busy = busy_gpus(found.vendor.name, [uuid for _, uuid in found.gpus])
    if busy:
        raise CollectiveError(
            f"{'; '.join(busy)}: the test would disturb that job; --yes makes it all the same"
        )
    return found.vendor


def _setup(found: Interpreter, vendor: Vendor | None, options: Options, environment: dict[str, str]) -> Setup:
    count = len(found.gpus)
    usual = count if vendor else 2
    here = usual if options.ranks is None else options.ranks
    if not 1 <= here <= _MOST_RANKS:
        raise CollectiveError(f"--ranks must be between 1 and {_MOST_RANKS}, not {here}")
    if not vendor and here * options.nodes == 1:
        raise CollectiveError("one rank of gloo talks to nobody: take --ranks 2")
    return Setup(
        found.path,
        vendor.backend if vendor else GLOO,
        world=here * options.nodes,
        devices=tuple(rank % count for rank in range(here)) if vendor else (),
        store=f"tcp://{options.join}" if options.join else "",
        first=options.node * here,
        environment=environment,
        stall=options.stall,
        here_ranks=here,
        api=vendor.api if vendor else "",
    )
