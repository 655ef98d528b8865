"""Shell scripts and sbatch scripts: what they set, the containers they start, and what Slurm is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .docker import read_run, starts_container
from .launch import SHELL, SLURM, Draft, Launch, whole
from .options import options
from .programs import read_assignments, read_command
from .shellwords import ASSIGNMENT, Command, Word, commands, expanded

_DIRECTIVE = re.compile(r"#SBATCH\s+(\S.*)")
_FLAGS = frozenset(
    [
        "--exclusive",
        "-H",
        "--hold",
        "--requeue",
        "--no-requeue",
        "-W",
        "--wait",
        "--overcommit",
        "-O",
        "--spread-job",
        "-s",
    ]
)
_GRES = re.compile(r"gpu(?::(?:[A-Za-z]\w*|\w+))??(?::(\d+))?$")


def is_batch(text: str) -> bool:
    """Whether a script tells Slurm what it needs."""
    return re.search(r"^#SBATCH\s", text, re.MULTILINE) is not None


def read_script(text: str) -> Iterator[Launch]:
    """The script itself, then every container that it starts."""
    draft = Draft(SLURM if is_batch(text) else SHELL, "", 1)
    if draft.kind == SLURM:
        draft.say("runtime", "slurm", 1)
        _directives(text, draft)
    variables: dict[str, str] = {}
    containers = []
    for raw in commands(text):
        command = [Word(expanded(word.text, variables), word.line) for word in raw]
        assigned = read_assignments(command, draft)
        if assigned is not None:
            variables.update((name, value) for name, value in assigned.items() if "$" not in value)
        elif command[0].text == "export":
            _export(command, variables, draft)
        elif starts_container(command):
            containers.append(read_run(command, list(variables.items())))
        else:
            _command(command, draft)
    yield draft.finished()
    for container in containers:
        yield container.finished()


def _export(command: Command, variables: dict[str, str], draft: Draft) -> None:
    """``export NAME`` of a variable that was assigned before."""
    for word in command[1:]:
        if word.text in variables:
            draft.set(word.text, variables[word.text], word.line)


def _command(command: Command, draft: Draft) -> None:
    first = command[0]
    if first.text == "ulimit":
        texts = [word.text for word in command[1:]]
        if any("l" in text for text in texts if text.startswith("-")) and texts[-1:] == ["unlimited"]:
            draft.say("spec.memlock", "raised", first.line)
        return
    if first.text == "srun" and any(
        "torchrun" in word.text or "torch.distributed" in word.text for word in command
    ):
        _srun(command, draft)
    read_command(command, draft)


def _srun(command: Command, draft: Draft) -> None:
    """Options of the step; a count of its own replaces that of the job."""
    for option in options(command[1:], _FLAGS | {"-l", "--label", "-v", "-u", "--unbuffered", "--pty"}, True):
        if not option.name:
            return
        if option.name == "--ntasks-per-node" and whole(option.value):
            draft.drop("spec.tasks_per_node")
            draft.say("spec.tasks_per_node", option.value, option.line)
        elif option.name in ("-n", "--ntasks", "-N", "--nodes", "-w", "--nodelist", "--overlap"):
            draft.drop("spec.tasks_per_node")  # a step of another shape than the job


def _directives(text: str, draft: Draft) -> None:
    for number, line in enumerate(text.splitlines(), start=1):
        found = _DIRECTIVE.match(line)
        if not found:
            continue
        words = [word for command in commands(found[1], number) for word in command]
        for option in options(words, _FLAGS):
            _directive(option.name, option.value, number, draft)


def _directive(name: str, value: str, line: int, draft: Draft) -> None:
    number = whole(value)
    if name in ("-N", "--nodes"):
        if number:
            draft.say("node.count", number, line)
        else:
            draft.say("spec.nodes_elsewhere", True, line)
    elif name == "--ntasks-per-node" and number:
        draft.say("spec.tasks_per_node", number, line)
    elif name in ("--gpus-per-node", "--gres"):
        for part in value.split(","):
            last = part.rpartition(":")[2]
            if name == "--gpus-per-node" and whole(last):
                draft.say("spec.gpus", int(last), line)
            elif part.startswith("gpu") and (part == "gpu" or _GRES.match(part)):
                draft.say("spec.gpus", whole(last) or 1, line)
    elif name == "--export" and value != "NONE":
        for part in value.split(","):
            pair = ASSIGNMENT.fullmatch(part)
            if pair:
                draft.set(pair[1], pair[2], line)
