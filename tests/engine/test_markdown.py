"""Where the head of a page ends: one rule for what is shown and for what becomes a record."""

import pytest

from gpudoctor.engine.errors import KnowledgeError
from gpudoctor.engine.knowledge.markdown import read_blocks, read_page

BODY = "\n# Title\n\ntext\n"


@pytest.mark.parametrize(
    "head",
    [
        "a: 1",
        "a: 1\n----",
        "a: |\n  ---\nb: 2",
        "a: 1\n ---",
        "a: 1\n...",
        "a: --- b",
        "",
    ],
)
@pytest.mark.parametrize("end", ["---\n", "---\r\n", "--- \n"])
def test_both_readers_find_the_same_head(head, end):
    text = f"---\n{head}\n{end}{BODY}"
    shown, read = read_page(text, "x.md"), read_blocks(text, "x.md")
    assert shown.head == read.head == head
    assert [(s.title, s.line) for s in shown.sections] == [(s.title, s.line) for s in read.sections]
    assert shown.sections[0].line == text.replace("\r\n", "\n").split("\n").index("# Title") + 1


@pytest.mark.parametrize(
    "text", ["", "a: 1\n---\n", "---\na: 1\n", "---\na: 1\n----\n", "----\na: 1\n----\n", " ---\n"]
)
def test_both_readers_refuse_what_has_none(text):
    for reader in (read_page, read_blocks):
        with pytest.raises(KnowledgeError, match=r"x\.md:1"):
            reader(text, "x.md")


def test_a_head_without_a_body_ends_with_the_file():
    assert read_page("---\na: 1\n---", "x.md") == read_blocks("---\na: 1\n---", "x.md")
