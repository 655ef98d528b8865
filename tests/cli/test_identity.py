"""Which machine a session is of: verify, --resume and captures say when it is another one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from gpudoctor.cli.main import main
from gpudoctor.engine.session.identity import (
    OTHER,
    SAME,
    UNKNOWN,
    Identity,
    compare,
    identity_of,
    read_identity,
)
from gpudoctor.probes.machine.identity import FILE, identity
from gpudoctor.probes.machine.world import World

from ..machines.build import build, describe

NODE = identity_of("node1", "0123456789abcdef0123456789abcdef", "b00d-1", ["GPU-6f2c1a0e-1"])
SESSION = """schema: gpudoctor/session/1
machine: {machine}
statements:
- {{fact: gpu.vendor, value: nvidia, by: probe}}
- {{fact: gpu.count, value: 8, by: probe}}
- {{fact: symptom.driver-wedged, value: true, by: report, where: "x:1", text: nvidia-smi hangs}}
- {{fact: service.fabric_manager, value: stopped, by: probe}}
- {{fact: gpu.nvswitch_class, value: true, by: probe}}
- {{fact: symptom.fabric-not-ready, value: true, by: report}}
"""


def run(capsys, *arguments):
    status = main(list(arguments))
    return status, capsys.readouterr()


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (NODE, NODE, SAME),
        (NODE, NODE._replace(boot="other"), SAME),  # restarted
        (NODE, NODE._replace(host="c0ffee", machine="", gpus=()), SAME),  # a container there
        (NODE, NODE._replace(boot="", machine="other"), SAME),  # the GPUs are the same
        (NODE, NODE._replace(boot="x", gpus=("other",)), OTHER),  # a clone
        (NODE, NODE._replace(boot="x", gpus=(), machine="other"), OTHER),
        (NODE, Identity(host="laptop"), OTHER),
        (NODE, Identity(boot="x"), UNKNOWN),
        (NODE, None, UNKNOWN),
    ],
)
def test_what_tells_machines_apart(before, now, found):
    assert compare(before, now)[0] == found


def test_no_id_can_be_read_from_a_file():
    text = json.dumps(NODE.to_dict())
    assert "0123456789abcdef0123456789abcdef" not in text
    assert "6f2c1a0e" not in text
    assert read_identity(json.loads(text)) == NODE


@pytest.mark.parametrize("data", [None, [], {"host": 1}, {"gpus": "x"}, {"gpus": [1]}, {}])
def test_an_identity_that_is_none(data):
    assert read_identity(data) is None


def test_a_tree_has_the_identity_of_its_machine(tmp_path):
    root = build(describe("geforce-pair"), tmp_path / "tree")
    (root / "proc/driver/nvidia/gpus/0000:01:00.0").mkdir(parents=True, exist_ok=True)
    (root / "proc/driver/nvidia/gpus/0000:01:00.0/information").write_text("GPU UUID: \t GPU-aaaa-1\n")
    found = identity(World(str(root)))
    assert found.host == "node1"
    assert found.gpus == identity_of("", "", "", ["GPU-aaaa-1"]).gpus
    (root / FILE).write_text(json.dumps(NODE.to_dict()))
    assert identity(World(str(root))) == NODE


def test_verify_of_another_machines_session_cures_nothing(capsys, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(SESSION.format(machine=json.dumps(NODE.to_dict())))
    status, said = run(capsys, "verify", str(path), "--budget", "5")
    assert status == 3
    assert "CANNOT TELL" in said.out
    assert "not the machine of the session" in said.out
    kept = yaml.safe_load(path.read_text())
    assert {s["fact"]: s.get("value") for s in kept["statements"]}["gpu.count"] == 8  # nothing was replaced


def test_verify_without_a_gpu_cures_nothing(capsys, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(SESSION.format(machine="null"))
    status, said = run(capsys, "verify", str(path), "--budget", "5")
    assert status == 3
    assert "no GPU in this machine" in " ".join(said.out.split())


def test_a_resumed_session_takes_nothing_of_another_machine(capsys, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(SESSION.format(machine=json.dumps(NODE.to_dict())))
    root = build(describe("mi300x"), tmp_path / "tree")
    Path(root, FILE).write_text(json.dumps(NODE._replace(boot="x", gpus=("other",)).to_dict()))
    _, said = run(capsys, "--resume", str(path), "--root", str(root), "--format", "json")
    document = json.loads(said.out)
    assert {f["name"]: f["value"] for f in document["facts"]}["gpu.vendor"] == "nvidia"
    assert any("not the machine of the session" in note for note in document["notes"])


def test_a_saved_session_says_which_machine_it_is_of(capsys, tmp_path):
    root = build(describe("mi300x"), tmp_path / "tree")
    run(capsys, "--root", str(root), "--save", str(tmp_path / "s.yaml"))
    assert yaml.safe_load((tmp_path / "s.yaml").read_text())["machine"]["host"] == "node1"
