"""``gpudoctor explain`` and the page of an entry say the same."""

import re

import pytest

from gpudoctor.cli.addresses import page_folder
from gpudoctor.cli.explain import explain_entry
from gpudoctor.cli.paint import Sheet

from .conftest import bare

_LINK = re.compile(r" \(([\w.-]+)\)")
_HEADINGS = {"Howitisrecognised", "Remedies,inorder", "Sources", "Look-alikes"}


def said(knowledge, name):
    """Each line that explain prints, as it must stand on the page."""
    sheet = Sheet(100_000)
    explain_entry(sheet, knowledge, name)
    for spans in sheet.lines[2:]:
        line = "".join(text for text, _ in spans).strip()
        line = re.sub(r"^(?:- |\d+\. |\[[\w.-]+\] )", "", line)
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


@pytest.mark.parametrize("kind", ["incident", "remedy"])
def test_incidents_and_remedies(kind, knowledge, page_text):
    names = knowledge.incident_ids if kind == "incident" else knowledge.remedy_ids
    assert len(names) > 100
    lost = {n: missing(knowledge, n, page_text(page_folder(kind, n))) for n in names}
    assert not {name: lines for name, lines in lost.items() if lines}


def test_facts(knowledge, page_text):
    names = [spec.name for spec in knowledge.facts() if "<" not in spec.name]
    lost = {n: missing(knowledge, n, page_text(page_folder("fact", n))) for n in names}
    assert not {name: lines for name, lines in lost.items() if lines}


def test_the_comparison_can_fail(knowledge, page_text):
    text = page_text("incidents/roce-gid-index")
    assert missing(knowledge, "roce-gid-index", text.replace("ruledoutby:rdma.gid_in_use", ""))
    assert missing(knowledge, "shm-too-small", text)
