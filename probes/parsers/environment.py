"""Assignments of environment variables that were in force, told apart from somebody's advice.

An assignment counts where it stands as a shell, a container tool, a program or a dump prints it: alone on its
line, after ``export``, before a command, behind ``-e`` or ``-x``, in a unit, a Compose file or a pod template,
on ``os.environ``. It does not count inside a sentence, nor behind a comment mark, nor in a block that a sentence
of advice introduces ("try:", "set", "should", and their like in Chinese).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from ...engine.vendors import prefixes
from .base import Found, Lines, Parser

PREFIXES = (
    *prefixes(),
    "OFI_NCCL_", "TORCH_", "PYTORCH_", "GLOO_", "VLLM_", "SGLANG_", "RAY_", "UCX_", "FI_", "GGML_", "OMP_", "LD_",
    "ENROOT_", "SLURM_", "TRITON_", "MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy",
)  # fmt: skip
"""How the names begin that are looked for."""
WHOLE = (*prefixes(whole=True), "OFI_NCCL_", "TORCH_NCCL_", "GLOO_", "VLLM_", "SGLANG_", "UCX_", "FI_")
"""Of these every name counts, known or misspelt; of the rest those that the vocabulary knows by name."""
_NAME = "|".join(re.escape(p) + (r"[A-Za-z0-9_]{1,60}" if p.endswith("_") else "") for p in PREFIXES)
_PLAIN = r"(?:[^\s\"',;`)\]}]|,(?![A-Z][A-Z0-9_]{0,60}=)(?=[^\s\"',])){0,200}"
"""A value without quotes; a comma belongs to it unless another assignment follows, as in ``--export=A=1,B=2``."""
_ASSIGNMENT = lazy_pattern(rf"(?<![\w/$.{{-])({_NAME})=(\"[^\"]{{0,200}}\"|'[^']{{0,200}}'|{_PLAIN})")
_ADVICE = lazy_pattern(
    r"\b(?:try|should|suggest\w*|recommend\w*|please|workaround|solution|add|adding|set|setting|fix(?:ed|es)?"
    r"|solve[sd]?|need to|must|can be|export it|instead)\b"
    r"|设置|添加|建议|可以|需要|必须|尝试|改为|解决|强制|例如",
    re.IGNORECASE,
)
_LEAD = lazy_pattern(
    r"^(?!\s*#\s?(?:export\b|[A-Z]))[\s>|*#$%-]{0,40}(?:\S{0,40}[$#]\s{1,9})?"  # a quotation or list mark, a prompt
    r"(?:(?:sudo\s+)?(?:export|env|ENV|docker|podman|srun|sbatch|mpirun|mpiexec|nerdctl|apptainer|singularity|ray|"
    r"set -x)\b.*|(?:e|x|env|genv|export)[ =].*|(?:Default)?Environment=.*|"  # options, their dash is taken above
    rf"[-\"']{{0,4}}(?:{_NAME})=.*|(?:[A-Z][A-Z0-9_]*=\S*\s+)+.*)$"
)
_VALUE = r"(\"[^\"]{0,200}\"|'[^']{0,200}'|[^\s'\",})\]]{1,200})"
_OTHER_FORMS = (
    (
        "os.environ[",
        lazy_pattern(rf"os\.environ\[['\"]({_NAME})['\"]\]\s{{0,9}}=\s{{0,9}}(?:str\()?{_VALUE}"),
    ),
    (
        "os.environ.setdefault(",
        lazy_pattern(rf"os\.environ\.setdefault\(['\"]({_NAME})['\"],\s{{0,9}}{_VALUE}"),
    ),
    ("setenv", lazy_pattern(rf"^\s*setenv\s+({_NAME})\s+{_VALUE}\s*$")),
    ("ENV", lazy_pattern(rf"^\s*ENV\s+({_NAME})\s+{_VALUE}\s*$")),
    (
        ":",
        lazy_pattern(rf"^[\s>{{-]*['\"]?({_NAME})['\"]?:\s+{_VALUE}[\s,}}]*$"),
    ),  # Compose, JSON, a runtime_env
)
"""Each with a text without which it cannot be: long expressions take long to compile."""
_BEGINS = lazy_pattern(r"[\s>{-]*['\"]?([A-Za-z_]+)")
_SET_TO = lazy_pattern(rf"\b({_NAME}) set to:? (\S{{1,200}})$")
_POD = lazy_pattern(rf"^\s*-\s+name:\s*['\"]?({_NAME})['\"]?\s*$")
_POD_VALUE = lazy_pattern(rf"^\s*value:\s*{_VALUE}\s*$")
_NOT_A_VALUE = ("N/A", "None", "null")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """The assignments on the line, unless they are advice."""
    for name, text in _assignments(lines, at):
        value = text.strip("\"'`")
        if any(mark in value for mark in "$<>*|") or not value.isascii() or value in _NOT_A_VALUE:
            continue  # a placeholder, or a sentence that goes on
        yield Found(f"env.{name}", value, at)


def _assignments(lines: Lines, at: int) -> list[tuple[str, str]]:
    line = lines[at]
    pod = _POD.match(line) if "name:" in line else None
    told = _SET_TO.search(line) if " set to" in line else None
    if pod and at + 1 < len(lines):
        value = _POD_VALUE.match(lines[at + 1])
        return [(pod[1], value[1])] if value else []
    if told and line.startswith(told[1]):  # as an environment report prints it
        return [(told[1], told[2])]
    found = [(m[1], m[2]) for m in _ASSIGNMENT.finditer(line)] if "=" in line and _LEAD.match(line) else []
    found = found or [(m[1], m[2]) for form in _other_forms(line) if (m := form.search(line))]
    return [] if not found or line.lstrip().startswith("//") or _is_advice(lines, at) else found


def _other_forms(line: str) -> Iterator[re.Pattern[str]]:
    begins = _BEGINS.match(line)
    for text, form in _OTHER_FORMS:
        if text in line and (text != ":" or (begins and begins[1].startswith(PREFIXES))):
            yield form


def _is_advice(lines: Lines, at: int) -> bool:
    rest = _ASSIGNMENT.sub("", lines[at]).replace("set -x", "")
    if _ADVICE.search(rest):
        return True
    above = next((ln.strip() for ln in reversed(lines[:at]) if ln.strip(" `") and not _LEAD.match(ln)), "")
    return above.endswith((":", "：")) and bool(_ADVICE.search(above))


PARSER = Parser("environment", PREFIXES, parse, before=4, after=1, facts=("env.<NAME>",))
