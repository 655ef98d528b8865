from math import log2
from random import Random

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.model import told_as
from gpudoctor.engine.questions.hypotheses import Hypotheses

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
    asked = [q.fact for q in session.planner.best(9)]
    assert asked.index("symptom.b") < asked.index("symptom.a")


def test_the_same_facts_lead_to_the_same_question(knowledge):
    facts = []
    for _ in range(3):
        session = Session(knowledge)
        session.tell("symptom.hang-at-first-collective", True)
        session.tell("gpu.vendor", "nvidia")
        facts.append(session.next_question())
    assert facts[0] == facts[1] == facts[2]


def test_the_last_bits_of_a_logarithm_do_not_order_questions(knowledge, monkeypatch):
    """Libraries of other machines, WebAssembly's among them, round logarithms another way."""
    chance, orders = Random(7), []
    for off in (0.0, 1e-15, 1e-15):
        inexact = lambda x, off=off: log2(x) * (1 + chance.uniform(-off, off))  # noqa: E731
        monkeypatch.setattr("gpudoctor.engine.questions.hypotheses.log2", inexact)
        session = Session(knowledge)
        session.tell("pcie.acs_redirect", True)
        orders.append([(question.fact, question.gain_bits) for question in session.planner.best(50)])
    assert orders[0] == orders[1] == orders[2]
    assert len({gain for _, gain in orders[0]}) < len(orders[0])  # some are equal


def test_the_maker_is_asked_where_it_tells_pages_apart(knowledge):
    session = Session(knowledge)
    session.tell("symptom.slow-collectives", True)
    assert session.next_question().fact == "gpu.vendor"


def test_a_person_who_knows_nothing_is_not_asked_for_ever(knowledge):
    session = Session(knowledge)
    session.tell("symptom.slow-collectives", True)
    asked = 0
    while (question := session.next_question()) is not None:
        session.cannot_tell(question.fact)
        asked += 1
    assert 3 <= asked <= 15


def test_a_symptom_of_another_road_is_less_likely(knowledge):
    spec = knowledge.vocabulary.spec("symptom.hang-at-init")
    session = Session(knowledge)
    session.tell("road", "crash")
    outlook = session.planner.outlook
    before = outlook.base_rates(spec, (True, False))
    outlook.refresh(())
    after = outlook.base_rates(spec, (True, False))
    assert after[0] < before[0]
    assert sum(after) == pytest.approx(1.0)


def test_a_proven_incident_ends_the_questions(session):
    session.tell("symptom.stop", True)
    session.tell("part.broken", True)
    assert session.standings()[0].standing == "confirmed"
    assert session.next_question() is None


def test_what_cannot_change_who_leads_is_not_asked(small_kb):
    files = dict(
        [
            fact("symptom.a", more="question: a?\n"),
            fact("symptom.b", more="question: b?\n"),
            incident(
                "one",
                "suggests:\n  - decisive: {symptom.a: true}\n  - weak: {symptom.b: true}\nfrequency: common\n",
            ),
        ]
    )
    session = Session(Knowledge.load(small_kb({**small_knowledge(), **files}), built_in=False))
    assert session.next_question() is not None
    session.tell("symptom.a", True)
    assert session.next_question() is None


def test_who_does_not_know_is_asked_less(knowledge):
    def gain(untold):
        session = Session(knowledge)
        session.tell("symptom.hang-at-init", True)
        for name in ("os.id", "shm.free_bytes", "cpu.arch", "shm.size_bytes")[:untold]:
            session.cannot_tell(name)
        return session.next_question().gain_bits

    assert gain(4) < gain(0)


def test_an_answer_leaves_nothing_stale(knowledge):
    """What the planner keeps between answers equals what a new one computes."""
    session = Session(knowledge)
    script = [
        ("symptom.hang-at-init", True),
        ("gpu.vendor", "nvidia"),
        ("runtime", "docker"),
        ("symptom.hang-at-init", False),
        ("gpu.vendor", "amd"),
        ("symptom.nccl-unhandled-cuda-error", True),
    ]
    for name, value in script:
        session.tell(name, value)
        session.next_question()
        fresh = Session(knowledge)
        for statement in session.statements():
            fresh.add(statement)
        assert session.planner.best(20) == fresh.planner.best(20)
        assert session.next_question() == fresh.next_question()
    session.forget("gpu.vendor")
    assert session.planner.best(20)


def test_what_nobody_knew_and_is_open_again_is_asked_as_before(knowledge):
    session = Session(knowledge)
    session.tell("runtime", "docker")
    before = session.planner.best(400)
    for question in before[:12]:
        session.cannot_tell(question.fact)
        session.planner.best(3)
        session.forget(question.fact)
    assert session.planner.best(400) == before


@pytest.mark.parametrize("sign", ["symptom.hang-at-first-collective", "symptom.slow-collectives"])
def test_what_was_not_weighed_would_not_have_come_earlier(knowledge, monkeypatch, sign):
    """The upper bound leaves most facts unweighed; weighing all of them gives the same order."""
    session = Session(knowledge)
    session.tell(sign, True)
    session.tell("gpu.vendor", "nvidia")
    standing = session.standings()
    hypotheses = Hypotheses(session, session.planner.outlook, standing, None)
    weighed = [
        hypotheses.weigh(spec, incidents, 1.0)
        for fact, incidents in hypotheses.readers().items()
        if (spec := hypotheses.askable(fact))
    ]
    weighed.sort(key=lambda one: (-one.gain / one.spec.cost, one.spec.name))
    in_order = list(dict.fromkeys(told_as(one.spec) for one in weighed if one.gain > 0))
    assert [told_as(one.spec) for one in hypotheses.ranked(1.0)] == in_order

    weigh, counted = hypotheses.weigh, []
    monkeypatch.setattr(hypotheses, "weigh", lambda *given: counted.append(given) or weigh(*given))
    assert next(iter(hypotheses.ranked(1.0))) == weighed[0]
    assert len(counted) < len(weighed) / 2


VARIABLES = dict(
    [
        *(
            fact(f"env.X{n}", "choice", "values: [right, wrong]\nquestion: X?\ncost: 2\nprobe: environment\n")
            for n in range(4)
        ),
        *(
            incident(
                f"set-wrongly-{n}",
                f"suggests:\n  - strong: {{symptom.stop: true}}\nconfirms:\n  - env.X{n}: wrong\n",
            )
            for n in range(4)
        ),
    ]
)


def test_what_one_screen_shows_is_one_question(small_kb):
    session = Session(Knowledge.load(small_kb({**small_knowledge(), **VARIABLES}), built_in=False))
    session.tell("symptom.stop", True)
    while (question := session.next_question()) and not question.together:
        session.cannot_tell(question.fact)
    assert question and {question.fact, *question.together} == {f"env.X{n}" for n in range(4)}
    session.cannot_tell(question.fact)
    later = session.next_question()
    assert later is None or not later.together
