"""``gpudoctor collective``, ``try`` and ``verify`` as commands, on a machine that pretends to have GPUs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
import yaml

from gpudoctor.cli.main import main

from ..collectives import environment, pretending_ranks

BROKEN = {"p2p": "hang", "shm": "pass", "socket": "pass"}
COMMON = ["--backend", "nccl", "--yes", "--python", sys.executable]


@pytest.fixture
def machine(monkeypatch):
    """A function that turns this process's environment into one of a machine that breaks as told."""
    monkeypatch.setattr("gpudoctor.cli.inputs.collectives.STALL", 0.3)

    def become(**more):
        for name, value in environment(**more).items():
            monkeypatch.setenv(name, value)

    become(routes=BROKEN)
    with pretending_ranks():
        yield become


def run(capsys, *arguments):
    status = main(list(arguments))
    return status, capsys.readouterr()


def test_text_names_the_transport_and_the_incident(machine, capsys):
    status, said = run(capsys, "collective", *COMMON, "--budget", "20", "--color", "never")
    assert status == 1
    assert "P2P, the direct path between GPUs, is broken: without it the test passes." in said.out
    assert "p2p-path-broken" in said.out
    assert "2 ranks of nccl" in said.err  # said before anything starts


def test_the_same_as_json(machine, capsys):
    status, said = run(capsys, "collective", *COMMON, "--budget", "20", "--format", "json")
    document = json.loads(said.out)
    assert (status, document["verdict"]) == (1, "diagnosed")
    assert document["incidents"][0]["id"] == "p2p-path-broken"
    facts = {fact["name"]: fact for fact in document["facts"]}
    assert facts["collective.default"]["value"] == "hang"
    assert facts["collective.p2p_off"]["from"][0]["where"] == "collective: p2p_off"


def test_the_facts_as_a_file(machine, capsys, tmp_path):
    machine(routes={"p2p": "pass"})
    target = tmp_path / "facts.yaml"
    run(capsys, "collective", *COMMON, "--format", "yaml", "--output", str(target))
    assert yaml.safe_load(target.read_text())["collective.default"] == "pass"
    status, said = run(capsys, "--facts", str(target), "--format", "json")
    assert status in (0, 3)
    assert "collective.default" in {fact["name"] for fact in json.loads(said.out)["facts"]}


def test_from_the_test_over_try_to_cured(machine, capsys, tmp_path, fits):
    session = tmp_path / "session.yaml"
    assert run(capsys, "collective", *COMMON, "--budget", "20", "--save", str(session))[0] == 1

    status, said = run(capsys, "try", "nccl-p2p-disable", *COMMON)
    assert status == 0
    assert said.out.startswith("HELPS")
    status, said = run(capsys, "try", "nccl-ib-off", *COMMON, "--format", "json")
    assert status == 1
    fits(json.loads(said.out))
    assert run(capsys, "verify", str(session), *COMMON)[0] == 1

    machine(routes=BROKEN, own={"NCCL_P2P_DISABLE": "1"})
    status, said = run(capsys, "verify", str(session), *COMMON, "--format", "json")
    document = json.loads(said.out)
    assert (status, document["verdict"]) == (0, "cured")
    fits(document)
    rows = {row["fact"]: (row["before"], row["now"]) for row in document["facts"]}
    assert rows["collective.default"] == ("hang", "pass")
    assert rows["env.NCCL_P2P_DISABLE"][1] == "1"
    kept = yaml.safe_load(session.read_text())
    assert [entry["verdict"] for entry in kept["verified"]] == ["not cured", "cured"]
    outcome = next(s for s in kept["statements"] if s["fact"] == "collective.default")
    assert outcome["value"] == "pass"


def test_verify_cannot_tell_what_was_not_tested_before(machine, capsys, tmp_path):
    facts = tmp_path / "facts.yaml"
    facts.write_text("gpu.vendor: nvidia\nsymptom.hang-at-init: true\ncollective.p2p_off: pass\n")
    session = tmp_path / "session.yaml"
    machine(routes={"p2p": "pass"})
    run(capsys, "collective", *COMMON, "--facts", str(facts), "--save", str(session))
    text = session.read_text()
    kept = yaml.safe_load(text)
    kept["statements"] = [s for s in kept["statements"] if s["fact"] != "collective.default"]
    session.write_text(yaml.safe_dump(kept))
    status, said = run(capsys, "verify", str(session), *COMMON)
    assert status == 3
    assert "CANNOT TELL" in said.out


