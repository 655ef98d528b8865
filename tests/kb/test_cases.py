"""Every case file of the project comes out as it says, and no case is called well."""

import pytest

from gpudoctor.cli.authoring.casetest import run_case
from gpudoctor.engine.diagnosis.judging import judge
from gpudoctor.engine.knowledge.casefile import read_cases

from ..conftest import ROOT

FILES = sorted((ROOT / "tests" / "cases").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of(path, knowledge, reader):
    cases = read_cases(path.read_text(encoding="utf-8"), path.name)
    assert cases and {case.incident for case in cases} <= set(knowledge.incident_ids)
    for case in cases:
        document = run_case(knowledge, reader, case)
        assert list(judge(case, document)) == [], case.name
        passes = case.facts.get("collective.default") == "pass"  # then the cause is gone, or was never here
        assert document["verdict"] != "no known incident" or passes, case.name
