"""``gpudoctor probe``: the facts of this machine, of another environment, or of a captured machine."""

from __future__ import annotations

import argparse
import datetime
import json
import textwrap
from typing import TYPE_CHECKING, Any

from ...engine.facts import CannotTell, Fact
from ...engine.facts.nodefacts import SCHEMA
from ..errors import OK, UsageError
from ..inputs.knowledge import load_knowledge
from ..inputs.machine import examined
from ..output import as_json, write

if TYPE_CHECKING:
    from ...engine import Knowledge
    from ...probes.live import Examination
    from ...probes.machine.world import World

_NOT_APPLICABLE = "not applicable: there is nothing here that it concerns"


def probe(arguments: argparse.Namespace) -> int:
    """Print what the probes find, as YAML or JSON, or what there is to probe."""
    if arguments.list:
        write(arguments, _listing())
        return OK
    knowledge = load_knowledge(arguments.kb)
    if arguments.history:
        from ..inputs.bedside import keep_machine

        if arguments.root or arguments.captured:
            raise UsageError("--history keeps captures of this machine: not with --root or --from")
        keep_machine(knowledge, arguments.history, arguments.history_size, arguments.python)
    with examined(knowledge, arguments) as (examination, world):
        document = as_document(examination, world, arguments, knowledge)
    text = as_json(document) if arguments.format == "json" else as_yaml(document)
    write(arguments, text)
    return OK


def as_document(
    examination: Examination, world: World, arguments: argparse.Namespace, knowledge: Knowledge
) -> dict[str, Any]:
    """The JSON form: which node, when, each fact with its sources, each gap with its reason."""
    from ...probes.machine.catalogue import PROBES

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
    from ...probes.text import safe

    return " ".join(safe(" ".join(text.split())).split())


def _listing() -> str:
    from ...probes.machine.catalogue import DISTURBS, LEVELS, PROBES, ROOT
    from ...probes.tools import tools

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
