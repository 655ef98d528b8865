"""Cured, not cured, or cannot tell: from what was known before and what is known now."""

from __future__ import annotations

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.rules import facts_of
from gpudoctor.engine.session.cure import facts_to_measure, in_question, judge, overall, side_by_side

BEFORE = {"gpu.vendor": "nvidia", "symptom.hang-at-init": True, "collective.p2p_off": "pass"}
P2P = "p2p-path-broken"


def session(knowledge, **facts):
    made = Session(knowledge)
    for name, value in {**BEFORE, **facts.pop("more", {})}.items():
        made.tell(name, value)
    return made


@pytest.mark.parametrize(
    ("before", "now", "verdict"),
    [
        ({"collective.default": "hang"}, {"collective.default": "pass"}, "cured"),
        ({"collective.default": "hang"}, {"collective.default": "hang"}, "not cured"),
        ({"collective.default": "hang"}, {"collective.default": "wrong"}, "not cured"),
        ({}, {"collective.default": "error"}, "not cured"),
        ({"collective.default": "hang"}, {}, "cannot tell"),
        ({}, {"collective.default": "pass"}, "cannot tell"),
        ({}, {"iommu.mode": "passthrough"}, "cannot tell"),  # the cause was never established
        ({}, {"iommu.mode": "passthrough", "collective.default": "pass"}, "cured"),
        # What a remedy promises does not outweigh a test that failed before and was not made again.
        ({"collective.default": "hang"}, {"iommu.mode": "passthrough"}, "cannot tell"),
        ({"iommu.mode": "passthrough"}, {"iommu.mode": "passthrough"}, "cannot tell"),
        ({}, {}, "cannot tell"),
    ],
)
def test_verdict(knowledge, before, now, verdict):
    cure = judge(session(knowledge, more=before), session(knowledge, more=now), P2P)
    assert (cure.verdict, overall([cure])) == (verdict, verdict), cure.why


def test_a_cause_that_is_gone_is_cured(knowledge):
    translated = {"iommu.mode": "translated"}
    before = session(knowledge, more=translated)
    incident = "iommu-translation-breaks-p2p"
    assert judge(before, session(knowledge, more={"iommu.mode": "passthrough"}), incident).verdict == "cured"
    assert judge(before, session(knowledge, more=translated), incident).verdict != "cured"


def test_a_variable_that_is_set_proves_nothing_by_itself(knowledge):
    incident = "env-variable-obsolete"
    remedies = {name for i in knowledge.incident_ids for name in knowledge.incident(i).remedies}
    name = next(r for r in sorted(remedies) if _only_settings(knowledge.remedy(r)))
    incident = next(i for i in knowledge.incident_ids if name in knowledge.incident(i).remedies)
    (fact,) = [test.fact for test in knowledge.remedy(name).after]
    spec = knowledge.vocabulary.spec(fact)
    value = (
        spec.env.allowed[0] if spec.env and spec.env.allowed and spec.env.allowed[0][0] not in "></" else "1"
    )
    now = session(knowledge, more={fact: value})
    assert judge(session(knowledge), now, incident).verdict in ("cannot tell", "not cured")


def _only_settings(remedy):
    return len(remedy.after) == 1 and facts_of(remedy.after[0])[0].startswith("env.NCCL_")


def test_one_that_is_not_cured_decides_for_all(knowledge):
    bad = session(knowledge, more={"collective.default": "hang"})
    cures = [judge(bad, bad, P2P), judge(bad, session(knowledge, more={"collective.default": "pass"}), P2P)]
    assert [c.verdict for c in cures] == ["not cured", "cured"]
    assert overall(cures) == "not cured"


def test_what_is_in_question_and_what_must_be_measured(knowledge):
    made = session(knowledge, more={"p2p.copy": "corrupt"})
    assert P2P in in_question(made)
    facts = facts_to_measure(made, [P2P])
    assert {"collective.default", "p2p.copy", "iommu.mode", "pcie.acs_redirect", "collective.p2p_off"} <= set(
        facts
    )
    assert in_question(Session(knowledge)) == []


def test_side_by_side_shows_reasons(knowledge):
    before, now = session(knowledge), session(knowledge)
    now.cannot_tell("iommu.mode", "no permission")
    rows = {
        row["fact"]: row
        for row in side_by_side(before, now, ["iommu.mode", "collective.p2p_off", "shm.size_bytes"])
    }
    assert rows["iommu.mode"] == {
        "fact": "iommu.mode",
        "before": None,
        "now": None,
        "reason": "no permission",
    }
    assert rows["collective.p2p_off"]["now"] == "pass"
    assert "shm.size_bytes" not in rows
