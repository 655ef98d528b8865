"""Words around a line that sound as if they told of an error: a model that was fitted on contexts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.language.telling import FEW, LEAST, MARK, SHORT, features, heard, telling, weighed
from gpudoctor.probes.contexts import Contexts

from .test_stance import LINES
from .test_wrapped import confirms

BLIND = yaml.safe_load((Path(__file__).parent / "contexts-blind.yaml").read_text(encoding="utf-8"))
LINE = "NVRM: Xid (PCI:0000:9c:00): 79, pid=1234, GPU has fallen off the bus."


@pytest.fixture(scope="module")
def reader(knowledge):
    from gpudoctor.probes.report import Reader

    return Reader(knowledge)


@given(st.text(max_size=400), st.text(max_size=400))
def test_every_text_gets_a_score(before, after):
    assert -50 < telling(before, after) < 50


def test_silence_says_nothing():
    assert telling("", "") == weighed([], -3.0) == -SHORT


def test_of_few_words_little_is_believed():
    assert weighed([1.0] * (LEAST - 1), 0.0) == -SHORT
    assert weighed([1.0] * 20, 0.0) == pytest.approx(20 / FEW**0.5 - SHORT * 0.5)
    assert weighed([1.0] * 100, 0.0) == pytest.approx(10.0)


def test_the_order_of_what_is_known_changes_nothing():
    assert weighed([1e16, *[1.0] * 18, -1e16], 0.0) == pytest.approx(18 / FEW**0.5 - SHORT * 0.5)


def test_sides_are_told_apart():
    assert "<no" in features("no", "") and "<no" not in features("", "no")
    assert ">|no error" in features("", "no error here")


def test_logs_are_not_heard():
    log = ["[2025-06-11 08:42:17] [ERROR] the worker did not come back in time"] * 3
    assert heard(log, "", "", log) == ("", "")
    assert heard(["I only read about this one in a blog:"], "", "", [])[0].startswith("I only read")


def test_only_the_nearest_words_are_heard():
    far = ["in the handbook of the vendor we read this"] + ["x"] * 30
    assert heard(far, "", "", []) == ("", "")


def test_telling_words_outweigh():
    told = telling("My teacher asks in the quiz what prints", "Is answer B right? We have no such machine.")
    ours = telling("our training job stopped again this morning and the console shows", "it hangs after that")
    assert told > MARK > ours


@pytest.mark.parametrize(("kind", "confirming"), [("told", (0.0, 0.02)), ("printed", (0.64, 1.0))])
def test_contexts_that_the_rules_do_not_know(knowledge, reader, kind, confirming):
    """Of those that tell few confirm, of those that report most; the rules alone let a third of the former pass."""
    lines = [line for line in LINES if not line.startswith("(raylet)")]
    contexts = BLIND[kind]
    found = [
        confirms(knowledge, reader, line, context.replace("{}", line))
        for number, context in enumerate(contexts)
        for line in [lines[number * 7 % len(lines)]]
    ]
    least, most = confirming
    assert least <= sum(found) / len(found) <= most


@pytest.mark.parametrize(
    "context",
    [
        "Thanks for any help.\n{}", "{}\nThanks for any help.", "Full log below.\n\n{}", "{}\nAny help is welcome!",
        "Hello everybody here,\n{}",
    ],
)  # fmt: skip
def test_a_few_courteous_words_take_nothing_away(knowledge, reader, context):
    lines = [line for line in LINES[::8] if not line.startswith("(raylet)")]
    assert [
        line for line in lines if not confirms(knowledge, reader, line, context.replace("{}", line))
    ] == []


@pytest.mark.parametrize(
    "context",
    [
        "A textbook on GPUs describes  this message for students:\n{}\nI only read it there. Who prints it?",
        "For more details a textbook describes this message for students:\n{}\nI only read it there. Who prints it?",
    ],
)
def test_two_blanks_hide_nobody(knowledge, reader, context):
    lines = [line for line in LINES[::8] if not line.startswith("(raylet)")]
    assert [line for line in lines if confirms(knowledge, reader, line, context.replace("{}", line))] == []


def test_in_a_log_of_many_signs_it_is_given_up():
    contexts = Contexts()
    assert [contexts.may_listen() for _ in range(400)].count(True) == 300
