"""``gpudoctor probe``, ``capture`` and ``--probe`` from outside."""

import io
import json
import sys

import pytest

from gpudoctor.cli.main import main
from gpudoctor.engine.facts.factsfile import read_facts

from ..machines.build import build, describe


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture(scope="module")
def roce(tmp_path_factory):
    return build(describe("roce-two-nics"), tmp_path_factory.mktemp("roce"))


def test_yaml_is_a_facts_file(run, roce, knowledge, tmp_path):
    status, text, err = run("probe", "--root", roce)
    assert (status, err) == (0, "")
    stated = {s.name: s.value for s in read_facts(text, "probe.yaml", knowledge.vocabulary.spec)}
    assert stated["rdma.hca_names"] == "mlx5_0,mlx5_1"
    assert stated["env.NCCL_IB_GID_INDEX"] == "1"
    assert stated["rdma.userspace"] is False
    assert (
        '\nnet.fabric: "roce"  # rdma: /sys/class/infiniband/*/ports/*/link_layer: mlx5_0, mlx5_1\n' in text
    )
    assert "\n# Not established:\n" in text
    assert "#   container.shm" not in text  # that is not applicable, not unknown
    assert "container.shm" in text.rpartition("# Not applicable here:")[2]


def test_json_names_the_node_its_facts_and_its_gaps(run, roce, fits):
    status, text, _ = run("probe", "--root", roce, "--format", "json")
    document = json.loads(text)
    assert status == 0
    assert document["schema"] == "gpudoctor/facts/1"
    fits(document)
    assert document["host"] == "node1"
    assert set(document) == {"schema", "host", "boot_id", "taken", "seconds", "facts", "gaps"}
    facts = {fact["name"]: fact for fact in document["facts"]}
    assert facts["rdma.mtu"]["value"] == 9000
    assert facts["rdma.mtu"]["from"][0]["kind"] == "probe"
    gaps = {gap["fact"]: gap["reason"] for gap in document["gaps"]}
    assert gaps["service.fabric_manager"].startswith("not applicable")
    assert not set(gaps) & set(facts)


def test_the_same_facts_in_both_forms(run, roce, knowledge):
    document = json.loads(run("probe", "--root", roce, "--format", "json")[1])
    stated = read_facts(run("probe", "--root", roce)[1], "probe.yaml", knowledge.vocabulary.spec)
    assert {s.name: s.value for s in stated} == {f["name"]: f["value"] for f in document["facts"]}


def test_this_machine(run):
    status, text, _ = run("probe", "--format", "json")
    document = json.loads(text)
    assert status == 0
    assert document["host"]
    assert len(document["boot_id"]) in (0, 36)
    assert document["seconds"] < 10


def test_probe_facts_lead_to_the_diagnosis_that_root_leads_to(run, roce, tmp_path):
    symptom = tmp_path / "symptom.yaml"
    symptom.write_text("node.count: 2\nsymptom.ib-completion-error-12: true\n")
    (tmp_path / "machine.yaml").write_text(run("probe", "--root", roce)[1])
    direct = json.loads(run("--root", roce, "--facts", symptom, "--format", "json")[1])
    by_file = json.loads(run("--facts", tmp_path / "machine.yaml", "--facts", symptom, "--format", "json")[1])
    assert direct["incidents"][0]["id"] == "roce-gid-index"
    assert [(i["id"], i["standing"]) for i in direct["incidents"]] == [
        (i["id"], i["standing"]) for i in by_file["incidents"]
    ]


def test_probe_with_a_report(run, tmp_path):
    root = build(describe("h100-nvswitch"), tmp_path / "machine")
    log = tmp_path / "job.log"
    log.write_text(
        "RuntimeError: CUDA error: system not yet initialized\nError 802: system not yet initialized\n"
    )
    status, text, err = run("--root", root, "--report", log, "--full")
    assert (status, err) == (1, "")
    assert "fabric-manager-down" in text
    assert "service.fabric_manager" in text


def test_a_machine_without_a_gpu_is_not_called_well(run, tmp_path):
    root = build(describe("laptop"), tmp_path / "laptop")
    status, text, _ = run("--root", root)
    assert status == 3
    assert "There is no GPU here" in text
    assert "There is no GPU in the machine of this capture" in " ".join(text.split())
    assert "There is no GPU here" in run("--root", root, "--format", "markdown")[1]
    document = json.loads(run("--root", root, "--format", "json")[1])
    assert document["verdict"] == "insufficient evidence"
    assert any("no GPU" in note for note in document["notes"])


