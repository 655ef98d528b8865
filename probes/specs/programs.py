"""What the command line of a job says: engine or launcher, how many ranks, how many nodes, variables it passes on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .engineoptions import read_engine_options
from .launch import Draft, whole
from .shellwords import ASSIGNMENT, Word, commands

_PROGRAMS = (
    ("vllm", re.compile(r"(?:^|/)vllm$|^vllm\.entrypoints\.")),
    ("sglang", re.compile(r"^sglang\.launch_server$|(?:^|/)sglang$")),
    ("torchrun", re.compile(r"(?:^|/)torchrun$|^torch\.distributed\.(?:run|launch)$")),
    ("accelerate", re.compile(r"(?:^|/)accelerate$")),
    ("deepspeed", re.compile(r"(?:^|/)deepspeed$")),
    ("mpirun", re.compile(r"(?:^|/)(?:mpirun|mpiexec)$")),
)
_TENSOR = ("--tensor-parallel-size", "--tensor_parallel_size", "-tp", "--tp-size", "--tp")
_RANKS = re.compile(r"--nproc[-_]per[-_]node")
_NODES = re.compile(r"--(?:nnodes|num[-_]machines)")
_ADDRESS = re.compile(r"--(?:master[-_]addr|dist-init-addr|rdzv[-_]endpoint|main_process_ip)")
_SHELLS = re.compile(r"(?:^|/)(?:ba|z|da)?sh$")
_MASKS_OUTSIDE = ("--headless", "--data-parallel-address", "--node-rank", "--nnodes")


def read_command(words: Sequence[Word], draft: Draft) -> None:
    """Add what one command line says to a launch."""
    words = _inside_shell(words, draft)
    texts = [word.text for word in words]
    found = [(name, at) for at, text in enumerate(texts) for name, sign in _PROGRAMS if sign.search(text)]
    for word in words:
        match = ASSIGNMENT.fullmatch(word.text)
        if not match:
            break
        draft.set(match[1], match[2], word.line)
    names = [name for name, _ in found]
    for name, at in found:
        if (
            name == "vllm"
            and "/" not in texts[at]
            and texts[at + 1 : at + 2] != ["serve"]
            and "." not in texts[at]
        ):
            continue
        if name == "accelerate" and texts[at + 1 : at + 2] != ["launch"]:
            continue
        draft.say("launcher", name, words[at].line)
        if name in ("vllm", "sglang"):
            read_engine_options(name, words[at:], draft)
    _nested(texts, words, draft)
    _numbers(words, names, draft)
    if "mpirun" in names:
        _passed_on(words, draft)


def _inside_shell(words: Sequence[Word], draft: Draft) -> Sequence[Word]:
    """The job of ``bash -c "..."``: the commands before it only set variables."""
    for at, word in enumerate(words[:-1]):
        if _SHELLS.search(word.text) and re.fullmatch(r"-\w*c", words[at + 1].text) and len(words) > at + 2:
            script = words[at + 2]
            inner = list(commands(script.text, script.line))
            for command in inner[:-1]:
                read_assignments(command, draft)
                read_command(command, draft)
            return inner[-1] if inner else words
    return words


def read_assignments(command: Sequence[Word], draft: Draft, exported: bool = False) -> dict[str, str] | None:
    """What ``export A=1 B=2`` or ``A=1`` assigns; None for any other command.

    Only what is exported is a setting of the job; ``exported``: everything is.
    """
    exports = exported or command[0].text in ("export", "declare")
    rest = [
        word for word in command if not word.text.startswith("-") and word.text not in ("export", "declare")
    ]
    pairs = [ASSIGNMENT.fullmatch(word.text) for word in rest]
    if not rest or not all(pairs):
        return None
    found: dict[str, str] = {}
    for word, pair in zip(rest, pairs, strict=True):
        if pair:
            found[pair[1]] = pair[2]
            if exports:
                draft.set(pair[1], pair[2], word.line)
    return found


def _nested(texts: list[str], words: Sequence[Word], draft: Draft) -> None:
    if "srun" in texts[:1] and any(re.search(r"(?:^|/)(?:mpirun|mpiexec)$", text) for text in texts[1:]):
        draft.say("spec.srun_mpirun", True, words[0].line)
    if texts and texts[0].rpartition("/")[2] == "slurmd":
        draft.say("spec.starts_slurmd", True, words[0].line)


def _numbers(words: Sequence[Word], names: list[str], draft: Draft) -> None:
    for at, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if not name.startswith("-"):
            continue
        value = value if equals else words[at + 1].text if at + 1 < len(words) else ""
        number = whole(value)
        if name in _TENSOR and {"vllm", "sglang"} & {*names} and number:
            draft.say("parallel.tensor", number, word.line)
        elif _RANKS.fullmatch(name) and number:
            draft.say("parallel.ranks_per_node", number, word.line)
        elif _NODES.fullmatch(name):
            low, _, high = value.partition(":")
            if number or (high and whole(low)):
                draft.say("node.count", number or whole(low) or 1, word.line)
            else:
                draft.say("spec.nodes_elsewhere", True, word.line)
        elif _ADDRESS.fullmatch(name):
            host = value.rpartition(":")[0] or value
            if value and not host.startswith("$"):
                draft.say("spec.master_addr", host, word.line)
            if name == "--dist-init-addr":
                draft.say("spec.nodes_elsewhere", True, word.line)
        elif name in _MASKS_OUTSIDE or (name == "--distributed-executor-backend" and value == "ray"):
            draft.say("spec.nodes_elsewhere", True, word.line)


def _passed_on(words: Sequence[Word], draft: Draft) -> None:
    """``mpirun -x NAME=VALUE`` sets a variable for every rank."""
    for at, word in enumerate(words[:-1]):
        if word.text in ("-x", "-genv", "-env"):
            pair = ASSIGNMENT.fullmatch(words[at + 1].text)
            if pair:
                draft.set(pair[1], pair[2], words[at + 1].line)
