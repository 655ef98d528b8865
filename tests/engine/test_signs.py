import pytest

from gpudoctor.engine.belief.signs import MORE, PARTLY, holds, rules_by_id, sign_scores
from gpudoctor.engine.model import All, Evidence, Incident, Not, Test


def yes(fact):
    return Test(fact, "in", (True,))


def incident(name, *evidence, confirms=()):
    suggests = tuple(Evidence(weight, when) for weight, when in evidence)
    return Incident(name, name, "p2p", ("nvidia",), "stated", suggests=suggests, confirms=confirms)


def scores(incidents, **signs):
    return sign_scores(
        rules_by_id(incidents), {name.replace("_", "."): value for name, value in signs.items()}
    )


def test_a_decisive_sign_counts_more_than_a_weak_one_and_a_proof_in_part_more_than_nothing():
    found = scores(
        [
            incident("decisive", ("decisive", yes("s.a"))),
            incident("weak", ("weak", yes("s.a"))),
            incident("other", ("decisive", yes("s.b"))),
            incident("part", confirms=(All((yes("s.a"), yes("gpu.vendor"))),)),
        ],
        s_a=True,
    )
    assert found["decisive"] > found["part"] > found["weak"] > 0
    assert found["part"] == found["decisive"] * PARTLY
    assert "other" not in found


def test_a_rule_that_is_known_to_be_false_counts_nothing():
    assert scores([incident("x", ("strong", Not(yes("s.a"))))], s_a=True) == {}
    assert scores([incident("x", ("strong", yes("s.a")))], s_a=False) == {}


def test_a_sign_of_few_incidents_counts_more():
    listed = [incident(f"common{n}", ("strong", yes("s.b"))) for n in range(9)]
    found = scores([*listed, incident("rare", ("strong", yes("s.a")))], s_a=True, s_b=True)
    assert found["rare"] > found["common0"]


def test_further_rules_of_an_incident_add_a_little():
    one = scores([incident("x", ("strong", yes("s.a")))], s_a=True)["x"]
    two = scores([incident("x", ("strong", yes("s.a")), ("strong", yes("s.a")))], s_a=True)["x"]
    assert two == pytest.approx(one * (1 + MORE))


def test_only_values_and_known_can_be_told_from_a_sign():
    assert holds(Test("s.a", "known"), {"s.a": "x"}) is True
    assert holds(Test("s.a", "range", ">1"), {"s.a": 2}) is None
    assert holds(Test("s.b", "in", (True,)), {"s.a": True}) is None