def test_what_a_probe_could_not_read_a_person_is_asked(run, tmp_path):
    root = build(describe("geforce-pair"), tmp_path / "machine")
    symptom = tmp_path / "s.yaml"
    symptom.write_text("symptom.hang-at-first-collective: true\ndriver.version: 560.35.03\n")
    document = json.loads(run("--root", root, "--facts", symptom, "--format", "json")[1])
    assert "pcie.acs_redirect" in {gap["fact"] for gap in document["gaps"]}
    assert "pcie.acs_redirect" in {question["fact"] for question in document["next"]}


def test_capture_and_from(run, tmp_path):
    name = tmp_path / "out.tar.gz"
    status, out, err = run("capture", name, "--yes")
    assert (status, out) == (0, "")
    assert "proc/cmdline" in err
    assert "written: " in err
    status, text, _ = run("probe", "--from", name, "--format", "json")
    assert status == 0
    names = {fact["name"] for fact in json.loads(text)["facts"]}
    assert "kernel.version" in names
    assert run("--from", name)[0] in (0, 1, 3)


def test_capture_asks_first(run, tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    name = tmp_path / "out.tar.gz"
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    status, _, err = run("capture", name)
    assert status == 0
    assert "proc/cmdline" in err.partition("Write this to")[0]
    assert "nothing was written" in err
    assert not name.exists()
    monkeypatch.setattr(sys, "stdin", Terminal("s\ny\n"))
    status, _, err = run("capture", name)
    assert status == 0
    assert "=== proc/self/limits\n" in err
    assert "Max open files" in err
    assert name.exists()


def test_the_list_names_every_level(run):
    status, text, _ = run("probe", "--list")
    assert status == 0
    for line in ("passive: ", "driver: ", "root: ", "disturbs: "):
        assert f"\n{line}" in f"\n{text}"
    assert "  pci  " in text
    assert "  nvml  " in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["probe", "--only", "gpus"], 'there is no probe "gpus"'),
        (["probe", "--timeout", "0"], "must be between 0.001 and 600 seconds, not 0"),
        (["probe", "--root", "/dev/null/nothing"], "/dev/null/nothing: there is no such folder"),
        (["probe", "--from", "/dev/null/nothing.tar.gz"], "/dev/null/nothing.tar.gz: "),
        (["probe", "--root", "/tmp", "--from", "x"], "not allowed with"),
        (["probe", "--output", "/dev/null/nothing/x"], "cannot be written"),
        (["capture", "out.zip", "--yes"], "must end in .tar.gz"),
        (["capture", "/dev/null/nothing/x.tar.gz", "--yes"], "cannot be written"),
        (["--from", "/dev/null/nothing.tar.gz"], "/dev/null/nothing.tar.gz: "),
    ],
)
def test_wrong_usage_is_one_sentence(arguments, words, run):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert words in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("gpudoctor: ")


def test_output_goes_to_a_file(run, roce, tmp_path):
    status, out, _ = run("probe", "--root", roce, "--output", tmp_path / "facts.yaml")
    assert (status, out) == (0, "")
    assert "gpu.count: 2" in (tmp_path / "facts.yaml").read_text()


def test_a_tree_says_nothing_but_its_facts(run, tmp_path, knowledge):
    odd = "x\x1b[2J\u009b31m\nlauncher: ray"
    (tmp_path / ".gpudoctor" / "findings").mkdir(parents=True)
    (tmp_path / ".gpudoctor" / "system.json").write_text(json.dumps({"hostname": odd}))
    finding = {"probe": "clock", "state": odd, "findings": [["unknown", "gpu.mig", odd, "x"]], "seconds": 1}
    (tmp_path / ".gpudoctor" / "findings" / "clock.json").write_text(json.dumps(finding))
    _, text, _ = run("probe", "--root", tmp_path)
    _, document, _ = run("probe", "--root", tmp_path, "--format", "json")
    assert not {"\x1b", "\u009b"} & {*text, *document}
    assert json.loads(document)["host"] == "x[2J31m launcher: ray"
    assert "launcher" not in {s.name for s in read_facts(text, "probe.yaml", knowledge.vocabulary.spec)}
