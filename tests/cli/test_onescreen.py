"""The default text fits one screen: measured on a sample of the cases, and kinds of defects over all pages."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from statistics import median

import pytest

from gpudoctor.cli.authoring.casetest import load_cases, run_case
from gpudoctor.cli.language import Language
from gpudoctor.cli.render.report.blocks import Report
from gpudoctor.cli.render.report.brief import _steps
from gpudoctor.cli.render.report.markdown import markdown_report
from gpudoctor.cli.render.report.proofs import strongest
from gpudoctor.cli.render.report.terminal import COMMAND_BY, brief_report, first_command
from gpudoctor.engine import Session
from gpudoctor.engine.diagnosis.remedies import in_order, is_told
from gpudoctor.engine.rules import facts_of
from gpudoctor.probes.report import Reader

from ..conftest import ROOT

EVERY = 12
"""One in so many cases: all of them take minutes, and stand in ``make bench``."""


@pytest.fixture(scope="module")
def documents(knowledge):
    reader = Reader(knowledge)
    cases = load_cases([ROOT / "tests" / "cases"])[::EVERY]
    return {f"{c.incident}: {c.name}": run_case(knowledge, reader, c) for c in cases}


def test_the_text_fits_one_screen(documents):
    screens = [brief_report(document, 100) for document in documents.values()]
    assert median(len(screen.lines) for screen in screens) <= 32
    assert max(len(screen.lines) for screen in screens) <= 40
    assert max(first_command(screen) for screen in screens) <= COMMAND_BY
    for screen in screens:
        for line in screen.plain().splitlines():
            assert len(line) <= 100 or "http" in line or line.startswith("    "), line


def test_a_narrow_terminal_has_little_more(documents):
    assert max(len(brief_report(document, 80).lines) for document in documents.values()) <= 45


def test_headings_wrap_on_a_very_narrow_terminal(documents):
    for document in documents.values():
        for line in brief_report(document, 60).plain().splitlines():
            assert len(line) <= 60 or not line.startswith("What to do"), line


def test_a_translation_fits_as_well(documents):
    assert max(len(brief_report(d, 100, Language("zh")).lines) for d in documents.values()) <= 45


def test_nothing_is_printed_twice(documents):
    for name, document in documents.items():
        lines = [line.strip() for line in brief_report(document, 100).plain().splitlines()]
        twice = [line for line, count in Counter(lines).items() if count > 1 and len(line) > 24]
        remedies = [r for i in document["incidents"][:1] for r in i["remedies"]]
        typed = Counter(
            line.strip()
            for remedy in remedies
            for step in remedy["steps"]
            for command in step["commands"]
            for line in command.splitlines()
        )
        assert not [line for line in twice if typed[line] < 2], name  # on the head, and on every other node


def test_what_leads_names_its_remedy_its_sources_and_the_way_to_everything(documents):
    led = [d for d in documents.values() if d["incidents"] and d["incidents"][0]["standing"] != "possible"]
    assert len(led) > 20
    for document in led:
        text = brief_report(document, 100).plain()
        first = document["incidents"][0]
        assert first["id"] in text.splitlines()[0]
        remedy = next(r for r in first["remedies"] if r["applies"])
        assert remedy["title"][:40] in text
        assert first["sources"][0]["url"] in text
        assert "--full" in text


def test_markdown_folds_the_rest_and_says_nothing_twice(documents):
    for name, document in documents.items():
        shown, _, folded = markdown_report(document).partition("<details><summary>Everything else")
        assert folded.count("<details>") + 1 == folded.count("</details>")
        assert len(shown.splitlines()) <= 84, name  # dangerous steps have blocks of their own
        headings = [line for line in (shown + folded).splitlines() if line.startswith("#### ")]
        assert len(headings) == len(set(headings)), name


def test_what_only_tells_what_is_known_is_never_first(knowledge):
    """Of every page with a test among its remedies, once with all that the tests would tell."""
    tried = 0
    for name in knowledge.fault_ids:
        listed = [knowledge.remedy(one) for one in knowledge.incident(name).remedies]
        if listed[0].kind != "test" or all(one.kind == "test" for one in listed):
            continue
        session = Session(knowledge)
        for fact in sorted({fact for condition in listed[0].after for fact in facts_of(condition)}):
            spec = knowledge.vocabulary.spec(fact)
            if spec.type == "bool":
                session.tell(fact, True)
        if is_told(session, listed[0]):
            tried += 1
            first = in_order(session, [one.id for one in listed])[0]
            assert not is_told(session, knowledge.remedy(first)), name
        session.close()
    assert tried > 5


def test_a_line_under_why_is_not_unexplained_as_well(documents):
    for name, document in documents.items():
        report = Report(document, str)
        under_why = {p.place for p in strongest(report, 9) if p.origin and p.origin["kind"] == "report"}
        loose = [
            u for u in document["unexplained"] if u["fact"].startswith(("xid.", "sxid.")) or not u["fact"]
        ]
        assert not under_why & {u["where"] for u in loose}, name


def test_no_number_stands_alone(documents):
    for name, document in documents.items():
        for width in (60, 100):
            for line in brief_report(document, width).plain().splitlines():
                assert not re.fullmatch(r"\s*(?:-|\d+[.)])\s*", line), name


def test_every_cause_is_a_whole_sentence(knowledge):
    for name in (*knowledge.fault_ids, *knowledge.issue_ids):
        summary = knowledge.incident(name).summary
        assert summary.rstrip("`\"')").endswith((".", "!", "?")), name


def test_a_vendor_is_proved_by_what_is_said_not_by_an_address(knowledge):
    text = "# see https://github.com/NVIDIA/nccl/issues/1\nNCCL WARN on two NVIDIA H100\n"
    facts = {f.name: f for f in Reader(knowledge).read([text.encode()], "a.log")}
    assert facts["gpu.vendor"].origin.where == "a.log:2"


def test_no_step_of_a_remedy_is_skipped(knowledge):
    """Of every remedy and every room: what is shown is a beginning, and a step that is cut says where its rest is."""
    cut_steps = 0
    for name in knowledge.remedy_ids:
        record = knowledge.remedy(name)
        steps = [
            {"text": step.text, "commands": list(step.commands), "variant": variant}
            for variant, listed in record.steps.items()
            for step in listed
        ]
        variants = [step["variant"] for step in steps if step["variant"]]
        own = [step for step in steps if step["variant"] in ("", *variants[:1])]
        for most in (4, 5, 7, 8):
            shown, left = _steps({"steps": steps}, most)
            assert [one.step for one in shown] == own[: len(shown)], name
            assert len(shown) + left == len(steps)
            assert shown or not steps, name
            for one in shown:
                assert one.cut == (one.commands != one.step["commands"]), name
                whole = [line for command in one.step["commands"] for line in command.splitlines()]
                said = [line for command in one.commands for line in command.splitlines()]
                assert said == whole[: len(said)], name
                assert not said or not said[-1].endswith("\\"), name
                cut_steps += one.cut
    assert cut_steps > 3


def test_a_step_that_is_cut_says_where_its_rest_stands(documents):
    document = deepcopy(next(d for d in documents.values() if d["verdict"] == "diagnosed"))
    remedy = next(r for r in document["incidents"][0]["remedies"] if r["applies"])
    long = [f"command-{number}" for number in range(40)]
    remedy["steps"] = [
        {"text": "Look.", "commands": ["look"], "variant": ""},
        {"text": "Do much.", "commands": ["\n".join(long)], "variant": ""},
        {"text": "Then this.", "commands": ["then"], "variant": ""},
    ]
    lines = [line.strip() for line in brief_report(document, 100).plain().splitlines()]
    assert lines[lines.index("1) Look.") + 1] == "look"
    assert "3) Then this." not in lines and "2) Then this." not in lines
    assert f"all steps: gpudoctor explain {remedy['id']}" in lines
    remedy["steps"] = remedy["steps"][1:]
    lines = [line.strip() for line in brief_report(document, 100).plain().splitlines()]
    assert lines[lines.index("1) Do much.") + 1] == "command-0"
    assert f"… (gpudoctor explain {remedy['id']})" in lines
    assert "2) Then this." not in lines
