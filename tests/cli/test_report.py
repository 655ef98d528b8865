"""A report is a list of sections; terminal and Markdown are styles over it."""

from __future__ import annotations

import pytest

from gpudoctor.cli.language import ENGLISH, Language
from gpudoctor.cli.render.report import evidence, forms, leading
from gpudoctor.cli.render.report.blocks import MARKDOWN, TERMINAL, Report
from gpudoctor.cli.render.report.forms import blocks
from gpudoctor.cli.render.report.markdown import markdown_report
from gpudoctor.cli.render.report.terminal import text_report
from gpudoctor.engine import Session

SHORT = (leading.verdict, evidence.next_questions)


@pytest.fixture(scope="module")
def document(knowledge):
    session = Session(knowledge)
    for fact, value in (("symptom.hang-at-first-collective", True), ("gpu.vendor", "nvidia")):
        session.tell(fact, value)
    return session.diagnosis().to_dict()


@pytest.mark.parametrize("form", [forms.FULL, forms.ISSUE])
def test_every_section_of_a_form_serves_both_styles(document, form):
    for section in form:
        for block in section(Report(document, ENGLISH.say)):
            assert block.only in ("", TERMINAL, MARKDOWN)
    assert text_report(document, form=form).plain()
    assert markdown_report(document, form).startswith("## gpudoctor: ")


def test_a_short_form_differs_by_its_sections_only(document):
    full, short = text_report(document).plain(), text_report(document, form=SHORT).plain()
    assert "What would settle it" in short
    assert "Possible" not in short
    assert set(short.splitlines()) < set(full.splitlines())
    assert "<details>" in markdown_report(document)
    assert "<details>" not in markdown_report(document, SHORT)


def test_a_language_is_no_matter_of_the_section(document):
    chinese = text_report(document, 80, Language("zh"), SHORT).plain()
    assert chinese.isascii() is False
    assert document["next"][0]["fact"] in chinese


def test_what_is_quoted_cannot_become_markdown(document):
    line = "a | `b` <script> @all [x](y)\n# heading"
    hostile = {**document, "unexplained": [{"fact": "f", "where": "x_y:1", "text": line}]}
    shown = markdown_report(hostile, (evidence.unexplained,))
    assert shown == "### Not explained\n\n- x\\_y:1: `` a | `b` <script> @all [x](y) # heading ``\n"
    nowhere = {**document, "unexplained": [{"fact": "log.x", "where": "", "text": ""}]}
    assert markdown_report(nowhere, (evidence.unexplained,)).endswith("\n- `log.x`\n")


def test_addresses_are_numbered_in_the_order_of_their_mention(document):
    report = Report(document, str)
    assert [report.cite(url) for url in ("b", "a", "b")] == [1, 2, 1]
    assert list(blocks(report, (), TERMINAL)) == []
