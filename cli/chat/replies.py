"""What a person typed in answer to a question: a value, "don't know", "skip", or something else."""

from __future__ import annotations

import re

from gpudoctor.engine.tuples import NamedTuple

from ...engine import EngineError
from ...engine.facts import UNSET, Value, parse_value
from ...engine.model import FactSpec

VALUE, UNKNOWN, SKIP, HELP, OTHER, WRONG = "value", "unknown", "skip", "help", "other", "wrong"

_UNKNOWN = (
    "d", "dk", "idk", "don't know", "dont know", "do not know", "not sure", "no idea", "unknown", "dunno",
    "不知道", "不清楚", "不确定",
)  # fmt: skip
_SKIP = ("s", "skip", "-", "later", "跳过", "略过")
_HELP = ("h", "help", "?", "？", "帮助")
_YES = ("y", "yes", "yep", "yeah", "true", "on", "是", "是的", "有", "对", "会")
_NO = ("n", "no", "nope", "false", "off", "否", "不是", "没有", "不", "不会", "无")
_UNSET = ("unset", "not set", "none", "empty", "未设置", "没设置", "没有设置")
_WORDS = re.compile(r"\s+")


class Reply(NamedTuple):
    """A reply that was understood as ``kind``; ``value`` for a value, ``text`` for what was wrong with it."""

    kind: str
    value: Value | None = None
    text: str = ""


def choices_of(spec: FactSpec) -> list[tuple[Value, str]]:
    """The numbered answers of a question, as values and words; empty where the answer is typed."""
    if spec.type == "bool":
        return [(True, "yes"), (False, "no")]
    return [(value, value) for value in spec.values]


def read_reply(text: str, spec: FactSpec) -> Reply:
    """Understand an answer to a question about ``spec``."""
    word = _WORDS.sub(" ", text.strip()).rstrip(".!。！").lower()
    for kind, known in ((UNKNOWN, _UNKNOWN), (SKIP, _SKIP), (HELP, _HELP)):
        if word in known:
            return Reply(kind)
    choices = choices_of(spec)
    if choices:
        return _chosen(word, text, spec, choices)
    if spec.name.startswith("env.") and word in _UNSET:
        return Reply(VALUE, UNSET)
    if "\n" in text.strip() or len(text) > 200:
        return Reply(OTHER)
    try:
        return Reply(VALUE, parse_value(spec, text.strip()))
    except EngineError as error:
        return Reply(OTHER if len(word.split()) > 2 else WRONG, text=error.message)


def _chosen(word: str, text: str, spec: FactSpec, choices: list[tuple[Value, str]]) -> Reply:
    if word.isdecimal() and 1 <= int(word) <= len(choices) and word not in spec.values:
        return Reply(VALUE, choices[int(word) - 1][0])
    if spec.type == "bool":
        if word in _YES:
            return Reply(VALUE, True)
        if word in _NO:
            return Reply(VALUE, False)
    exact = [value for value, name in choices if name.lower() == word]
    near = exact or [value for value, name in choices if word and name.lower().startswith(word)]
    if len(near) == 1:
        return Reply(VALUE, near[0])
    if len(word) == 1 and "a" <= word <= "z" and not near and ord(word) - ord("a") < len(choices):
        return Reply(VALUE, choices[ord(word) - ord("a")][0])
    if len(near) > 1:
        return Reply(WRONG, text=f'"{text.strip()}": {", ".join(str(value) for value in near)}?')
    if len(word.split()) > 1 or len(word) > 12 or not word.isascii():
        return Reply(OTHER)
    listed = ", ".join(name for _, name in choices)
    return Reply(WRONG, text=f'"{text.strip()}": {listed}?')


def read_numbers(text: str, count: int) -> list[int] | None:
    """Chosen numbers from 1 to ``count`` (``1 3`` or ``1,3``), [] for none of them, None if it is neither."""
    word = text.strip().lower()
    if word in (*_NO, "0", "none", "none of these", "neither", "都不是", "都没有"):
        return []
    if word in _YES and count == 1:
        return [1]
    parts = [part for part in re.split(r"[\s,;、，]+", word) if part]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= count for part in parts):
        return None
    return sorted({int(part) for part in parts})
