"""Cases that start from a log, and the count of incidents that have none."""

from gpudoctor.cli.authoring.gaps import _without_log
from gpudoctor.engine.knowledge.casefile import read_cases
from gpudoctor.engine.model import Incident

LOG = """incident: a
match:
  - report: |
      one
      two

      three
"""
SHORT = "incident: a\nmatch:\n  - report: one\nthin:\n  - report: |\n      1\n      2\n      3\n"


def incidents(*names):
    return [Incident(name, name, "p2p", ("nvidia",), "stated") for name in names]


def test_a_log_has_three_lines_and_leads_to_the_incident():
    assert [case.starts_from_log for case in read_cases(LOG, "f")] == [True]
    assert [case.starts_from_log for case in read_cases(SHORT, "f")] == [False, False]


def test_incidents_without_one_are_counted_and_named():
    found = _without_log(incidents("a", "b"), read_cases(LOG, "f"))
    assert found[0] == "1 of 2 incidents have no case that starts from a log"
    assert found[1].startswith("incident b: no case starts from a log")
    assert _without_log(incidents("a"), read_cases(LOG, "f")) == []


def test_a_reason_stands_for_a_log():
    cases = read_cases(SHORT.replace("match", "no_log: a hang\nmatch"), "f")
    assert {case.no_log for case in cases} == {"a hang"}
    assert _without_log(incidents("a"), cases) == []
