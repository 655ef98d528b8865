"""``gpudoctor explain`` and the page of an entry say the same."""

import re

import pytest

from gpudoctor.cli.content.addresses import page_folder
from gpudoctor.cli.content.entries import find
from gpudoctor.cli.render.kbpage import explain_entry
from gpudoctor.cli.render.screen import Screen

from .conftest import bare

_LINK = re.compile(r" \(([\w.-]+)\)")
_HEADINGS = {"Howitisrecognised", "Remedies,inorder", "Sources", "Look-alikes"}


def said(knowledge, name):
    """Each line that explain prints, as it must stand on the page."""
    screen = Screen(100_000)
    explain_entry(screen, knowledge, name)
    marks = [source.id for source in find(knowledge, name).sources]
    for spans in screen.lines[2:]:
        line = "".join(text for text, _ in spans).strip()
        line = re.sub(r"^(?:- |\d+\. |\[[\w.-]+\] )", "", line)
        for mark in marks:  # where the site has a number above the line
            line = line.replace(f" [{mark}]", "")
        if line and bare(line) not in _HEADINGS:
            yield line


def missing(knowledge, name, text):
    """Lines that are not on the page; where the terminal names the target of a link, the page links."""
    known = {*knowledge.incident_ids, *knowledge.remedy_ids, *knowledge.vocabulary.names}
    lost = []
    for line in said(knowledge, name):
        words = bare(line)
        if (
            words not in text
            and bare(_LINK.sub(lambda link: "" if link[1] in known else link[0], line)) not in text
        ):
            lost.append(line)
    return lost


@pytest.mark.parametrize("kind", ["incident", "known-issue", "remedy"])
def test_incidents_and_remedies(kind, knowledge, page_text):
    names = {
        "incident": knowledge.fault_ids,
        "known-issue": sorted(knowledge.issue_ids),
        "remedy": [r for r in knowledge.remedy_ids if knowledge.remedy(r).path.startswith("remedies/")],
    }[kind]
    assert len(names) > 100
    lost = {n: missing(knowledge, n, page_text(page_folder(kind, n))) for n in names}
    assert not {name: lines for name, lines in lost.items() if lines}


def test_facts(knowledge, page_text):
    names = [s.name for s in knowledge.facts() if "<" not in s.name and s.path.startswith("facts/")]
    lost = {n: missing(knowledge, n, page_text(page_folder("fact", n))) for n in names}
    assert not {name: lines for name, lines in lost.items() if lines}


def test_the_comparison_can_fail(knowledge, page_text):
    text = page_text("incidents/roce-gid-index")
    assert missing(knowledge, "roce-gid-index", text.replace("ruledoutby:rdma.gid_in_use", ""))
    assert missing(knowledge, "shm-too-small", text)
