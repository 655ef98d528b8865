"""``gpudoctor audit``: formats, exit status, suppressions, and what a person reads."""

import datetime
import json
import os
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from gpudoctor.cli.main import main
from gpudoctor.engine.audit import SEVERITY_ORDER, Subject, audit
from gpudoctor.engine.audit.suppressions import read_suppressions, sifted
from gpudoctor.engine.facts import FILE, Fact, Origin

SCHEMA = json.loads((resources.files("gpudoctor.engine.audit") / "audit.schema.json").read_text())
RUN = """docker run --gpus all \\
  -e NCCL_P2P_LEVL=SYS \\
  vllm/vllm-openai:v0.8.5 --model MODEL --tensor-parallel-size 2
"""
WHEELS = "vllm==0.10.0\nnvidia-nccl-cu12==2.27.3\ntorch==2.8.0+cu128\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(RUN)
    (tmp_path / "wheels.txt").write_text(WHEELS)
    return tmp_path


def asked(capsys, *arguments):
    status = main(["audit", *arguments])
    return status, capsys.readouterr().out


def test_the_json_fits_its_schema(place, capsys):
    _, out = asked(capsys, "run.sh", "wheels.txt", "--format", "json")
    document = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["upgrades"] and document["undecided"] and document["findings"]
    assert document["examined"] == ["machine", "shell", "docker vllm/vllm-openai:v0.8.5"]


def test_the_schema_refuses_what_is_not_told(place, capsys):
    document = json.loads(asked(capsys, "run.sh", "--format", "json")[1])
    document["findings"][0]["extra"] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_text_shows_place_fix_and_source(place, capsys):
    status, out = asked(capsys, "run.sh")
    assert status == 1
    assert out.startswith("2 findings: 1 crash, 1 note")
    assert "shm-left-at-default  run.sh:3" in out and "--ipc=host" in out and "https://" in out
    assert "did you mean" in out and "gpudoctor explain shm-too-small" in out


def test_full_shows_all_and_the_default_fits_a_screen(place, capsys):
    _, short = asked(capsys, "wheels.txt")
    _, full = asked(capsys, "wheels.txt", "--full")
    assert len(full.splitlines()) > len(short.splitlines())
    assert "PyTorch 2.8.0" in short and "->" in short


def test_markdown(place, capsys):
    _, out = asked(capsys, "run.sh", "wheels.txt", "--format", "markdown")
    assert out.startswith("## gpudoctor audit") and "### Upgrades" in out
    assert "| crash | `run.sh:3` |" in out and "**Fix:**" in out


def test_sarif(place, capsys):
    (place / ".gpudoctor.yaml").write_text(
        "audit:\n  ignore:\n    - {id: env.NCCL_P2P_LEVL, reason: a test, until: 2999-01-01}\n"
    )
    _, out = asked(capsys, "run.sh", "--format", "sarif")
    log = json.loads(out)
    run = log["runs"][0]
    assert log["version"] == "2.1.0" and run["tool"]["driver"]["name"] == "gpudoctor"
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
    worst = run["results"][0]
    location = worst["locations"][0]["physicalLocation"]
    assert worst["level"] == "error" and location["artifactLocation"]["uri"] == "run.sh"
    assert location["region"]["startLine"] == 3
    assert run["results"][1]["suppressions"][0]["justification"] == "a test"


def test_sarif_fits_the_schema_of_oasis(place, capsys):
    """The schema is not ours to hand on: GPUDOCTOR_SARIF_SCHEMA names a copy of sarif-schema-2.1.0.json."""
    schema = os.environ.get("GPUDOCTOR_SARIF_SCHEMA")
    if not schema:
        pytest.skip("GPUDOCTOR_SARIF_SCHEMA names no schema")
    (place / ".gpudoctor.yaml").write_text(
        "audit:\n  ignore:\n    - {id: env.NCCL_P2P_LEVL, reason: a test, until: 2999-01-01}\n"
    )
    _, out = asked(capsys, "run.sh", "wheels.txt", "--format", "sarif")
    jsonschema.validate(json.loads(out), json.loads(Path(schema).read_text()))


def test_fail_on(place, capsys):
    (place / "note.sh").write_text(
        "#!/bin/sh\nexport NCCL_P2P_LEVL=SYS\ntorchrun --nproc_per_node 8 train.py\n"
    )
    assert asked(capsys, "note.sh")[0] == 1
    assert asked(capsys, "note.sh", "--fail-on", "slow")[0] == 0
    assert asked(capsys, "run.sh", "--fail-on", "wrong")[0] == 0
    assert asked(capsys, "run.sh", "--fail-on", "crash")[0] == 1


