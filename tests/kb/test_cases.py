"""Every case file of the project comes out as it says."""

from gpudoctor.cli.authoring.casetest import load_cases, run_cases

from ..conftest import ROOT


def test_all_cases(knowledge):
    cases = load_cases([ROOT / "tests" / "cases"])
    assert run_cases(knowledge, cases) == []
