"""What a person says beside a message in its line, told from the message, and texts in other languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.language.foreign import is_foreign, is_ours
from gpudoctor.engine.language.mention import beside, is_amid, is_cited

SAMPLE = "NCCL WARN Mismatched NCCL version detected : rank 8 version 22604 rank 0 version 22703"


def no_samples():
    return ()


def samples():
    return (SAMPLE,)


@given(st.text(max_size=700), st.text(max_size=700), st.sampled_from([no_samples, samples]))
def test_what_stands_beside_is_part_of_the_line(head, tail, known):
    found = beside(head, tail, known)
    assert head[-300:].startswith(found.head) and tail[:300].endswith(found.tail)


def test_a_message_has_words_of_its_own():
    head, tail = (
        "we saw Mismatched ",
        " detected : rank 8 version 22604 rank 0 version 22703 and then it was fine",
    )
    assert beside(head, tail, samples) == ("we saw ", "and then it was fine", True)
    assert not beside("Mismatched ", " detected : rank 8", samples).is_sentence


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("gpu-node-07 app[3312]: ", ""),
        ("kubelet ", " in pod train-0"),
        ('level=error ts=2025 pid=7 msg="', '" and the rest of it'),
        ("torch._assert(a == b, got == ", " it is so in our test"),
    ],
)
def test_names_and_fields_are_no_sentence(head, tail):
    assert not beside(head, tail, no_samples).is_sentence


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("what does it mean if my log says ", ""),
        ("no ", " was seen on any of our nodes"),
        ("昨天群里有人贴了 ", "，不是我们的机器"),
    ],
)
def test_a_person_speaks_beside_it(head, tail):
    assert beside(head, tail, no_samples).is_sentence


def test_a_sentence_goes_on():
    assert is_amid("the first hint was ", " and they blamed the kernel")
    assert not is_amid("the first hint was ", ".")


@pytest.mark.parametrize(
    ("head", "tail", "cited"),
    [
        ('classify("', '")', True),
        ('expect_log "', '"', True),
        ('    example: "', '"', True),
        ("in our guide we call it “", "” and so on", True),
        ("lines that contain `", "` are dropped", True),
        ('RuntimeError("', '")', False),
        ('{"level": "error", "message": "', '"}', False),
        ('level=error lastError="', '"', False),
        ('the "first" and then ', "", False),
    ],
)
def test_persons_and_source_code_cite(head, tail, cited):
    assert is_cited(head, tail) is cited


@pytest.mark.parametrize(
    ("text", "foreign", "ours"),
    [
        ("Bei uns bricht das Training ab, und wir wissen nicht, wie es weitergeht", True, True),
        ("In der Übung wird eine Zeile eingespielt und das System ist nicht betroffen", True, False),
        ("学習を開始すると止まります。どうすれば直りますか?", True, True),
        ("起動直後にまれに下記が表示される不具合を修正", True, False),
        ("How do I install the os driver from nvidia.com?", False, False),
        ("我们的训练卡住了", False, False),
    ],
)
def test_other_languages(text, foreign, ours):
    assert is_foreign(text) is foreign
    assert is_ours(text) is ours
