import pytest

from gpudoctor.engine import Knowledge, Session

from .smallkb import fact, incident, small_knowledge


@pytest.fixture
def session(small_kb):
    return Session(Knowledge.load(small_kb(small_knowledge()), built_in=False))


def test_the_sign_is_asked_first_then_what_separates(session):
    assert session.next_question().fact == "symptom.stop"
    session.tell("symptom.stop", True)
    question = session.next_question()
    assert question.fact in ("virtualization", "part.broken")
    assert set(question.separates) <= {"broken-part", "bad-guest"}


def test_never_what_is_known_or_cannot_be_told(session):
    asked = []
    while (question := session.next_question()) is not None and len(asked) < 10:
        assert question.fact not in asked
        asked.append(question.fact)
        if len(asked) % 2:
            session.cannot_tell(question.fact)
        else:
            session.tell(question.fact, True if question.fact.startswith(("symptom", "part")) else "vm")
    assert asked


def test_an_easier_question_goes_before_an_equally_good_one(small_kb):
    files = dict(
        [
            fact("symptom.a", more="question: a?\ncost: 4\n"),
            fact("symptom.b", more="question: b?\ncost: 1\n"),
            incident("one", "suggests:\n  - strong: {symptom.a: true}\n  - strong: {symptom.b: true}\n"),
            incident("two", "suggests:\n  - weak: {virtualization: vm}\n"),
        ]
    )
    session = Session(Knowledge.load(small_kb({**small_knowledge(), **files}), built_in=False))
    asked = [
        q.fact for q in __import__("gpudoctor.engine.planner", fromlist=["Planner"]).Planner(session).best(9)
    ]
    assert asked.index("symptom.b") < asked.index("symptom.a")


def test_the_same_facts_lead_to_the_same_question(knowledge):
    facts = []
    for _ in range(3):
        session = Session(knowledge)
        session.tell("symptom.hang-at-first-collective", True)
        session.tell("gpu.vendor", "nvidia")
        facts.append(session.next_question())
    assert facts[0] == facts[1] == facts[2]
