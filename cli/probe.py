"""``gpudoctor probe``: the facts of this machine, of another environment, or of a captured machine."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..engine.facts import CannotTell, Fact
from .diagnose import load_knowledge
from .errors import OK, UsageError

if TYPE_CHECKING:
    from ..engine import Knowledge
    from ..probes.live import Examination
    from ..probes.machine.world import World

SCHEMA = "gpudoctor/facts/1"
_LIMIT, _DEEP = 10.0, 22.0  # seconds for a round
_NOT_APPLICABLE = "not applicable: there is nothing here that it concerns"


def probe(arguments: argparse.Namespace) -> int:
    """Print what the probes find, as YAML or JSON, or what there is to probe."""
    if arguments.list:
        _write(arguments, _listing())
        return OK
    knowledge = load_knowledge(arguments.kb)
    with examined(knowledge, arguments) as (examination, world):
        document = as_document(examination, world, arguments, knowledge)
    if arguments.format == "json":
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    else:
        text = as_yaml(document)
    _write(arguments, text)
    return OK


@contextlib.contextmanager
def examined(knowledge: Knowledge, arguments: argparse.Namespace) -> Iterator[tuple[Examination, World]]:
    """The findings for the machine, environment and process that the options name, and that machine."""
    from ..probes.capture import CaptureError, unpacked
    from ..probes.live import ProbeError, examine
    from ..probes.machine.world import World
    from .progress import ProbeProgress

    check_named(arguments)
    try:
        with contextlib.ExitStack() as stack:
            root = arguments.root or "/"
            deep = getattr(arguments, "deep", False)
            if arguments.captured:
                root = stack.enter_context(unpacked(arguments.captured))
            progress = stack.enter_context(ProbeProgress(sys.stderr))
            found = examine(
                knowledge,
                root=root,
                python=arguments.python,
                pid=arguments.pid,
                only=getattr(arguments, "only", ()),
                skip=getattr(arguments, "skip", ()),
                timeout=getattr(arguments, "timeout", None) or (_DEEP if deep else _LIMIT),
                deep=deep,
                progress=progress,
            )
            yield found, World(root)
    except (ProbeError, CaptureError) as error:
        raise UsageError(str(error)) from None


def check_named(arguments: argparse.Namespace) -> None:
    """Whether the process and the interpreter that are named are on this machine. Raises UsageError."""
    if getattr(arguments, "root", None) or getattr(arguments, "captured", None):
        return
    if arguments.pid and not os.path.isdir(f"/proc/{arguments.pid}"):
        raise UsageError(f"--pid: there is no process {arguments.pid}")
    if arguments.python and not shutil.which(arguments.python):
        raise UsageError(f"--python: {arguments.python} is no program that can be run")


def as_document(
    examination: Examination, world: World, arguments: argparse.Namespace, knowledge: Knowledge
) -> dict[str, Any]:
    """The JSON form: which node, when, each fact with its sources, each gap with its reason."""
    from ..probes.machine.catalogue import PROBES

    facts: dict[tuple[str, Any], list[dict[str, str]]] = {}
    gaps: dict[str, str] = {}
    for statement in examination.statements:
        if isinstance(statement, Fact):
            facts.setdefault((statement.name, statement.value), []).append(statement.origin.to_dict())
        elif isinstance(statement, CannotTell):
            gaps.setdefault(statement.name, statement.reason)
    spoken = {name for name, _ in facts} | set(gaps)
    for one in PROBES:
        if (arguments.only and one.name not in arguments.only) or one.name in arguments.skip:
            continue
        for fact in one.facts:
            if fact not in spoken and fact in knowledge.vocabulary and not fact.startswith("symptom."):
                gaps.setdefault(fact, _NOT_APPLICABLE)
    return {
        "schema": SCHEMA,
        "host": _line(str(world.system("hostname") or "")),
        "boot_id": _line(world.text("/proc/sys/kernel/random/boot_id")),
        "taken": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "seconds": round(examination.seconds, 3),
        "facts": [
            {"name": n, "value": v, "from": o} for (n, v), o in sorted(facts.items(), key=lambda i: i[0][0])
        ],
        "gaps": [{"fact": name, "reason": reason} for name, reason in sorted(gaps.items())],
    }


def as_yaml(document: dict[str, Any]) -> str:
    """A facts file: each value with its source as a comment, what could not be established as comments."""
    lines = [f"# gpudoctor probe, {document['host'] or 'a captured machine'}, {document['taken']}"]
    written = set()
    for fact in document["facts"]:
        name = fact["name"]
        line = f"{name}: {_scalar(fact['value'])}"
        # A second value for a fact is shown, but a file has one place for it.
        lines.append(f"{'# also said: ' if name in written else ''}{line}  # {_comment(fact['from'][0])}")
        written.add(name)
    if document["gaps"]:
        missing = [gap for gap in document["gaps"] if gap["reason"] != _NOT_APPLICABLE]
        beside = [gap["fact"] for gap in document["gaps"] if gap["reason"] == _NOT_APPLICABLE]
        lines += ["", "# Not established:"] if missing else [""]
        lines += [f"#   {gap['fact']}: {_line(gap['reason'])}" for gap in missing]
        lines += textwrap.wrap(
            f"Not applicable here: {', '.join(beside)}", 110, initial_indent="# ", subsequent_indent="#   "
        )
    return "\n".join(lines) + "\n"


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _comment(origin: dict[str, str]) -> str:
    text = f"{origin['where']}: {origin['text']}" if origin["text"] else origin["where"]
    return _line(text)[:120]


def _line(text: str) -> str:
    """One line without escapes: a captured tree may say anything, and what follows a line break would be a fact."""
    from ..probes.text import safe

    return " ".join(safe(" ".join(text.split())).split())


def _listing() -> str:
    from ..probes.machine.catalogue import DISTURBS, LEVELS, PROBES, ROOT
    from ..probes.tools import tools

    rows = [(probe.level, probe.name, ", ".join(probe.facts)) for probe in PROBES]
    rows += [(tool.level, tool.name, " ".join(tool.command[:3] if tool.name != "nvml" else ("NVML,", "every", "GPU")))
             for tool in tools(False)]  # fmt: skip
    rows += [
        (ROOT, "(acs)", "pcie.acs_redirect: sudo lspci -vvv | grep ACSCtl"),
        (ROOT, "(kernel-log)", "Xid and amdgpu errors: sudo dmesg, where dmesg_restrict is 1"),
        (ROOT, "(firewall)", "sudo nft list ruleset"),
        (DISTURBS, "(collective)", "gpudoctor collective runs a job on the GPUs"),
    ]
    lines = []
    for level, words in LEVELS.items():
        lines.append(f"{level}: {words}")
        lines += [f"  {name:<24}{text}" for one, name, text in rows if one == level]
    return "\n".join(lines) + "\n"


def _write(arguments: argparse.Namespace, text: str) -> None:
    if arguments.output:
        try:
            with open(arguments.output, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"{arguments.output}: cannot be written: {error.strerror}") from None
    else:
        sys.stdout.write(text)
        sys.stdout.flush()
