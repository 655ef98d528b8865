import json
from importlib import resources

import jsonschema
import pytest

from gpudoctor.engine import CannotTell, Fact, Knowledge, Origin, Session
from gpudoctor.engine.diagnosis.verdict import Explained, loose_facts
from gpudoctor.engine.facts import Settled

from .smallkb import small_knowledge


@pytest.fixture(scope="module")
def schema():
    text = (resources.files("gpudoctor.engine.diagnosis") / "diagnosis.schema.json").read_text()
    return json.loads(text)


@pytest.fixture
def session(small_kb):
    session = Session(Knowledge.load(small_kb(small_knowledge()), built_in=False))
    yield session
    session.close()


def document(session, schema):
    found = session.diagnosis().to_dict()
    jsonschema.validate(found, schema)
    return found


def test_nothing_said_is_not_health(session, schema):
    found = document(session, schema)
    assert found["verdict"] == "insufficient evidence"
    assert session.diagnosis().exit_status == 3
    assert found["next"][0]["fact"] == "symptom.stop"


def test_confirmed_with_the_facts_down_to_the_line(session, schema):
    session.add(Fact("symptom.stop", True, Origin("report", "job.log:12", "then it stops")))
    session.tell("part.broken", True)
    session.tell("runtime", "docker")
    found = document(session, schema)
    assert found["verdict"] == "diagnosed"
    assert session.diagnosis().exit_status == 1
    first = found["incidents"][0]
    assert (first["id"], first["standing"]) == ("broken-part", "confirmed")
    reason = next(r for r in first["because"] if r["fact"] == "symptom.stop" and r["slot"] == "confirms")
    assert reason["from"] == [
        {"kind": "report", "where": "job.log:12", "text": "then it stops", "trust": "printed"}
    ]
    remedy = first["remedies"][0]
    assert remedy["applies"]
    assert [s["variant"] for s in remedy["steps"]] == ["", "docker"]
    assert remedy["verify"] == ["It runs.\nenv | grep NCCL"]
    assert found["next"] == []


def test_a_remedy_that_does_not_apply_says_why(session, schema):
    session.tell("symptom.stop", True)
    session.tell("virtualization", "vm")
    remedy = document(session, schema)["incidents"][0]["remedies"][0]
    assert not remedy["applies"]
    assert remedy["why_not"] == "not in a virtual machine"


def test_a_setting_that_is_in_force_already_is_no_remedy(session):
    session.tell("symptom.stop", True)
    session.tell("env.NCCL_P2P_DISABLE", "1")
    remedy = session.diagnosis().to_dict()["incidents"][0]["remedies"][0]
    assert not remedy["applies"]
    assert remedy["why_not"] == "NCCL_P2P_DISABLE is already 1 here"


def test_what_was_ruled_out_and_by_what(session, schema):
    session.tell("symptom.stop", True)
    session.tell("part.broken", False)
    session.tell("virtualization", "none")
    found = document(session, schema)
    assert found["verdict"] == "insufficient evidence"  # the job stopped, and nothing that stands says why
    assert session.diagnosis().exit_status == 3
    assert {r["id"]: r["because"] for r in found["ruled_out"]} == {
        "broken-part": [{"fact": "part.broken", "value": False}],
        "bad-guest": [{"fact": "virtualization", "value": "none"}],
    }
    assert found["unexplained"][0]["fact"] == "symptom.stop"


def test_gaps_and_unexplained_lines(session, schema):
    session.tell("symptom.stop", True)
    session.add(CannotTell("part.broken", "permission denied", Origin("probe", "sysfs")))
    session.add(Fact("log.error_line", "ValueError: odd", Origin("report", "a.log:3", "ValueError: odd")))
    found = document(session, schema)
    assert found["gaps"] == [{"fact": "part.broken", "reason": "permission denied"}]
    assert found["unexplained"] == [{"where": "a.log:3", "text": "ValueError: odd", "fact": ""}]


def test_circumstances_alone_make_nothing_possible(knowledge, schema):
    session = Session(knowledge)
    for name, value in (
        ("gpu.vendor", "nvidia"),
        ("launcher", "vllm"),
        ("parallel.tensor", 4),
        ("gpu.count", 4),
    ):
        session.tell(name, value)
    found = document(session, schema)
    assert found["incidents"] == []
    assert found["verdict"] == "insufficient evidence"


def test_a_collective_incident_is_never_confirmed(knowledge):
    session = Session(knowledge)
    for name, value in (
        ("gpu.vendor", "nvidia"),
        ("symptom.hang-at-init", True),
        ("symptom.gpu-util-100-idle", True),
        ("collective.p2p_off", "pass"),
        ("symptom.topo-p2p-ok", True),
    ):
        session.tell(name, value)
    assert {s.id: s.standing for s in session.standings()}["p2p-path-broken"] == "likely"


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"collective.default": "pass"}, "no known incident"),
        ({"collective.default": "pass", "collective.transport": "P2P/IPC"}, "no known incident"),
        ({"collective.gloo": "pass"}, "insufficient evidence"),  # says nothing of GPUs
        ({"collective.default": "pass", "collective.shm_off": "hang"}, "insufficient evidence"),
    ],
)
def test_collectives_that_pass_are_evidence_that_no_incident_explains(knowledge, facts, verdict):
    session = Session(knowledge)
    for name, value in facts.items():
        session.tell(name, value)
    assert session.diagnosis().verdict == verdict


@pytest.mark.parametrize(
    ("name", "explained", "is_loose"),
    [
        ("xid.79", (), True),
        ("xid.79", ("job.log:1",), False),
        ("issue.accelerate-barrier-guesses-device", ("job.log:1",), True),
        ("issue.accelerate-barrier-guesses-device", ("job.log:1", "job.log:9"), False),
    ],
)
def test_one_explained_line_stands_for_an_event_and_not_for_a_known_issue(
    knowledge, name, explained, is_loose
):
    session = Session(knowledge)
    seen = Settled(name, True, tuple(Origin("report", f"job.log:{line}") for line in (1, 9)))
    loose = loose_facts(session, True, [seen], Explained(set(), set(explained)))
    session.close()
    assert loose == ([seen] if is_loose else [])
