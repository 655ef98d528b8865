"""What changed between two looks at a machine, and which change is known to do harm."""

import json
import subprocess
import sys

import yaml

from ..conftest import ROOT

BEFORE, AFTER = ROOT / "tests/bedside/before.facts.yaml", ROOT / "tests/bedside/after.facts.yaml"


def gpudoctor(*words):
    command = [sys.executable, "-c", "from gpudoctor.cli.main import entry; entry()", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_change_that_is_known_to_do_harm_comes_first(fits):
    result = gpudoctor("diff", BEFORE, AFTER, "--format", "json")
    document = json.loads(result.stdout)
    fits(document)
    changes = {change["fact"]: change for change in document["changes"]}
    assert result.returncode == 1
    assert document["changes"][0]["fact"] == "nccl.version" and document["changes"][0]["known"]
    assert changes["env.NCCL_IB_HCA"]["before"] is None
    assert changes["driver.version"]["before"] == "550.54.15" and "torch.version" not in changes
    assert "nccl.version" in gpudoctor("diff", BEFORE, AFTER).stdout


def test_nothing_changed():
    result = gpudoctor("diff", BEFORE, BEFORE, "--format", "json")
    assert result.returncode == 0 and json.loads(result.stdout)["changes"] == []


def test_what_one_side_does_not_know_is_no_change(tmp_path):
    (tmp_path / "a.yaml").write_text("gpu.vendor: nvidia\nsymptom.hang-at-init: true\n")
    (tmp_path / "b.yaml").write_text("gpu.vendor: nvidia\nnccl.version: 2.27.3\n")
    document = json.loads(
        gpudoctor("diff", tmp_path / "a.yaml", tmp_path / "b.yaml", "--format", "json").stdout
    )
    assert document["changes"] == [] and document["only_now"] == ["nccl.version"]
    assert document["only_before"] == [], "what happened is not how the machine is"


def test_a_broken_file_is_refused(tmp_path):
    (tmp_path / "x.tar.gz").write_bytes(b"no archive")
    (tmp_path / "x.yaml").write_text("no.such.fact: 1\n")
    for name in ("x.tar.gz", "x.yaml", "none.yaml"):
        assert gpudoctor("diff", BEFORE, tmp_path / name).returncode == 2


def test_the_last_good_captures_are_kept_and_no_more(tmp_path):
    for _ in range(3):
        assert (
            gpudoctor(
                "run", "--no-env", "--history", tmp_path, "--history-size", "2", "--", "true"
            ).returncode
            == 0
        )
        __import__("time").sleep(1)
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == 2
    result = gpudoctor("diff", *kept, "--format", "json")
    document = json.loads(result.stdout)
    assert document["machine"]["is"] == "same" and result.returncode == 0, document["changes"]
    assert (
        gpudoctor(
            "run", "--no-env", "--history", tmp_path, "--evidence", tmp_path / "e", "--", "false"
        ).returncode
        == 1
    )
    assert len([p for p in tmp_path.iterdir() if p.is_file()]) == 2, "a job that failed is no good one"
    since = gpudoctor("--probe", "--no-ask", "--since", tmp_path, "--format", "json")
    (note,) = (n for n in json.loads(since.stdout)["notes"] if "since good-" in n)
    assert kept[1].name in note, "the newest"


def test_what_changed_since_it_worked_is_evidence(tmp_path):
    before, now = tmp_path / "before.yaml", tmp_path / "now.yaml"
    before.write_text("gpu.vendor: nvidia\nkernel.version: 6.8.0\ntorch.version: 2.6.0\n")
    now.write_text(before.read_text().replace("6.8.0", "6.11.0") + "symptom.nvidia-smi-no-driver: true\n")
    alone = json.loads(gpudoctor("--facts", now, "--format", "json").stdout)
    result = gpudoctor("--facts", now, "--since", before, "--format", "json")
    document = json.loads(result.stdout)
    assert alone["verdict"] != "diagnosed" and result.returncode == 1
    assert document["incidents"][0]["id"] == "nvidia-module-not-built-for-kernel"
    facts = {fact["name"]: fact for fact in document["facts"]}
    assert facts["changed.kernel.version"]["from"][0]["text"] == "6.8.0 -> 6.11.0"
    assert "changed.torch.version" not in facts and facts["symptom.started-after-change"]["value"] is True
    assert document["notes"] == ["changed since before.yaml: kernel.version 6.8.0 -> 6.11.0"]


def test_another_machine_tells_nothing_of_what_changed(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    for name, kernel, host in ((first, "6.8.0", "node01"), (second, "6.11.0", "node02")):
        session = tmp_path / f"{host}.facts.yaml"
        session.write_text(f"gpu.vendor: nvidia\nkernel.version: {kernel}\n")
        gpudoctor("--facts", session, "--no-ask", "--save", name)
        said = yaml.safe_load(name.read_text())
        assert not said.get("machine"), "facts files do not say which machine they are of"
        name.write_text(yaml.safe_dump(said | {"machine": {"host": host, "gpus": [host * 2]}}))
    result = gpudoctor("--resume", second, "--no-ask", "--since", first, "--format", "json")
    document = json.loads(result.stdout)
    assert not [fact for fact in document["facts"] if fact["name"].startswith("changed.")]
    assert "another machine" in document["notes"][-1]


def test_a_history_without_this_machine_is_refused(tmp_path):
    result = gpudoctor("--facts", BEFORE, "--since", tmp_path)
    assert result.returncode == 2 and "holds no good capture of this machine" in result.stderr
