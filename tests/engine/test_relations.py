"""What follows from ``implies``, ``one_of`` and ``road``."""

import pytest

from gpudoctor.engine import Knowledge, KnowledgeError, Session
from gpudoctor.engine.knowledge.relations import refuse_circles, with_relations
from gpudoctor.engine.model import Derivation, FactSpec, Test


def bools(**more):
    return {name: FactSpec(name, "bool", name, **extra) for name, extra in more.items()}


@pytest.fixture
def session(knowledge):
    session = Session(knowledge)
    yield session
    session.close()


def test_the_special_makes_the_general_true_and_a_denied_general_denies_it(session):
    session.tell("symptom.nan-loss-multi-gpu", True)
    assert session.value("symptom.garbage-output-multi-gpu") is True
    session.forget("symptom.nan-loss-multi-gpu")
    assert session.value("symptom.garbage-output-multi-gpu") is None
    session.tell("symptom.garbage-output-multi-gpu", False)
    assert session.value("symptom.nan-loss-multi-gpu") is False


def test_the_general_alone_says_nothing_of_the_special(session):
    session.tell("symptom.garbage-output-multi-gpu", True)
    assert session.is_open("symptom.nan-loss-multi-gpu")


def test_one_of_a_set_excludes_the_others(session):
    session.tell("symptom.hang-at-init", True)
    assert session.value("symptom.hang-at-barrier") is False
    session.tell("symptom.hang-at-barrier", True)  # what is said stands, and both are shown
    assert session.value("symptom.hang-at-barrier") is True
    assert session.value("symptom.hang-at-init") is True


def test_a_symptom_tells_its_road(session):
    session.tell("symptom.hang-at-barrier", True)
    assert session.value("road.hang") is True
    assert session.value("road.slow") is None
    session.tell("road", "slow")
    assert session.value("road.slow") is True


def test_every_symptom_belongs_to_a_road(knowledge):
    without = [s.name for s in knowledge.facts() if s.name.startswith("symptom.") and not s.road]
    assert without == []


def test_nothing_implied_is_asked(session):
    session.tell("symptom.single-gpu-ok", True)
    assert not session.is_open("symptom.single-gpu-fails-too")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"a": {"implies": ("gone",)}}, "there is no such fact"),
        ({"a": {"implies": ("b",)}, "b": {"implies": ("a",)}}, "in a circle"),
        (
            {
                "a": {"implies": ("b",)},
                "b": {},
                "c": {"derived": (Derivation("true", Test("b", "in", (True,))),)},
            },
            "",
        ),
        (
            {"a": {"implies": ("b",), "derived": (Derivation("true", Test("b", "in", (True,))),)}, "b": {}},
            "in a circle",
        ),
    ],
)
def test_relations_that_cannot_be_are_refused(facts, message):
    def check():
        refuse_circles(with_relations(bools(**facts), {}))

    if message:
        with pytest.raises(KnowledgeError, match=message):
            check()
    else:
        check()


def test_an_overlay_may_add_to_a_set(small_kb):
    sign = "id: {}\ntype: bool\ntitle: t\nroad: hang\nimplies: [symptom.worker-died]\n"
    text = f"---\n{sign.format('symptom.mine')}---\n\n## How to find out\n\nLook.\n"
    knowledge = Knowledge.load(small_kb({"facts/symptom.mine.md": text}, "overlay"))
    session = Session(knowledge)
    session.tell("symptom.mine", True)
    assert session.value("symptom.worker-died") is True
    assert session.value("road.hang") is True
    session.close()
