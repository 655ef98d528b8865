"""Signatures held against lines: one meaning for the reader, search and the linter."""

import pytest

from gpudoctor.cli.content.search import find_entries
from gpudoctor.engine.language.matching import SENTENCE, match, read, signs_in
from gpudoctor.engine.language.phrases import expand
from gpudoctor.engine.model import Signature

HANG = expand(Signature((), near=("hang", "several gpus"), unless_near=("barrier",)))


def test_phrases_are_expanded_when_the_knowledge_base_is_compiled(knowledge):
    spoken = [s for listed in knowledge.signatures().values() for s in listed if s.near]
    assert len(spoken) > 10
    assert all(s.literals and s.words for s in spoken)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("It HANGS with 2 GPUs", True),
        ("with tp=2 it hangs", True),
        ("with 2 GPUs it does not hang", None),
        ("It hangs. I have 2 GPUs", None),
        ("it hangs with 2 gpus in the barrier", None),
        ("it hangs with 2 gpus" + " " * SENTENCE, None),
    ],
)
def test_phrases(line, value):
    assert read(HANG, line) is value


def test_a_value_is_read_from_the_line():
    signature = Signature(("code ",), r"code (?P<code>\d{1,4})", unless="code 0", value="xid {code}")
    assert match(signature, "error code 79 here") == "xid 79"
    assert read(signature, "error code 0") is None
    assert read(signature, "error 79") is None


def test_the_first_line_that_says_so_is_kept():
    listed = {"symptom.x": [Signature(("Boom",)), HANG], "symptom.y": [HANG]}
    found = signs_in(listed, ["all fine", "it hangs with 4 GPUs", "Boom", "stuck on 8 gpus"])
    assert {name: sign.line for name, sign in found.items()} == {
        "symptom.x": "it hangs with 4 GPUs",
        "symptom.y": "it hangs with 4 GPUs",
    }
    assert signs_in(listed, ["boom", ""]) == {}


def test_search_hears_what_people_say(knowledge):
    assert any(hit.id == "symptom.hang-at-first-collective" for hit in find_entries(knowledge, "tp=2 hangs"))
