"""systemd units."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .docker import read_run, starts_container
from .launch import SYSTEMD, Draft, Launch
from .programs import read_assignments, read_command
from .shellwords import commands

_KEY = re.compile(r"\s*([A-Z]\w*)\s*=\s*(.*)", re.DOTALL)


def is_unit(text: str) -> bool:
    """Whether a text has the section of a service."""
    return re.search(r"^\[Service\]\s*$", text, re.MULTILINE) is not None


def read_unit(text: str) -> Iterator[Launch]:
    """The service, then the container that it starts, if it does."""
    draft = Draft(SYSTEMD, "", 1)
    draft.say("runtime", "bare", 1)
    containers = []
    raised = 1
    for number, line in _lines(text):
        found = _KEY.match(line)
        if not found:
            continue
        key, value = found[1], found[2].strip()
        if key == "Environment":
            for command in commands(value, number):
                read_assignments(command, draft, exported=True)
        elif key == "LimitMEMLOCK":
            draft.say("spec.memlock", "raised", number)
            raised = number
        elif key == "ExecStart":
            for command in commands(value.lstrip("@-:+!"), number):
                if starts_container(command):
                    containers.append(read_run(command))
                else:
                    read_command(command, draft)
    if containers:
        if draft.value("spec.memlock") and all(c.value("spec.memlock") == "default" for c in containers):
            draft.say("spec.memlock_of_client", True, raised)
    else:
        draft.say("spec.memlock", "default", 1)
        if not draft.value("spec.nodes_elsewhere"):
            draft.say("node.count", 1, 1)
    yield draft.finished()
    for container in containers:
        yield container.finished()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; those that end in a backslash go on in the next."""
    whole, start = "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if not whole:
            start = number
        if line.lstrip().startswith(("#", ";")) and not whole:
            continue
        if line.endswith("\\"):
            whole += line + "\n"
            continue
        yield start, whole + line
        whole = ""
    if whole:
        yield start, whole
