"""Trees that stand for machines: the facts that the probes read from them, and the diagnosis with a symptom."""

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts.statements import FILE, CannotTell, Fact, Origin
from gpudoctor.probes.live import examine

from ..machines.build import NAMES, build, config_space, describe


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A function that builds a machine once and gives its description and folder."""
    built = {}

    def make(name):
        if name not in built:
            description = describe(name)
            built[name] = description, build(description, tmp_path_factory.mktemp(name))
        return built[name]

    return make


def test_there_are_enough_of_them():
    assert len(NAMES) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_facts_and_incident(name, machine, knowledge):
    description, root = machine(name)
    expected = description["expect"]
    examination = examine(knowledge, root=root)
    session = Session(knowledge)
    for statement in examination.statements:
        assert statement.origin.kind == "probe", statement
        session.add(statement)
    failed = [s for s in examination.statements if isinstance(s, CannotTell) and "the probe " in s.reason]
    assert not failed
    values = {fact: session.value(fact) for fact in expected["facts"]}
    assert {fact: str(value) for fact, value in values.items()} == {
        f: str(v) for f, v in expected["facts"].items()
    }
    gaps = {s.name: s.reason for s in examination.statements if isinstance(s, CannotTell)}
    for fact in expected.get("not_known", ()):
        assert session.value(fact) is None
        assert gaps[fact]
    assert not [f.name for f in session.facts() if f.conflicts]
    for fact, value in description.get("facts", {}).items():
        session.add(Fact(fact, value, Origin(FILE, "what a person says")))
    diagnosis = session.diagnosis()
    if "incident" in expected:
        first = diagnosis.incidents[0]["id"] if diagnosis.incidents else None
        assert first == expected["incident"], diagnosis.incidents
    if "standing" in expected:
        assert diagnosis.incidents[0]["standing"] == expected["standing"]


def test_every_fact_says_where_it_was_read(machine, knowledge):
    _, root = machine("roce-two-nics")
    for statement in examine(knowledge, root=root).statements:
        probe, _, place = statement.origin.where.partition(": ")
        assert probe and place, statement
        assert isinstance(statement, CannotTell) or statement.origin.text, statement


def test_a_hung_tool_is_a_fact_with_state_and_place(machine, knowledge):
    _, root = machine("gpu-lost")
    hung = [s for s in examine(knowledge, root=root).statements if s.name == "probe.hung"]
    assert [s.value for s in hung] == ["NVML, nvidia-smi"]
    assert hung[0].origin.text.startswith("NVML: nvmlDeviceGetHandleByIndex of GPU 1: state D")


def test_nothing_is_asked_of_this_machine_when_a_tree_stands_for_another(
    machine, knowledge, monkeypatch, tmp_path
):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("NCCL_ALGO", "Ring")
    _, root = machine("geforce-pair")
    names = {s.name for s in examine(knowledge, root=root).statements}
    assert "env.NCCL_ALGO" not in names
    assert not (tmp_path / "was-run").exists()


def test_links_do_not_lead_out_of_the_tree(knowledge, tmp_path):
    root = tmp_path / "root"
    (root / "proc").mkdir(parents=True)
    (tmp_path / "cmdline").write_text("outside=1")
    (root / "proc/cmdline").symlink_to(tmp_path / "cmdline")
    (root / "proc/sys").symlink_to("../../../../../../../proc/sys")
    (root / "etc").symlink_to("etc")  # a loop
    found = examine(knowledge, root=root, only=["host"])
    assert not [s for s in found.statements if isinstance(s, Fact) and s.name.startswith("kernel.")]


def test_a_tree_with_odd_files_does_not_hang(knowledge, tmp_path):
    import os

    (tmp_path / "proc").mkdir()
    os.mkfifo(tmp_path / "proc/cmdline")
    (tmp_path / "etc/os-release").mkdir(parents=True)
    found = examine(knowledge, root=tmp_path, only=["host"], timeout=5)
    gaps = {s.name: s.reason for s in found.statements if isinstance(s, CannotTell)}
    assert "no regular file" in gaps["kernel.cmdline"]
    assert found.seconds < 2


@pytest.mark.parametrize(
    ("space", "word"),
    [(config_space(0x1D), 0x1D), (config_space(0), 0), (config_space(None), None), (bytes(4096), None)],
)
def test_the_decoder_of_access_control(space, word):
    from gpudoctor.probes.machine import acs

    assert acs.control(space) == word


def test_a_configuration_space_that_is_cut_or_runs_in_circles():
    import struct

    from gpudoctor.probes.machine import acs

    with pytest.raises(ValueError, match="readable"):
        acs.control(bytes(64))
    circle = bytearray(4096)
    struct.pack_into("<I", circle, 0x100, 0x100 << 20 | 1)
    assert acs.control(bytes(circle)) is None
    assert acs.words(0x1D) == "SrcValid+ ReqRedir+ CmpltRedir+ UpstreamFwd+"


@pytest.mark.parametrize(
    ("version", "name"),
    [(90402, "gfx942"), (90010, "gfx90a"), (110000, "gfx1100"), (120001, "gfx1201"), (100306, "gfx1036")],
)
def test_names_of_amd_targets(version, name):
    from gpudoctor.probes.machine.amdgpu import target

    assert target(version) == name


def test_only_models_without_nvlink_are_judged_by_their_slots():
    from gpudoctor.probes.machine.pciids import HAS_NO_NVLINK, MODELS

    without = {name for name in MODELS.values() if HAS_NO_NVLINK.search(name)}
    assert {"NVIDIA A10", "NVIDIA L40S", "NVIDIA GeForce RTX 4090"} <= without
    assert not [
        name for name in without if "A100" in name or "H100" in name or "3090" in name or "Instinct" in name
    ]


def test_secrets_in_a_log_or_a_configuration_file_do_not_get_out(knowledge, tmp_path):
    description = describe("gpu-lost")
    description["kernel_log"] += "[1.0] NVRM: Xid (PCI:0000:2b:00): 31, api_key=planted-in-log\n"
    description["files"]["etc/nccl.conf"] = "NCCL_AUTH_TOKEN=planted-in-conf"
    description["files"]["proc/cmdline"] = "root=/dev/sda console=ttyS0 password=planted-in-cmdline"
    description["environ"] = ["RAY_AUTH_TOKEN=planted-in-environment"]
    examination = examine(knowledge, root=build(description, tmp_path))
    assert "planted" not in repr(examination)
    assert {"xid.31", "env.RAY_AUTH_TOKEN", "kernel.cmdline"} <= {s.name for s in examination.statements}