def test_nothing_to_audit_is_wrong_usage(place, capsys):
    assert main(["audit"]) == 2
    assert main(["audit", "missing.yaml"]) == 2
    assert main(["audit", "."]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3 and "missing.yaml: cannot be read" in errors[1]


def test_standard_input(place, capsys, monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN.encode())))
    status, out = asked(capsys, "-")
    assert status == 1 and "standard input:3" in out


def test_suppressions_have_a_reason_and_an_end(place, capsys):
    config = place / ".gpudoctor.yaml"
    entry = "    - {{id: {}, reason: two GPUs talk over NVLink, until: {}{}}}\n"
    head = "audit:\n  ignore:\n"
    config.write_text(head + entry.format("shm-left-at-default", "2999-12-31", ""))
    status, out = asked(capsys, "run.sh")
    assert "suppressed: shm-left-at-default" in out and "2 findings" not in out and status == 1
    config.write_text(head + entry.format("shm-left-at-default", "2020-01-01", ""))
    document = json.loads(asked(capsys, "run.sh", "--format", "json")[1])
    found = {finding["id"]: finding["where"] for finding in document["findings"]}
    assert found["suppression-expired"] == ".gpudoctor.yaml:3" and "shm-left-at-default" in found
    config.write_text(head + entry.format("shm-left-at-default", "2999-12-31", ", where: other/*"))
    document = json.loads(asked(capsys, "run.sh", "--format", "json")[1])
    assert "shm-left-at-default" in [finding["id"] for finding in document["findings"]]
    assert document["notes"] == [".gpudoctor.yaml:3: the suppression of shm-left-at-default covers nothing"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("audit: [x]\n", "is written as"),
        ("audit:\n  ignore:\n    - {id: x, until: 2027-01-01}\n", 'needs "reason"'),
        ("audit:\n  ignore:\n    - {id: x, reason: y}\n", 'needs "until"'),
        ("audit:\n  ignore:\n    - {id: x, reason: y, until: soon}\n", "is no day"),
        ("audit:\n  ignore:\n    - {id: x, reason: y, until: 2027-01-01, who: z}\n", 'has no "who"'),
    ],
)
def test_bad_suppressions_are_refused(place, capsys, text, sentence):
    (place / "own.yaml").write_text(text)
    assert main(["audit", "run.sh", "--config", "own.yaml"]) == 2
    error = capsys.readouterr().err
    assert sentence in error and "own.yaml:" in error


def test_the_last_day_of_a_suppression_counts(knowledge):
    facts = tuple(
        Fact(name, value, Origin(FILE, "facts:1"))
        for name, value in (("cuda.version", "13.0"), ("cuda.driver_max", "12.4"))
    )
    until = datetime.date(2027, 5, 1)
    listed = read_suppressions(
        f"audit: {{ignore: [{{id: driver-too-old-for-cuda, reason: r, until: {until}}}]}}", "c"
    )
    subject = [Subject("", facts)]
    assert not audit(knowledge, subject, listed, until).findings
    later = audit(knowledge, subject, listed, until + datetime.timedelta(1)).findings
    assert [f.id for f in later] == ["driver-too-old-for-cuda", "suppression-expired"]
    assert sifted([], listed, until)[2] == listed


def test_an_upgrade_leaves_the_fewest_and_is_the_smallest(knowledge):
    from packaging.version import Version

    for installed in ("2.21.5", "2.27.3", "2.27.7"):
        facts = (
            Fact("nccl.version", installed, Origin(FILE, "f:1")),
            Fact("gpu.vendor", "nvidia", Origin(FILE, "f:2")),
        )
        found = audit(knowledge, [Subject("", facts)])
        (upgrade,) = found.upgrades
        ids = {finding.id for finding in found.findings}
        assert {*upgrade.clears, *upgrade.leaves} == ids and upgrade.clears
        moved = (facts[0]._replace(value=upgrade.to), facts[1])
        after = {f.id for f in audit(knowledge, [Subject("", moved)]).findings}
        assert not after & {*upgrade.clears}
        assert Version(upgrade.to) > Version(installed)


def test_severities_are_those_of_the_knowledge_base(knowledge):
    assert {knowledge.pitfall(name).severity for name in knowledge.pitfall_ids} <= set(SEVERITY_ORDER)


def test_what_belongs_to_a_job_of_the_machine_is_not_taken_for_a_launch(place, capsys):
    (place / "facts.yaml").write_text(
        "gpu.model: NVIDIA GeForce RTX 5090\ncontainer.shm: default\nparallel.tensor: 8\nenv.NCCL_P2P_LEVL: SYS\n"
    )
    (place / "one.sh").write_text("docker run --gpus all vllm/vllm-openai --model MODEL\n")
    document = json.loads(asked(capsys, "one.sh", "--facts", "facts.yaml", "--format", "json")[1])
    assert [(f["id"], f["where"]) for f in document["findings"]] == [("env.NCCL_P2P_LEVL", "facts.yaml:4")]
