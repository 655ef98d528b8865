"""Explanations are right: each is compared with the reference matcher on random knowledge."""

from __future__ import annotations

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.consultation.consultation import make_matcher
from gpudoctor.engine.diagnosis.explanation import how, why, why_not
from gpudoctor.engine.knowledge.records import Laid
from gpudoctor.engine.rules.program import MISSING, RULED_OUT, SUGGESTED

from .randomkb import RandomKnowledge

SEEDS = range(40)


def conversation(seed):
    """A session on random knowledge with some facts told, and what was told."""
    made = RandomKnowledge(seed)
    knowledge = Knowledge(
        None,
        Laid(
            {
                "fact": dict(made.facts),
                "incident": {i.id: i for i in made.incidents},
                "remedy": {},
            }
        ),
    )
    session = Session(knowledge)
    told = {}
    for name, value in made.conversation(8):
        if value is None:
            told.pop(name, None)
            session.forget(name)
        else:
            told[name] = value
            session.tell(name, value)
    return made, session, told


def reference(session, told):
    """Standings by the plain matcher, told everything at once in another order."""
    other = Session(session.knowledge, "reference")
    for name in sorted(told, reverse=True):
        other.tell(name, told[name])
    return {s.id: s for s in other.standings()}, other


@pytest.mark.parametrize("seed", SEEDS)
def test_what_if_is_what_telling_it_would_give(seed):
    made, session, told = conversation(seed)
    before, _ = reference(session, told)
    kept = session.statements()
    for name in sorted(made.facts)[:6]:
        for value, changes in why(session, session.planner, name):
            after, _ = reference(session, {**told, name: value})
            differing = {
                i
                for i in {*before, *after}
                if (before.get(i) and before[i][1:3]) != (after.get(i) and after[i][1:3])
            }
            assert {c.incident for c in changes} == differing
            for change in changes:
                assert change.before == before.get(change.incident)
                assert change.after == after.get(change.incident)
    assert session.statements() == kept


@pytest.mark.parametrize("seed", SEEDS)
def test_how_says_of_each_rule_what_the_reference_says(seed):
    made, session, told = conversation(seed)
    matcher = make_matcher(session.knowledge, "reference")
    for name, value in told.items():
        matcher.assign(name, value)
    concluded = matcher.conclusions()
    for incident in made.incidents:
        lines = how(session, incident.id)
        for slot, kind, wanted in (
            ("suggests", SUGGESTED, True),
            ("excludes", RULED_OUT, True),
            ("requires", MISSING, False),
        ):
            holding = {
                i for i, line in enumerate(li for li in lines if li.slot == slot) if line.holds is wanted
            }
            assert holding == {index for k, owner, index in concluded if k == kind and owner == incident.id}
        assert all(bool(line.facts) is (line.holds is not None) for line in lines)


@pytest.mark.parametrize("seed", SEEDS)
def test_why_not_names_what_rules_an_incident_out(seed):
    made, session, _ = conversation(seed)
    for incident in made.incidents:
        said = why_not(session, incident.id)
        ruled_out = any(
            (line.slot, line.holds) in (("excludes", True), ("requires", False))
            for line in how(session, incident.id)
        )
        assert bool(said.against) is ruled_out
        if said.against:
            assert said.state == "ruled out"
            assert all(fact.value is not None for fact in said.against)
        for name in said.open:
            assert session.value(name) is None


def test_why_not_of_an_incident_for_which_nothing_speaks(knowledge):
    session = Session(knowledge)
    said = why_not(session, "memlock-limit")
    assert said.state == "not considered"
    assert said.open
