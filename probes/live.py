"""Live probes: everything about this machine at once, each part in a child that is given up at its limit."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from gpudoctor.engine.tuples import NamedTuple

from ..engine.facts import UNSET, Statement
from ..engine.knowledge import Knowledge
from ..engine.vendors import MASKS
from .captured import kept_answer, kept_findings
from .childend import ABANDONED, TIMED_OUT, ChildEnd
from .conversion import Said, statements
from .machine.catalogue import GROUPS, PROBES
from .machine.finding import Finding, Known, Text, Unknown
from .machine.nvidia import fabric_mismatch
from .machine.world import World
from .round import Line, Progress, RoundError, run_round
from .tools import HUNG, STUCK, Tool, read, tools

_KINDS: dict[str, Callable[..., Finding]] = {"known": Known, "unknown": Unknown, "text": Text}


class ProbeError(Exception):
    """The probes cannot be run as asked; the message is one sentence."""


class Examination(NamedTuple):
    """What was found and what was not, and how long it took."""

    statements: tuple[Statement, ...]
    seconds: float


def examine(
    knowledge: Knowledge,
    *,
    root: str | os.PathLike[str] = Path("/"),
    python: str | None = None,
    pid: int | None = None,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    timeout: float = 10.0,
    deep: bool = False,
    progress: Progress | None = None,
) -> Examination:
    """The facts of this machine, or of the tree under ``root``; returns within ``timeout`` seconds.

    ``progress`` hears ``(probe, state)`` with ``started``, ``done`` or ``timed out``. Raises ProbeError.
    """
    began = time.monotonic()
    root = os.path.realpath(os.fspath(root))
    if not os.path.isdir(root):
        raise ProbeError(f"{root}: there is no such folder")
    live = root == "/"
    files, asked = _chosen(list(only), list(skip), live)
    world = World(root)
    kept = [] if live else kept_findings(world, files)
    remaining = [name for name in files if name not in {line["probe"] for line in kept}]
    try:
        lines, outcomes = run_round(
            remaining,
            asked if live else (),
            root=root,
            python=python,
            pid=pid,
            timeout=timeout,
            deep=deep,
            packages=knowledge.packages(),
            tell=progress or (lambda name, state: None),
        )
    except RoundError as error:
        raise ProbeError(f"the probes cannot be run here: {error}") from None
    said: list[Said] = []
    for line in [*lines, *kept]:
        said += _of_probe(line)
    said += _silent(remaining, lines)
    for tool in asked:
        answer = outcomes.get(tool.name) if live else kept_answer(world, tool.name)
        if answer is not None:
            said += [(tool.name, finding) for finding in read(tool, answer)]
            said += _fabric(tool, answer, said)
    if pid is not None:
        said += _not_set(knowledge, said, pid)
    return Examination(tuple(statements(knowledge, _together(said))), time.monotonic() - began)


def _chosen(only: list[str], skip: list[str], live: bool) -> tuple[list[str], list[Tool]]:
    known = [*(probe.name for probe in PROBES), *(tool.name for tool in tools(False))]
    for name in [*only, *skip]:
        if name not in known and name not in GROUPS:
            raise ProbeError(f'there is no probe "{name}"; there are {", ".join(known)}')
    only = [one for name in only for one in GROUPS.get(name, (name,))]
    skip = [one for name in skip for one in GROUPS.get(name, (name,))]
    wanted = {name for name in known if (not only or name in only) and name not in skip}
    return [p.name for p in PROBES if p.name in wanted], [t for t in tools(live) if t.name in wanted]


def _of_probe(line: Line) -> Iterator[Said]:
    """What a probe of files found; of one that did not end, also what it owes."""
    name, state, detail = line["probe"], line["state"], line["detail"]
    spoken = set()
    for kind, *values in line["findings"]:
        if kind == "failed":
            state, detail = "failed", values[0]
        elif kind in _KINDS:
            spoken.add(values[0])
            yield name, _KINDS[kind](*values)
    if state == "done":
        return
    why = f"the probe {state}{': ' if detail else ''}{detail}"
    for fact in next((probe.facts for probe in PROBES if probe.name == name), ()):
        if fact not in spoken:
            yield name, Unknown(fact, why, name)
    if state in (TIMED_OUT, ABANDONED):
        text = f"{detail} for {line['seconds']:.1f} s"
        yield name, Known(HUNG, name, name, text)
        yield name, Known(STUCK, "state D" in detail, name, text)


def _not_set(knowledge: Knowledge, said: list[Said], pid: int) -> Iterator[Said]:
    """The variables that rules ask for and that the process was not started with: its environment was read whole.

    Not the masks of devices: Ray, torchrun's scripts and others set them in a process that runs, where nobody sees it.
    """
    found = {
        finding.fact for name, finding in said if name == "environment" and not isinstance(finding, Text)
    }
    if "nccl.conf_file" not in found:  # the last word of that probe, where it could read the environment
        return
    for name in knowledge.tested_facts():
        variable = name.removeprefix("env.")
        if variable != name and name not in found and variable not in MASKS:
            text = f"{variable} is not among those that the process was started with"
            yield "environment", Known(name, UNSET, f"/proc/{pid}/environ", text)


def _together(said: list[Said]) -> list[Said]:
    """All that hung as one fact: it has one value."""
    hung = _of(said, HUNG)
    rest = [pair for pair in said if not (isinstance(pair[1], Known) and pair[1].fact in (HUNG, STUCK))]
    if hung:
        names = ", ".join(dict.fromkeys(str(finding.value) for finding in hung))
        texts = "; ".join(f"{finding.value}: {finding.text}" for finding in hung)
        rest.append(("probes", Known(HUNG, names, hung[0].source, texts)))
        stuck = [finding.value for finding in _of(said, STUCK)]
        # NVML that still answered was slow: then the others that wait for the driver are slow as well.
        slow = any(
            name == "nvml" and f.value is False
            for name, f in said
            if isinstance(f, Known) and f.fact == STUCK
        )
        rest.append(("probes", Known(STUCK, True in stuck and not slow, hung[0].source, texts)))
    return rest


def _of(said: list[Said], fact: str) -> list[Known]:
    return [finding for _, finding in said if isinstance(finding, Known) and finding.fact == fact]


def _silent(files: Sequence[str], lines: list[Line]) -> Iterator[Said]:
    """Probes that never reported: the process in which they run was ended before they did."""
    told = {line["probe"] for line in lines}
    for probe in PROBES:
        if probe.name in files and probe.name not in told:
            for fact in probe.facts:
                yield probe.name, Unknown(fact, "the probe did not end in its time", probe.name)


def _fabric(tool: Tool, answer: ChildEnd, said: list[Said]) -> list[Said]:
    if tool.name != "fabric-manager-version" or answer.status != 0:
        return []
    versions = [f.value for _, f in said if isinstance(f, Known) and f.fact == "driver.version"]
    text = fabric_mismatch(answer.stdout, str(versions[0])) if versions else ""
    return [(tool.name, Known("service.fabric_manager", "version_mismatch", tool.name, text))] if text else []


def read_lines(knowledge: Knowledge, lines: Iterable[Line]) -> list[Statement]:
    """What a round on another machine told: a line for each probe of files, one for each tool.

    Raises ProbeError if that is not what a round tells.
    """
    known = {tool.name: tool for tool in tools(False)}
    said: list[Said] = []
    try:
        for line in lines:
            if "tool" not in line:
                said += _of_probe(line)
            elif line["tool"] in known:
                tool, answer = known[line["tool"]], ChildEnd(*line["answer"])
                said += [(tool.name, finding) for finding in read(tool, answer)]
                said += _fabric(tool, answer, said)
        return list(statements(knowledge, _together(said)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ProbeError(f"this is not what probes write: {type(error).__name__}") from None
