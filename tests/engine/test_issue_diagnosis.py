"""Known issues in the document of a diagnosis, and in the text that people read."""

import pytest

from gpudoctor.cli.render.report.terminal import text_report
from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.diagnosis.explanation import why
from gpudoctor.engine.facts import PROBE, Fact, Origin
from gpudoctor.probes.report import Reader

from .issuekb import ISSUE, ISSUE_PATH, issue_knowledge
from .smallkb import fact, incident

ID = "nccl-2-22-lazy-hang"
LINE = "node1:7:9 [0] NCCL WARN lazy connect gave up after 30 s"


@pytest.fixture
def diagnosed(small_kb):
    def run(facts, text="", measured=(), **files):
        knowledge = Knowledge.load(small_kb({**issue_knowledge(), **files}), built_in=False)
        session = Session(knowledge)
        for name, value in facts.items():
            session.tell(name, value)
        for name, value in measured:
            session.add(Fact(name, value, Origin(PROBE, "x")))
        for found in Reader(knowledge).read([text.encode()], "job.log"):
            session.add(found)
        document = session.diagnosis().to_dict()
        session.close()
        return document

    return run


def test_the_entry_says_which_releases_are_affected(diagnosed):
    document = diagnosed({"nccl.version": "2.22.3", "runtime": "docker"}, LINE)
    (first,) = document["incidents"]
    assert (first["id"], first["kind"], first["standing"]) == (ID, "known-issue", "confirmed")
    assert first["severity"] == "hang"
    assert first["affects"] == [
        {
            "product": "nccl",
            "introduced": "2.22.3",
            "fixed": "2.23.4",
            "text": "NCCL 2.22.3 to 2.23.3; fixed in 2.23.4",
        }
    ]
    assert document["kb"]["known_issues"] == 1
    text = "\n".join("".join(part for part, _ in line) for line in text_report(document).lines)
    assert "known issue of NCCL 2.22.3 to 2.23.3; fixed in 2.23.4" in text
    assert "pip install --upgrade 'nvidia-nccl-cu12>=2.23.4'" in text


def test_a_variable_that_is_set_already_does_not_hide_the_fixed_release(diagnosed):
    document = diagnosed({"nccl.version": "2.22.3", "env.NCCL_RUNTIME_CONNECT": "0"}, LINE)
    assert document["incidents"][0]["remedies"][0]["applies"]


def test_the_version_is_asked_as_the_fact_that_people_know(diagnosed):
    document = diagnosed({}, LINE)
    asked = [question["fact"] for question in document["next"]]
    assert "nccl.version" in asked
    assert not [fact for fact in asked if fact.endswith(".in_use")]


def test_why_a_version_is_asked_names_what_hangs_on_it(small_kb):
    session = Session(Knowledge.load(small_kb(issue_knowledge()), built_in=False))
    session.tell(f"issue.{ID}", "true")
    session.tell("runtime", "docker")
    changes = dict(why(session, session.planner, "nccl.version"))
    assert [change.incident for change in changes["2.22.3"]] == [ID]
    session.close()


def test_the_symptom_of_the_road_is_explained(diagnosed):
    document = diagnosed({"symptom.hang": "true", "nccl.version": "2.22.3"})
    assert [i["id"] for i in document["incidents"]] == [ID]
    assert document["unexplained"] == []


def test_a_line_of_an_issue_that_is_ruled_out_is_unexplained(diagnosed):
    document = diagnosed({}, LINE, measured=[("nccl.version", "2.26.2")])
    assert [u["text"] for u in document["unexplained"]] == [LINE]
    assert [entry["kind"] for entry in document["ruled_out"]] == ["known-issue"]


def test_a_version_that_a_person_says_does_not_silence_a_line_that_was_printed(diagnosed):
    (first,) = diagnosed({"nccl.version": "2.26.2"}, LINE)["incidents"]
    assert first["id"] == ID
    assert [entry["value"] for entry in first["contested"]] == ["2.26.2"]


def test_unless_something_else_explains_it(diagnosed):
    sign = 'question: Q\ncost: 1\nsignatures:\n  - literal: "lazy connect"\n    matches: ["lazy connect"]\n'
    files = dict(
        [fact("symptom.lazy", more=sign), incident("lazy", "suggests:\n  - strong: {symptom.lazy: true}\n")]
    )
    document = diagnosed({}, LINE, measured=[("nccl.version", "2.26.2")], **files)
    assert [i["id"] for i in document["incidents"]] == ["lazy"]
    assert document["unexplained"] == []


def test_no_bounds_and_a_need_take_the_product_to_be_in_use(diagnosed):
    text = ISSUE.replace('    introduced: "2.22.3"\n    fixed: "2.23.4"\n', "")
    silent = {ISSUE_PATH: text[: text.index("signs:")] + text[text.index("said:") :]}
    facts = {"symptom.hang": "true", "runtime": "docker"}
    found = diagnosed(facts, **silent)["incidents"]
    assert not [r for i in found for r in i["because"] if r["slot"] in ("suggests", "confirms")]
    assert [i["id"] for i in diagnosed({**facts, "nccl.version": "2.26.2"}, **silent)["incidents"]] == [ID]
