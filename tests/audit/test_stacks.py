"""Facts of real combinations of releases, and lists of packages."""

import json
from pathlib import Path

import pytest

from gpudoctor.cli.main import main
from gpudoctor.engine.facts.yamltext import read_yaml

HERE = Path(__file__).parent
STACKS = sorted((HERE / "stacks").glob("*.yaml"))
EXPECTED = read_yaml((HERE / "expected.yaml").read_text(), "expected.yaml").data


def run(capsys, *arguments):
    status = main(["audit", *map(str, arguments), "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


def test_every_stack_has_its_expectation():
    assert {path.stem for path in STACKS} == set(EXPECTED)
    assert len(STACKS) >= 10


@pytest.mark.parametrize("path", STACKS, ids=lambda p: p.stem)
def test_stack(path, capsys):
    wanted = EXPECTED[path.stem]
    status, document = run(capsys, "--facts", path)
    found = [finding["id"] for finding in document["findings"]]
    assert set(wanted["finds"]) <= set(found)
    assert not set(wanted.get("not", ())) & set(found)
    assert status == (1 if found else 0)
    if not wanted["finds"]:
        assert found == []
    upgrades = {one["product"]: one["to"] for one in document["upgrades"]}
    assert {**upgrades, **wanted.get("upgrade", {})} == upgrades


def test_findings_come_worst_first_and_say_where(capsys):
    _, document = run(capsys, "--facts", HERE / "stacks" / "h100-leftovers.yaml")
    order = ["wrong", "crash", "hang", "slow", "missing", "note"]
    ranks = [order.index(finding["severity"]) for finding in document["findings"]]
    assert ranks == sorted(ranks) and len(set(ranks)) > 2
    assert all(finding["where"].rpartition(":")[2].isdecimal() for finding in document["findings"])


WHEELS = (("torch", "2.5.1"), ("vllm", "0.6.4"), ("nvidia-nccl-cu12", "2.21.5"))
LISTS = {
    "freeze": "torch==2.5.1+cu124\nvllm==0.6.4\nnvidia-nccl-cu12==2.21.5\n",
    "requirements": "# engine\ntorch==2.5.1\nvllm[ray]==0.6.4  # pinned\n"
    "nvidia-nccl-cu12==2.21.5; python_version>'3.8'\nnumpy>=1.26\n",
    "pip": "Package            Version\n------------------ --------\n"
    + "".join(f"{name:18} {version}\n" for name, version in WHEELS),
    "json": json.dumps([{"name": name, "version": version} for name, version in WHEELS]),
    "uv.lock": "version = 1\n"
    + "".join(f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n' for name, version in WHEELS),
    "dpkg": "Desired=Unknown/Install/Remove/Purge/Hold\n||/ Name   Version  Architecture Description\n"
    "ii  libnccl2  2.21.5-1+cuda12.4  amd64  NVIDIA Collective Communication Library\n"
    "ii  adduser   3.118  all  add users\n",
    "rpm": "bash-5.1.8-9.el9.x86_64\nlibnccl-2.21.5-1+cuda12.4.x86_64\n",
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_of_packages(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_text(LISTS[name])
    status, document = run(capsys, path)
    products = {one["title"]: one["version"] for one in document["products"]}
    assert products["NCCL"].startswith("2.21.5")
    if name not in ("dpkg", "rpm"):
        assert products["PyTorch"].startswith("2.5.1") and products["vLLM"] == "0.6.4"
    assert "nccl-split-share-connect-hang" in [finding["id"] for finding in document["findings"]]
    assert status == 1


def test_a_list_and_facts_count_together(tmp_path, capsys):
    facts, wheels = tmp_path / "gpu.yaml", tmp_path / "wheels.txt"
    facts.write_text("gpu.model: NVIDIA GeForce RTX 5090\n")
    wheels.write_text("nvidia-nccl-cu12==2.21.5\ntorch==2.5.1+cu124\n")
    _, document = run(capsys, wheels, "--facts", facts)
    found = {finding["id"]: finding["where"] for finding in document["findings"]}
    assert found["nccl-without-code-for-gpu"] == f"{wheels}:1"
    assert found["cuda-without-code-for-gpu"] == f"{wheels}:2"


def test_too_little_known(tmp_path, capsys):
    facts = tmp_path / "facts.yaml"
    facts.write_text("kernel.version: 6.8.0\n")
    status, document = run(capsys, "--facts", facts)
    assert status == 3 and document["verdict"] == "too little known"


def test_wrong_facts_are_refused_with_their_place(tmp_path, capsys):
    facts = tmp_path / "facts.yaml"
    facts.write_text("vllm.version: 0.8.5\nnccl.versoin: 2.21.5\n")
    assert main(["audit", "--facts", str(facts)]) == 2
    assert f"{facts}:2" in capsys.readouterr().err
