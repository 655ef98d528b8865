"""``docker run`` lines, and those of podman and nerdctl."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .containers import left_out, read_capability, read_device, read_image, read_limit, read_mount
from .launch import DOCKER, Draft, size, whole
from .options import options
from .programs import read_command
from .shellwords import ASSIGNMENT, Word

_FLAGS = frozenset(
    [
        "-d",
        "--detach",
        "-i",
        "--interactive",
        "-t",
        "--tty",
        "--rm",
        "--init",
        "--privileged",
        "-P",
        "--publish-all",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--read-only",
        "-q",
        "--quiet",
        "--help",
        "--disable-content-trust",
        "--sig-proxy",
        "--replace",
        "--no-hosts",
        "--tls-verify",
        "--rmi",
        "--env-host",
    ]
)
_RUNTIMES = ("docker", "podman", "nerdctl", "sudo-docker", "nvidia-docker")


def starts_container(words: Sequence[Word]) -> int:
    """Where ``run`` or ``create`` of a container stands among the words; 0 if nowhere."""
    for at, word in enumerate(words[:-1]):
        if word.text.rpartition("/")[2] in _RUNTIMES:
            for later in range(at + 1, min(at + 4, len(words))):
                if words[later].text in ("run", "create"):
                    return later
            return 0
    return 0


def read_run(words: Sequence[Word], variables: Sequence[tuple[str, str]] = ()) -> Draft:
    """The container that a line starts. ``variables``: what the shell around it has set."""
    at = starts_container(words)
    draft = Draft(DOCKER, "", words[0].line)
    tool = words[at - 1].text.rpartition("/")[2]
    draft.say("runtime", "podman" if "podman" in [w.text for w in words[:at]] else "docker", words[0].line)
    if tool == "nvidia-docker":
        draft.say("spec.gpu_access", True, words[0].line)
    around = dict(variables)
    command: list[Word] = []
    for option in options(words[at + 1 :], _FLAGS, until_program=True):
        if not option.name:
            command.append(Word(option.value, option.line))
        else:
            _option(option.name, option.value, option.line, draft, around)
    if command:
        draft.name = command[0].text
        read_image(command[0].text, draft, command[0].line)
        read_command(_with_program(command, draft), draft)
    draft.say("container.network", "bridge", draft.line)
    if not draft.value("node.count") and not draft.value("spec.nodes_elsewhere"):
        draft.say("node.count", 1, draft.line)
    left_out(draft)
    return draft


def _with_program(command: list[Word], draft: Draft) -> list[Word]:
    """The command behind the image; the image of an engine takes its arguments right away."""
    rest = command[1:]
    if draft.value("launcher") == "vllm" and (not rest or rest[0].text.startswith("-")):
        return [Word("vllm", command[0].line), Word("serve", command[0].line), *rest]
    return rest


def _option(name: str, value: str, line: int, draft: Draft, around: dict[str, str]) -> None:
    if name == "--gpus":
        read_gpus(value, draft, line)
    elif name in ("-e", "--env"):
        pair = ASSIGNMENT.fullmatch(value)
        if pair:
            draft.set(pair[1], pair[2], line)
        elif value in around:
            draft.set(value, around[value], line)
    elif name == "--shm-size":
        draft.say("container.shm", "set", line)
        if number := size(value):
            draft.say("shm.size_bytes", number, line)
    elif name == "--ipc":
        if value == "host" or value.startswith("container:"):
            draft.say("container.shm", "host", line)
    elif name in ("--net", "--network"):
        draft.say("container.network", value if value in ("host", "none", "bridge") else "other", line)
    elif name == "--privileged":
        draft.say("container.privileged", True, line)
    elif name == "--device":
        read_device(value, draft, line)
    elif name in ("-v", "--volume"):
        source, _, target = value.partition(":")
        read_mount(source, target.partition(":")[0], draft, line)
    elif name in ("--mount", "--tmpfs"):
        fields = dict(part.partition("=")[::2] for part in value.split(","))
        target = (
            value.partition(":")[0] if name == "--tmpfs" else fields.get("target") or fields.get("dst") or ""
        )
        read_mount(fields.get("source") or fields.get("src") or "", target, draft, line)
    elif name == "--ulimit":
        read_limit(value, draft, line)
    elif name == "--cap-add":
        read_capability(value, draft, line)
    elif name == "--runtime" and value in ("nvidia", "amd"):
        draft.say("spec.gpu_access", True, line)
    elif name == "--name":
        draft.name = value


def read_gpus(value: str, draft: Draft, line: int) -> None:
    """``all``, ``2``, ``device=0,1``, ``"device=0,1"``."""
    draft.say("spec.gpu_access", True, line)
    draft.say("gpu.vendor", "nvidia", line)
    text = value.strip("\"'")
    found = re.match(r"(?:device|\"device)=([\w,.:-]+)", text)
    if found:
        draft.say("spec.gpus", len([one for one in found[1].split(",") if one]), line)
    elif number := whole(text):
        draft.say("spec.gpus", number, line)
