"""Tools that a round asks beside the files: each a bounded child, with what its output is read by."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator

from gpudoctor.engine.tuples import NamedTuple

from ..engine.redaction import redact
from .childend import FLOODED, MISSING, REFUSED, ChildEnd
from .machine import nvml
from .machine.catalogue import DRIVER, PASSIVE
from .machine.finding import Finding, Known, Text, Unknown
from .machine.kernellog import KMSG, interesting

DEEP = 20.0
HUNG, STUCK = "probe.hung", "probe.hung_in_kernel"
PATIENCE = 8.0
"""Seconds for a tool that asks the driver: the first to come loads it, which takes seconds without persistence, and
that must not look like a hang."""
_COMPLAINT = 4000
_SILENT = 0.6
_GPU_FACTS = ("gpu.vendor", "gpu.count", "gpu.model", "driver.version")


class Tool(NamedTuple):
    """A command, how long it may take, and what reads what it said."""

    name: str
    level: str
    command: tuple[str, ...]
    seconds: float
    deep: float
    facts: tuple[str, ...]
    read: Callable[[ChildEnd], Iterable[Finding]]


def tools(live: bool) -> tuple[Tool, ...]:
    """The tools of a round, on this machine or as a captured tree answers for them."""
    return (
        Tool("nvml", DRIVER, nvml_command(), PATIENCE, DEEP, nvml.FACTS, _read_nvml),
        Tool("nvidia-smi", DRIVER, ("nvidia-smi", "-q"), PATIENCE, DEEP, _GPU_FACTS, _text("nvidia-smi -q")),
        Tool(
            "nvidia-topology", DRIVER, ("nvidia-smi", "topo", "-m"), PATIENCE, DEEP,
            ("topology.link", "topology.nic_link"), _text("nvidia-smi topo -m"),
        ),
        Tool(
            "amd-smi", DRIVER, ("amd-smi", "static", "--asic", "--json"), PATIENCE, DEEP,
            _GPU_FACTS[:3], _text("amd-smi static"),
        ),
        Tool(
            "amd-topology", DRIVER, ("amd-smi", "topology", "--json"), PATIENCE, DEEP, ("topology.link",),
            _text("amd-smi topology"),
        ),
        Tool(
            "xpu-smi", DRIVER, ("xpu-smi", "discovery"), PATIENCE, DEEP, _GPU_FACTS[:3], _text("xpu-smi discovery"),
        ),
        Tool(
            "xpu-topology", DRIVER, ("xpu-smi", "topology", "-m"), PATIENCE, DEEP, ("topology.link",),
            _text("xpu-smi topology -m"),
        ),
        Tool(
            "fabric-manager-version", PASSIVE, ("nv-fabricmanager", "--version"), 1.0, 2.0, (), _nothing,
        ),
        *((_JOURNAL,) if not live or not _may_read_log() else ()),
    )  # fmt: skip


def nvml_command() -> tuple[str, ...]:
    """The child that asks NVML; nvidia-ml-py is looked for in our own environment."""
    spec = importlib.util.find_spec("pynvml")
    folder = os.path.dirname(spec.origin) if spec and spec.origin else "/nonexistent"
    script = os.path.join(os.path.dirname(__file__), "machine", "nvmlchild.py")
    return (sys.executable or "python3", "-I", "-S", script, folder)


def _may_read_log() -> bool:
    """Opening the kernel's ring buffer tells; it never waits."""
    try:
        os.close(os.open(KMSG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def read(tool: Tool, answer: ChildEnd) -> Iterator[Finding]:
    """What a tool said; if it hung, what hung, in which state, for how long."""
    if answer.hung:
        name = os.path.basename(tool.command[0]) if tool.name != "nvml" else "NVML"
        call = nvml.last_call(answer.stdout) if tool.name == "nvml" else " ".join(tool.command)
        text = f"{call}: {answer.detail or 'no answer'} for {answer.silent or answer.seconds:.1f} s"
        yield Known(HUNG, name, name, text)
        # A driver that initialises one GPU after the other is slow; one that is silent for most of the time hangs.
        silent = answer.silent >= _SILENT * answer.seconds or not answer.silent
        yield Known(STUCK, "state D" in answer.detail and silent, name, text)
    elif answer.state in (MISSING, REFUSED):
        why = "absent: not installed here" if answer.state == MISSING else f"refused: {answer.detail}"
        for fact in tool.facts:
            yield Unknown(fact, f"{tool.command[0]}: {why}", tool.name)
        return
    elif answer.state == FLOODED or answer.status != 0:
        for fact in tool.facts:
            yield Unknown(fact, f"{' '.join(tool.command[:3])}: {_complaint(answer)}", tool.name)
    try:
        readings = list(tool.read(answer))
        yield from readings
        if answer.status == 0 and any(isinstance(reading, Text) for reading in readings):
            # Counts where nobody tells the fact: then what the tool printed was not its usual answer.
            for fact in tool.facts:
                yield Unknown(fact, f"{' '.join(tool.command[:3])}: its answer does not tell", tool.name)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        for fact in tool.facts:
            yield Unknown(fact, f"the answer was not understood: {type(error).__name__}", tool.name)


def _complaint(answer: ChildEnd) -> str:
    if answer.state == FLOODED:
        return "it wrote more than any answer has, and was cut off"
    # Redacted before it is cut: what makes its last line a secret may stand in the line before.
    last = redact((answer.stderr.strip() or answer.stdout.strip())[-_COMPLAINT:]).split("\n")[-1]
    return f"status {answer.status}{': ' if last else ''}{last[:200]}"


def _read_nvml(answer: ChildEnd) -> Iterator[Finding]:
    yield from nvml.findings(answer.stdout)


def _text(source: str) -> Callable[[ChildEnd], Iterator[Finding]]:
    """Output for the readers of pasted reports, the tool's complaints included."""

    def read_output(answer: ChildEnd) -> Iterator[Finding]:
        text = f"{answer.stdout}\n{answer.stderr}".strip()
        if text:
            yield Text(source, text)

    return read_output


def _nothing(answer: ChildEnd) -> Iterator[Finding]:
    yield from ()


def _read_journal(answer: ChildEnd) -> Iterator[Finding]:
    if answer.status == 0 and answer.stdout:
        yield Text("journalctl -k", interesting(answer.stdout))


_JOURNAL = Tool(
    "journal", PASSIVE, ("journalctl", "-k", "-b", "-q", "--no-pager", "-o", "short-iso", "-n", "20000"),
    1.5, 5.0, (), _read_journal,
)  # fmt: skip
