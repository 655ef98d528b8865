"""The list of public examples: it is whole, every finding on it is judged, and few are wrong."""

import re
from pathlib import Path

import pytest

from gpudoctor.engine.facts.yamltext import read_yaml

LISTED = read_yaml((Path(__file__).parent / "examples.yaml").read_text(), "examples.yaml").data


def findings_of(name):
    return [finding for example in LISTED[name] for finding in example.get("findings", ())]


@pytest.mark.parametrize("name", ["sample", "fresh"])
def test_at_most_one_false_alarm_in_fifty(name):
    assert len(LISTED[name]) >= 50
    wrong = [finding for finding in findings_of(name) if finding["right"] != "true"]
    assert len(wrong) <= len(LISTED[name]) / 50


def test_every_example_can_be_found_again_and_every_finding_is_judged(knowledge):
    places = [(one["repo"], one["path"]) for found in LISTED.values() for one in found]
    assert len(places) == len(set(places))
    for found in LISTED.values():
        for one in found:
            assert re.fullmatch(r"[\w.-]+/[\w.-]+", one["repo"]) and re.fullmatch(
                "[0-9a-f]{40}", one["commit"]
            )
    for name in LISTED:
        for finding in findings_of(name):
            assert finding["id"] in knowledge.pitfall_ids or finding["id"].startswith("env.")
            assert finding["right"] in ("true", "false") and finding["why"].endswith(".")
    assert {one["repo"].partition("/")[0] for one in LISTED["sample"]} >= {
        "vllm-project", "sgl-project", "ray-project", "kubeflow", "awslabs", "Azure", "GoogleCloudPlatform",
    }  # fmt: skip
