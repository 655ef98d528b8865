"""``--facts`` with captures of several nodes: files, patterns, folders, ``--expect``, and what is printed."""

import json

import pytest

from gpudoctor.cli.main import main


def capture(host, facts, boot_id="b"):
    listed = [{"name": name, "value": value, "from": []} for name, value in facts.items()]
    return json.dumps(
        {
            "schema": "gpudoctor/facts/1",
            "host": host,
            "boot_id": boot_id + host,
            "taken": "",
            "facts": listed,
            "gaps": [],
        }
    )


@pytest.fixture
def nodes(tmp_path):
    for number in range(1, 5):
        facts = {"nccl.version": "2.20.5" if number == 2 else "2.26.2", "gpu.count": 8}
        (tmp_path / f"node{number}.json").write_text(capture(f"node{number}", facts))
    return tmp_path


def run(capsys, *argv):
    status = main(list(map(str, argv)))
    out, err = capsys.readouterr()
    return status, out, err


def fleet(capsys, *argv):
    status, out, err = run(capsys, *argv, "--format", "json")
    assert status in (0, 1, 3), err
    return json.loads(out)["fleet"]


@pytest.mark.parametrize("form", ["pattern", "folder", "list"])
def test_a_pattern_a_folder_and_a_list_of_files(capsys, nodes, form):
    given = {"pattern": [nodes / "*.json"], "folder": [nodes], "list": sorted(nodes.iterdir())}[form]
    found = fleet(capsys, "--facts", *given)
    assert found["nodes"] == 4
    assert [(s["fact"], s["minority"]) for s in found["skew"]] == [("nccl.version", "node2")]


def test_one_capture_is_this_machine(capsys, nodes):
    _, out, _ = run(capsys, "--facts", nodes / "node1.json", "--format", "json")
    document = json.loads(out)
    assert "fleet" not in document
    assert {f["name"]: f["value"] for f in document["facts"]}["gpu.count"] == 8


def test_one_node_of_several_expected_is_a_fleet(capsys, nodes):
    found = fleet(capsys, "--facts", nodes / "node1.json", "--expect", "node[1-2]")
    assert [(f["kind"], f["node"]) for f in found["findings"]] == [("missing", "node2")]


def test_a_missing_node_makes_the_evidence_incomplete(capsys, nodes):
    (nodes / "hosts").write_text("node1\nnode2 slots=8\nnode3\nnode4\nnode5\n")
    status, out, _ = run(capsys, "--facts", nodes / "*.json", "--expect", nodes / "hosts")
    assert status == 3
    assert "missing: node5: no capture" in out


def test_broken_files_are_findings_and_the_others_count(capsys, nodes):
    (nodes / "node5.json").write_text("")
    (nodes / "node6.json").write_text(capture("node6", {"gpu.count": 8})[:-20])
    (nodes / "node7.json").write_bytes(b"\0\0")
    found = fleet(capsys, "--facts", nodes / "*.json", "--expect", "7")
    assert [(f["kind"], f["node"]) for f in found["findings"]] == [("broken", f"node{n}") for n in (5, 6, 7)]
    assert "the probe wrote nothing" in found["findings"][0]["text"]
    assert "ends in the middle" in found["findings"][1]["text"]


def test_only_broken_files_are_an_error(capsys, tmp_path):
    (tmp_path / "node1.json").write_text("")
    status, out, err = run(capsys, "--facts", tmp_path / "node1.json")
    assert (status, out) == (2, "")
    assert "node1.json: the file is empty" in err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--facts", "{}/*.yaml"], "no file matches"),
        (["--facts", "{}/none.json"], "cannot be read"),
        (["--facts", "{}/node1.json", "--expect", "a;b"], '--expect: "a;b" is not a host name'),
        (["--facts", "{}/node1.json", "--expect", "#"], "--expect: # names no hosts"),
        (["--facts", "{}", "--probe"], "--probe and its options speak of one machine"),
        (["--expect", "4", "--report", "{}/node1.json"], "--expect goes with captures of nodes"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, nodes, argv, message):
    status, out, err = run(capsys, *(a.format(nodes) for a in argv))
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_facts_of_the_whole_job_stand_beside_the_nodes(capsys, nodes, tmp_path):
    job = tmp_path / "job.yaml"
    job.write_text("symptom.bootstrap-garbage-address: true\n")
    status, out, _ = run(capsys, "--facts", nodes / "*.json", job)
    assert status == 1
    assert "confirmed · nccl-version-mismatch-ranks" in out
    assert "on node2" in out
    assert "nccl.version: 2.20.5 on node2; 2.26.2 on node[1,3-4]" in out
    assert "pdsh -w 'node2' COMMAND" in run(capsys, "--facts", nodes / "*.json", job, "--full")[1]


def test_logs_and_nodes_join(capsys, nodes):
    logs = nodes / "logs"
    logs.mkdir()
    for rank in range(4):
        host = f"node{rank + 1}"
        lines = [
            f"{host}:10:10 [0] NCCL INFO comm 0x1 rank {rank} nranks 4 cudaDev 0 busId 1 commId 0x2 - Init START"
        ]
        if rank == 1:
            lines.append("2026-01-01 10:00:00 RuntimeError: out of the ordinary")
        else:
            lines.append(
                f"2026-01-01 10:10:00 [rank{rank}]: [PG 0] Watchdog caught collective operation timeout: WorkNCCL(x)"
            )
        (logs / f"rank{rank}.log").write_text("\n".join(lines) + "\n")
    found = fleet(capsys, "--facts", nodes / "*.json", "--report", logs)
    assert found["first_failure"]["rank"] == 1
    assert found["first_failure"]["node"] == "node2"
    assert found["first_failure"]["differs"] == ["nccl.version"]


def test_markdown_names_the_nodes(capsys, nodes):
    _, out, _ = run(capsys, "--facts", nodes / "*.json", "--format", "markdown")
    assert "### Nodes" in out
    assert "- nccl.version: 2.20.5 on node2; 2.26.2 on node\\[1,3-4]" in out
