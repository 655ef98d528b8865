import random
import sys

import pytest

from gpudoctor.engine import CannotTell, Fact, FactError, Knowledge, Origin, Session

from .smallkb import small_knowledge


@pytest.fixture
def small(small_kb):
    return Knowledge.load(small_kb(small_knowledge()), built_in=False)


@pytest.fixture(params=["auto", "reference"])
def session(small, request):
    session = Session(small, request.param)
    yield session
    session.close()


def standing(session):
    return {s.id: s.standing for s in session.standings()}


def test_standings_follow_the_facts_and_their_withdrawal(session):
    assert standing(session) == {}
    session.tell("symptom.stop", True)
    assert standing(session) == {"broken-part": "possible", "bad-guest": "possible"}
    session.tell("part.broken", True)
    assert standing(session)["broken-part"] == "confirmed"
    session.tell("part.broken", False)
    assert standing(session)["broken-part"] == "ruled out"
    session.forget("part.broken")
    session.tell("virtualization", "none")
    assert standing(session) == {"broken-part": "possible", "bad-guest": "ruled out"}
    session.forget("symptom.stop")
    assert standing(session) == {}


def test_an_unknown_fact_is_not_no(session):
    session.tell("symptom.stop", True)
    session.cannot_tell("part.broken", "nobody looked")
    assert standing(session)["broken-part"] == "possible"
    assert session.settled("part.broken").reason == "nobody looked"


def test_an_answer_replaces_an_answer_but_not_a_measurement(session):
    session.add(Fact("part.broken", False, Origin("probe", "sysfs")))
    session.tell("part.broken", True)
    assert session.value("part.broken") is True
    assert session.settled("part.broken").conflicts[0].value is False
    session.forget("part.broken")
    assert session.value("part.broken") is False


def test_derived_facts_say_which_rule_gave_them(session):
    session.tell("runtime", "docker")
    settled = session.settled("variant.docker")
    assert settled.value is True
    assert settled.origins[0].kind == "rule"
    assert settled.origins[0].text == "runtime is docker"
    session.tell("variant.docker", False)
    assert session.value("variant.docker") is False
    session.forget("variant.docker")
    assert session.value("variant.docker") is True


def test_a_conclusion_is_trusted_as_far_as_the_fact_under_it(session):
    session.add(Fact("runtime", "docker", Origin("report", "r:1", "in docker", "said")))
    assert session.settled("variant.docker").trust == "said"
    session.add(Fact("runtime", "docker", Origin("probe", "cgroup")))
    assert session.settled("variant.docker").trust == "measured"


def test_bad_statements_change_nothing(session):
    with pytest.raises(FactError):
        session.tell("part.brokn", True)
    with pytest.raises(FactError):
        session.tell("part.broken", "perhaps")
    with pytest.raises(FactError):
        session.cannot_tell("nothing")
    assert session.facts() == []


def test_the_engine_can_be_chosen(small):
    assert Session(small, "reference").engine == "reference"


def test_without_durable_rules_the_reference_takes_over(small, monkeypatch):
    from gpudoctor.engine.rules.matcher import MatcherError

    monkeypatch.setitem(sys.modules, "durable_rules_engine", None)  # as if it were not installed
    session = Session(small)
    assert session.engine == "reference"
    assert "reference matcher" in session.diagnosis().to_dict()["notes"][0]
    with pytest.raises(MatcherError):
        Session(small, "durable")


def test_fifty_orders_of_the_same_facts_give_the_same_bytes(knowledge):
    import json

    facts = [
        Fact("gpu.model", "NVIDIA GeForce RTX 4090", Origin("file", "f.yaml:1")),
        Fact("gpu.count", 2, Origin("file", "f.yaml:2")),
        Fact("gpu.count", 4, Origin("report", "a.log:7")),
        Fact("driver.version", "545", Origin("report", "a.log:9")),
        Fact("driver.version", "545.29.06", Origin("probe", "nvml")),
        Fact("symptom.hang-at-first-collective", True, Origin("answer")),
        Fact("topology.link", "phb", Origin("report", "a.log:12")),
        Fact("launcher", "vllm", Origin("report", "a.log:1")),
        Fact("launcher", "ray", Origin("report", "a.log:2")),
        Fact("log.error_line", "RuntimeError: x", Origin("report", "a.log:90")),
        Fact("log.error_line", "RuntimeError: y", Origin("report", "a.log:9")),
        CannotTell("pcie.acs_redirect", "needs root", Origin("probe", "config space")),
    ]
    seen = set()
    for seed in range(50):
        shuffled = random.Random(seed).sample(facts, len(facts))
        session = Session(knowledge)
        for fact in shuffled:
            session.add(fact)
        seen.add(json.dumps(session.diagnosis().to_dict()))
        session.close()
    assert len(seen) == 1


def test_both_engines_write_the_same_diagnosis(knowledge):
    pytest.importorskip("durable_rules_engine")
    documents = []
    for engine in ("durable", "reference"):
        session = Session(knowledge, engine)
        session.tell("gpu.vendor", "nvidia")
        session.tell("collective.p2p_off", "pass")
        session.tell("pcie.acs_redirect", True)
        session.tell("symptom.hang-at-init", True)
        document = session.diagnosis().to_dict()
        document.pop("engine")
        document.pop("notes")
        documents.append(document)
        session.close()
    assert documents[0] == documents[1]
