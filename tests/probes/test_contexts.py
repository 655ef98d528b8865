"""Lines that confirm an incident, in texts that tell of errors and in texts in which a program reports one."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gpudoctor.engine.language.leads import is_open, is_title, joined
from gpudoctor.engine.language.outline import Outline
from gpudoctor.engine.language.stance import Stance, is_remark, of_block, of_frame
from gpudoctor.engine.language.titles import is_told

from .test_stance import LINES
from .test_wrapped import confirms

_CONTEXTS = yaml.safe_load((Path(__file__).parent / "contexts.yaml").read_text(encoding="utf-8"))
TOLD = [context for family in _CONTEXTS["told"].values() for context in family]
"""Handbooks, denials, old logs, other machines, requests, tests, source code, changes, lists, advice, plans."""
PRINTED = _CONTEXTS["printed"]
"""Logs, and reports of those who have the fault."""
CONFIRMING = [
    *LINES,
    "nvidia-container-cli: device error: 0: unknown device",
    "2024:05:01-10:11:12:(123) |CCL_ERROR| ze_call.cpp:28 do_call: EXCEPTION: ze error at zeMemOpenIpcHandle,"
    " code: ZE_RESULT_ERROR_INVALID_ARGUMENT",
]
_STEP = 16
"""Every context with a few of the lines, each with others."""


def some(context, contexts, lines):
    return lines[contexts.index(context) % _STEP :: _STEP]


@pytest.fixture(scope="module")
def reader(knowledge):
    from gpudoctor.probes.report import Reader

    return Reader(knowledge)


@pytest.mark.parametrize("context", TOLD)
def test_what_tells_of_an_error_confirms_nothing(knowledge, reader, context):
    lines = some(context, TOLD, CONFIRMING)
    assert [line for line in lines if confirms(knowledge, reader, line, context.replace("{}", line))] == []


@pytest.mark.parametrize("context", PRINTED)
def test_what_reports_an_error_confirms(knowledge, reader, context):
    lines = [
        line for line in some(context, PRINTED, LINES) if not line.startswith("(raylet)")
    ]  # begins a line
    missed = [line for line in lines if not confirms(knowledge, reader, line, context.replace("{}", line))]
    assert missed == []


@pytest.mark.parametrize("line", CONFIRMING[-2:])
def test_what_a_command_is_told_to_print_confirms_nothing(knowledge, reader, line):
    for command in ("echo '{}'", '$ logger -p kern.err "{}"', "bash -c 'echo {}'", "$ echo {}\n{}"):
        assert not confirms(knowledge, reader, line, command.replace("{}", line))
    assert confirms(knowledge, reader, line, line)


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Error messages and what they mean", True),
        ("Frequently seen errors", True),
        ("Table 3: Errors of the driver", True),
        ("Table of ranks", False),
        ("What to do when training hangs", True),
        ("What happened", False),
        ("How to reproduce the bug", False),
        ("How would you like to use vllm", False),
        ("Error message and stack trace (if applicable)", False),
        ("Resolving Linux kernel version...", False),
        ("Your current environment", False),
        ("DIAGNOSTICS", True),
        ("报错信息说明", True),
        ("报错信息", False),
        ("Fehlermeldungen und ihre Bedeutung", True),
    ],
)
def test_a_title_names_a_class_of_errors_or_this_one(title, told):
    assert is_told(title) is told


def test_a_title_stands_alone_and_is_short():
    assert is_title("Log of the old cluster", "")
    assert not is_title("Log of the old cluster", "text")
    assert not is_title('Thread 812 (active): "MainThread"', "")


def test_a_line_that_lacks_what_it_speaks_of_introduces_the_next():
    assert is_open("Please check whether your log contains")
    assert not is_open("I do not know what else to try")
    assert not is_open("Why do I get")
    assert joined(["x", "we never", "saw this:"], 2) == "we never saw this:"
    assert joined(["It stops without an error.", "all GPUs at 100%; stack:"], 1) == "all GPUs at 100%; stack:"


@pytest.mark.parametrize(
    ("lead", "stance"),
    [
        ("Bob's machine:", Stance.ELSEWHERE),
        ("today's node:", Stance.PRINTED),
        ("our team's node:", Stance.PRINTED),
        ("We could not find the cause:", Stance.PRINTED),
        ("We did not find this line:", Stance.POSSIBLE),
        ("It worked yesterday", Stance.PRINTED),
        ("slurm-12.out:", Stance.PRINTED),
        ("old-logs/kern.log:", Stance.PAST),
    ],
)
def test_a_lead_says_whose_log_it_is(lead, stance):
    assert of_block(["", lead]) is stance


def test_an_entry_ends_where_its_explanation_begins():
    outline = Outline("Symptoms\n\nx\n\nCause\n\ny\nLog\nz\n", is_remark)
    assert of_frame(outline.frame(3)) is Stance.OPEN
    assert of_frame(outline.frame(7)) is Stance.PRINTED


def test_the_title_of_a_log_closes_a_chapter():
    outline = Outline("Open issues\n\nx\n\nKernel log\n\ny\n", is_remark)
    assert of_frame(outline.frame(3)) is Stance.OPEN
    assert of_frame(outline.frame(7)) is Stance.PRINTED
