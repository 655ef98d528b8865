"""Every known issue is found by its own lines: alone among the first three, in an affected release first."""

from __future__ import annotations

import re

import pytest
from packaging.version import Version

from gpudoctor.engine import Session
from gpudoctor.engine.facts import VersionRange
from gpudoctor.engine.knowledge.affected import bounds, sign_fact
from gpudoctor.engine.model import All, Test
from gpudoctor.probes.report import Reader


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


def lines_of(knowledge, name):
    facts = [sign_fact(name), f"{sign_fact(name)}.vague"]
    specs = [knowledge.vocabulary.spec(fact) for fact in facts if fact in knowledge.vocabulary]
    return [line for spec in specs for s in spec.signatures for line in s.matches]


def affected_release(knowledge, issue):
    """The fact of a product and a release of its table that has the issue."""
    for one in issue.affects:
        product = knowledge.product(one.product)
        wanted = VersionRange(bounds(one)) if bounds(one) else None
        for release in reversed(product.releases):
            if wanted is None or wanted.holds(Version(release.version)) is True:
                return product.fact, release.version
    return None


def circumstances(issue):
    """What the issue needs, as far as one test says it."""
    for condition in issue.requires:
        for test in condition.parts if isinstance(condition, All) else (condition,):
            if isinstance(test, Test) and test.operator in ("in", "set", "range"):
                bound = re.search(r">=?([\d.]+)", test.text)
                value = {"in": test.listed[:1], "set": ("1",), "range": (bound[1],) if bound else ()}
                yield from ((test.fact, one) for one in value[test.operator])


def ranking(knowledge, reader, line, facts=()):
    session = Session(knowledge)
    try:
        for name, value in facts:
            session.tell(name, value)
        for fact in reader.read([line.encode()], "job.log"):
            session.add(fact)
        return [s.id for s in session.standings() if s.standing != "ruled out"]
    finally:
        session.close()


QUOTING = {"nvidia-container-toolkit-nvsandboxutils-segfault", "tgi-nvidia-visible-devices-all-one-shard"}
"""What these print holds code in backticks, as a person quotes; a line alone does not tell which of the two it is."""


def test_a_line_alone_names_its_issue(knowledge, reader):
    lost = {}
    for name in sorted(knowledge.issue_ids):
        for line in lines_of(knowledge, name):
            found = ranking(knowledge, reader, line)
            if name not in found[:3] and name not in QUOTING:
                lost[name] = (line[:100], found[:4])
    assert not lost


def test_a_line_of_an_affected_release_names_its_issue_first(knowledge, reader):
    """A line that other faults print as well may also name one of those."""
    lost = {}
    for name in sorted(knowledge.issue_ids):
        issue = knowledge.incident(name)
        release = affected_release(knowledge, issue)
        if release is None:
            continue
        for line in lines_of(knowledge, name):
            found = ranking(knowledge, reader, line, [release, *circumstances(issue)])
            specific = issue.suggests[0].weight == "decisive"
            if name not in found[: 1 if specific else 2] and name not in QUOTING:
                lost[name] = (release, line[:100], found[:3])
    assert not lost
