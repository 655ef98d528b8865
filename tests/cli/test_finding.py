"""Search by error line: the rules of the knowledge base decide, words fill in."""

import pytest
import yaml

from gpudoctor.cli.content.search import find_entries

from ..conftest import ROOT


def incidents(knowledge, text):
    return [hit.id for hit in find_entries(knowledge, text) if hit.kind == "incident"]


def test_a_pasted_line_finds_its_incident_whatever_its_numbers(knowledge):
    line = "gpu-4711:99:101 [5] NCCL INFO ncclInvalidUsage: Duplicate GPU detected : rank 9 and rank 8 both on 1b000"
    assert "more-ranks-than-gpus" in incidents(knowledge, line)[:2]


def test_a_whole_log_finds_its_incident(knowledge):
    text = (ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log").read_text()
    assert incidents(knowledge, text)[0] == "p2p-path-broken"  # the cause of which needs the parsers


def test_the_line_that_matters_may_be_far_down(knowledge):
    text = "INFO step 1 loss 2.3, rank 0, all fine\n" * 5000 + "Too many open files\n"
    assert incidents(knowledge, text)[0] == "nofile-limit"


def test_words_alone_still_find(knowledge):
    assert incidents(knowledge, "access control services")[0] in ("pcie-acs-redirect", "gdr-broken-by-acs")
    assert find_entries(knowledge, "zzzzqqqq") == []
    assert find_entries(knowledge, "") == []


def test_the_reports_of_the_cases_find_their_incident(knowledge):
    """Every fourth case file; the facts that go with the report are not given to the search."""
    ranks = []
    for path in sorted((ROOT / "tests" / "cases").glob("*.yaml"))[::4]:
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        for one in case.get("match", []):
            if (one.get("report") or "").strip():
                found = [
                    hit.id
                    for hit in find_entries(knowledge, one["report"])
                    if hit.kind in ("incident", "known-issue")
                ]
                ranks.append(found.index(case["incident"]) if case["incident"] in found else 999)
    assert len(ranks) > 40
    assert sum(rank == 0 for rank in ranks) / len(ranks) > 0.85
    assert sum(rank < 5 for rank in ranks) / len(ranks) > 0.93


@pytest.mark.parametrize("text", ["\x1b[31m" * 400, "a" * 100_000, "(" * 5000, "\ud800", "\n" * 10_000])
def test_hostile_text_is_searched_like_any_other(knowledge, text):
    find_entries(knowledge, text)
