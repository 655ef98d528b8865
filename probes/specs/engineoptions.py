"""What the options of an inference engine ask for, and what their absence says.

The command line of a spec is the whole of what its author asked for. So an option that is not there has its default,
unless the command takes options from elsewhere: a configuration file, a variable, a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .launch import Draft, whole
from .shellwords import Word

_GIVEN = {
    "--enable-expert-parallel": ("parallel.expert", "true"),
    "--kv-transfer-config": ("serving.kv_connector", "true"),
    "--kv_transfer_config": ("serving.kv_connector", "true"),
    "--speculative-config": ("serving.speculation", "true"),
    "--speculative-algorithm": ("serving.speculation", "true"),
    "--speculative-algo": ("serving.speculation", "true"),
    "--speculative-model": ("serving.speculation", "true"),
    "--enforce-eager": ("serving.graphs", "false"),
    "--disable-cuda-graph": ("serving.graphs", "false"),
    "--enable-lora": ("model.lora", "true"),
}
_SIZES = {
    "--data-parallel-size": "parallel.data",
    "-dp": "parallel.data",
    "--dp-size": "parallel.data",
    "--dp": "parallel.data",
    "--ep-size": "parallel.expert",
    "--ep": "parallel.expert",
    "--expert-parallel-size": "parallel.expert",
    "--pipeline-parallel-size": "parallel.pipelined",
    "-pp": "parallel.pipelined",
    "--pp-size": "parallel.pipelined",
    "--decode-context-parallel-size": "serving.decode_context",
    "-dcp": "serving.decode_context",
    "--dcp-size": "serving.decode_context",
}
_DEFAULTS = {
    "vllm": {
        "parallel.data": "1",
        "serving.decode_context": "1",
        "parallel.expert": "false",
        "parallel.pipelined": "false",
        "serving.kv_connector": "false",
        "serving.disaggregated": "false",
        "serving.speculation": "false",
        "serving.graphs": "true",
        "model.lora": "false",
    },
    "sglang": {
        "parallel.data": "1",
        "serving.decode_context": "1",
        "parallel.expert": "false",
        "parallel.pipelined": "false",
        "serving.disaggregated": "false",
        "serving.speculation": "false",
        "serving.graphs": "true",
        "model.lora": "false",
    },
}
_ELSEWHERE = re.compile(r"\$|\{\{|^--config(?:=|$)|^--(?:extra|additional)[-_]args")
_ROLE = re.compile(r"kv_(?:producer|consumer)\b")


def read_engine_options(engine: str, words: Sequence[Word], draft: Draft) -> None:
    """State what the options behind an engine's name ask for. ``words`` begin with the name of the program."""
    for at, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        value = value if equals else words[at + 1].text if at + 1 < len(words) else ""
        if name in _SIZES and (number := whole(value)):
            _size(_SIZES[name], number, draft, word.line)
        elif name in _GIVEN:
            draft.say(*_GIVEN[name], word.line)
            if name.startswith("--kv") and _ROLE.search(value):
                draft.say("serving.disaggregated", True, word.line)
        elif name == "--disaggregation-mode" and value in ("prefill", "decode"):
            draft.say("serving.disaggregated", True, word.line)
        elif name == "--quantization" and value.isidentifier():
            draft.say("model.weights", value, word.line)
    if not any(_ELSEWHERE.search(word.text) for word in words):
        for fact, usual in _DEFAULTS[engine].items():
            draft.say(fact, usual, words[0].line)


def _size(fact: str, number: int, draft: Draft, line: int) -> None:
    if fact in ("parallel.expert", "parallel.pipelined"):
        draft.say(fact, number > 1, line)
    else:
        draft.say(fact, number, line)
