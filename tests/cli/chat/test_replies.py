"""What is typed in answer to a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.cli.chat.replies import HELP, OTHER, SKIP, UNKNOWN, VALUE, WRONG, read_numbers, read_reply
from gpudoctor.engine.model import FactSpec

YES_NO = FactSpec("symptom.x", "bool", "X")
VENDOR = FactSpec("gpu.vendor", "choice", "V", ("nvidia", "amd", "intel", "none"))
RUNTIME = FactSpec("runtime", "choice", "R", ("docker", "podman", "slurm", "bare"))
VERSION = FactSpec("nccl.version", "version", "N")
SIZE = FactSpec("shm.size_bytes", "int", "S", unit="bytes")
COUNT = FactSpec("gpu.count", "int", "C")
VARIABLE = FactSpec("env.NCCL_P2P_DISABLE", "text", "E")


@pytest.mark.parametrize(
    ("spec", "text", "kind", "value"),
    [
        (YES_NO, "1", VALUE, True),
        (YES_NO, "2", VALUE, False),
        (YES_NO, " Yes. ", VALUE, True),
        (YES_NO, "没有", VALUE, False),
        (YES_NO, "是的", VALUE, True),
        (YES_NO, "d", UNKNOWN, None),
        (YES_NO, "don't know", UNKNOWN, None),
        (YES_NO, "不知道", UNKNOWN, None),
        (YES_NO, "s", SKIP, None),
        (YES_NO, "?", HELP, None),
        (YES_NO, "3", WRONG, None),
        (YES_NO, "it stops at step 400", OTHER, None),
        (VENDOR, "2", VALUE, "amd"),
        (VENDOR, "nv", VALUE, "nvidia"),
        (VENDOR, "AMD", VALUE, "amd"),
        (VENDOR, "n", WRONG, None),
        (VENDOR, "b", VALUE, "amd"),
        (RUNTIME, "d", UNKNOWN, None),
        (RUNTIME, "do", VALUE, "docker"),
        (RUNTIME, "s", SKIP, None),
        (VERSION, "2.21.5", VALUE, "2.21.5"),
        (VERSION, "two", WRONG, None),
        (VERSION, "how do I see that?", OTHER, None),
        (SIZE, "64M", VALUE, 64 << 20),
        (SIZE, "1.5 GiB", VALUE, 3 << 29),
        (COUNT, "8", VALUE, 8),
        (COUNT, "-", SKIP, None),
        (COUNT, "eight", WRONG, None),
        (VARIABLE, "not set", VALUE, "unset"),
        (VARIABLE, "1", VALUE, "1"),
    ],
)
def test_it_is_understood(spec, text, kind, value):
    reply = read_reply(text, spec)
    assert (reply.kind, reply.value) == (kind, value)
    assert reply.text or kind != WRONG


@given(st.text(max_size=80), st.sampled_from([YES_NO, VENDOR, RUNTIME, VERSION, SIZE, COUNT, VARIABLE]))
def test_nothing_that_is_typed_breaks_it(text, spec):
    reply = read_reply(text, spec)
    if reply.kind == VALUE and spec.type == "choice":
        assert reply.value in spec.values


@pytest.mark.parametrize(
    ("text", "count", "numbers"),
    [("1 3", 4, [1, 3]), ("3,1,1", 4, [1, 3]), ("2、3", 4, [2, 3]), ("none", 4, []), ("都不是", 3, []), ("5", 4, None),
     ("y", 1, [1]), ("y", 2, None), ("one", 3, None), ("", 2, None)],
)  # fmt: skip
def test_numbers(text, count, numbers):
    assert read_numbers(text, count) == numbers