def test_nothing_to_cure_is_not_a_success(machine, capsys):
    machine(routes={"p2p": "pass"})
    status, said = run(capsys, "try", "nccl-p2p-disable", *COMMON)
    assert status == 3
    assert "nothing here that it could cure" in said.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["try", "nccl-p2p-of"], 'there is no remedy "nccl-p2p-of"'),
        (["try", "iommu-passthrough"], "sets no environment variable"),
        (["try", "nccl-socket-ifname"], "--set NCCL_SOCKET_IFNAME=VALUE"),
        (
            ["try", "nccl-ib-off", "--set", "NCCL_DEBUG=1"],
            "--set takes NAME=VALUE for a variable of the remedy",
        ),
        (["try", "nccl-ib-off", "--backend", "gloo"], "gloo does not read NCCL_IB_DISABLE"),
        (["verify", "/nonexistent.yaml"], "cannot be read"),
        (["collective", "--ranks", "0"], "--ranks must be between 1 and 64"),
        (["collective", "--budget", "1"], "between 5 and 3600 seconds"),
        (["collective", "--node-count", "2"], "--join ADDRESS:PORT"),
        (["collective", "--join", "10.0.0.1"], "--join takes ADDRESS:PORT"),
        (["collective", "--nodes", "hosts"], "--nodes goes with --print"),
        (["collective", "--python", "/bin/true"], "is no Python interpreter"),
        (["collective", "--python", "/nonexistent"], "cannot be run as a Python interpreter"),
    ],
)
def test_wrong_usage_is_one_sentence(machine, capsys, arguments, words):
    common = COMMON if arguments[0] == "collective" or "iommu-passthrough" in arguments else COMMON[2:]
    given = [] if "--python" in arguments or arguments[0] == "verify" else common
    status, said = run(capsys, *arguments, *given)
    assert status == 2
    assert words in said.err
    assert said.err.count("\n") == 1


@pytest.mark.skipif(
    find_spec("torch") is None, reason="torch is not installed in the interpreter of the tests"
)
def test_a_real_fault_of_gloo_is_found_and_its_cure_verified(capsys, monkeypatch, tmp_path):
    session = tmp_path / "session.yaml"
    common = ["--backend", "gloo", "--python", sys.executable, "--format", "json"]
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "nosuchif0")
    status, said = run(capsys, "collective", *common, "--save", str(session))
    document = json.loads(said.out)
    (first, *_) = document["incidents"]
    assert (status, first["id"], first["standing"]) == (1, "gloo-socket-ifname-invalid", "confirmed")
    assert {f["name"]: f["value"] for f in document["facts"]}["collective.broken"] == "settings"
    monkeypatch.delenv("GLOO_SOCKET_IFNAME")
    status, said = run(capsys, "verify", str(session), *common)
    assert (status, json.loads(said.out)["verdict"]) == (0, "cured")


def test_an_interpreter_without_torch_is_said_with_the_way_out(capsys, tmp_path):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare.chmod(0o755)
    status, said = run(capsys, "collective", "--backend", "gloo", "--python", str(bare))
    assert status == 2
    assert f"{bare} has no torch: name the interpreter in which the job runs with --python PATH" in said.err


HOSTS = "node-a slots=8\n\n# a comment\nnode-b:8\n10.0.0.3 slots=8 # third\n"


def test_lines_for_several_nodes(capsys, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.write_text(HOSTS)
    status, said = run(capsys, "collective", "--nodes", str(hosts), "--print", "--backend", "nccl")
    assert status == 0
    assert "srun --nodes=3 --ntasks-per-node=1 --overlap --nodelist=node-a,node-b,10.0.0.3 sh -c" in said.out
    assert "--join node-a:29511 --node-count 3 --backend nccl --ranks 8" in said.out
    assert subprocess.run(["bash", "-n"], input=said.out, text=True).returncode == 0
    python = said.out.split("<<'EOF'\n")[1].split("\nEOF")[0]
    compile(python, "ray", "exec")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\n", "one host needs no launcher"),
        ("a\na\n", "hosts:2: a stands there twice"),
        ("a\nb; rm -rf\n", 'hosts:2: "rm" is not understood'),
        ("a\n$(x)\n", 'hosts:2: "$(x)" is no host name'),
        ("a slots=2\nb slots=4\n", "same number of ranks"),
    ],
)
def test_a_bad_host_file_is_refused_with_its_line(capsys, tmp_path, monkeypatch, text, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hosts").write_text(text)
    status, said = run(capsys, "collective", "--nodes", "hosts", "--print")
    assert status == 2
    assert words in said.err


def test_the_conversation_can_ask_for_it(machine, knowledge):
    from gpudoctor.cli.inputs.collectives import on_request
    from gpudoctor.engine import Session

    machine(routes={"p2p": "pass"})
    session = Session(knowledge)
    for statement in on_request(knowledge, sys.executable)():
        session.add(statement)
    # Which of the two depends on whether the machine of the tests has GPUs.
    assert "pass" in (session.value("collective.gloo"), session.value("collective.default"))


def test_the_command_is_there_for_real():
    shown = subprocess.run(
        [sys.executable, "-m", "gpudoctor.cli.main", "collective", "--help"],
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert shown.returncode == 0
    assert "--matrix" in shown.stdout
