"""What must stand in a line for an expression to match: sound for every signature, and telling for most."""

import re

import pytest

from gpudoctor.engine import Knowledge
from gpudoctor.engine.language.matching import BEYOND, LINE, as_words
from gpudoctor.engine.language.required import required


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge.load()


@pytest.mark.parametrize(
    ("expression", "groups"),
    [
        ("ibv_modify_qp failed with (?:110|error)", (("ibv_modify_qp failed with ",), ("110", "error"))),
        ("a.{0,9}b", ()),
        ("(?:two|2) gpus?", ((" gpu",),)),
        ("(?i)error 12", ((" 12",),)),
        ("(?:stuck|卡住)", ((BEYOND, "stuck")[::-1],)),
        ("(?:left|)right", (("right",),)),
        ("(?!not )here", (("here",),)),
        ("(?:word )?then", (("then",),)),
    ],
)
def test_the_texts_of_an_expression(expression, groups):
    assert {frozenset(group) for group in required(expression)} == {frozenset(group) for group in groups}


def test_no_example_of_a_signature_is_lost(knowledge):
    tried = 0
    for spec in knowledge.facts():
        for signature in spec.signatures:
            groups = required(signature.pattern)
            for line in (*signature.matches, *signature.rejects):
                text = (as_words(line) if signature.words else line)[:LINE]
                if groups and re.search(signature.pattern, text):
                    tried += 1
                    for group in groups:
                        found = any(one in text for one in group)
                        assert found or (BEYOND in group and not text.isascii()), (signature.pattern, line)
    assert tried > 500
