"""Captures put together, compared, and diagnosed as one."""

import json
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from gpudoctor.engine import Fact, Origin
from gpudoctor.engine.facts.nodefacts import NodeFactsReader
from gpudoctor.engine.fleet.assembly import (
    BROKEN,
    MISSING,
    SAME_NAME,
    SILENT,
    TWICE,
    NodeProblem,
    assemble,
)
from gpudoctor.engine.fleet.diagnosing import diagnose_fleet
from gpudoctor.engine.fleet.skew import compare, statements

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import fleetnodes

SCHEMA = json.loads((resources.files("gpudoctor.engine.diagnosis") / "diagnosis.schema.json").read_text())


@pytest.fixture
def reader(type_of):
    return NodeFactsReader(type_of)


def document(host, facts, boot_id="", taken="1", gaps=()):
    return {
        "schema": "gpudoctor/facts/1",
        "host": host,
        "boot_id": boot_id or f"boot of {host}",
        "taken": taken,
        "facts": [{"name": name, "value": value} for name, value in facts.items()],
        "gaps": [{"fact": name, "reason": reason} for name, reason in gaps],
    }


@pytest.fixture
def fleet_of(reader, type_of):
    def make(nodes, expect=0, trouble=()):
        captures = [reader.take(document(host, facts), f"{host}.json") for host, facts in nodes.items()]
        return assemble(captures, reader, type_of, trouble, expect)

    return make


@pytest.fixture
def diagnose(knowledge, fleet_of):
    def run(nodes, common=(), **options):
        found = diagnose_fleet(knowledge, fleet_of(nodes, **options), common).to_dict()
        jsonschema.validate(found, SCHEMA)
        return found

    return run


def skew_of(fleet, type_of, read=frozenset()):
    return {
        s.name: getattr(s, "value", None)
        for s in statements(compare(fleet, type_of, read), fleet, type_of, read)
    }


def standing(found):
    return {i["id"]: (i["standing"], i.get("nodes", {}).get("hosts", "all")) for i in found["incidents"]}


# The set


def test_a_node_is_a_host_name_and_a_boot_id(reader, type_of):
    captures = [
        reader.take(document("n1", {"gpu.count": 4}, taken="1"), "old.json"),
        reader.take(document("n1", {"gpu.count": 8}, taken="2"), "new.json"),
        reader.take(document("n2", {"gpu.count": 8}, boot_id="x"), "c.json"),
        reader.take(document("n2", {"gpu.count": 8}, boot_id="y"), "d.json"),
    ]
    fleet = assemble(captures, reader, type_of)
    assert [n.name for n in fleet.nodes] == ["n1", "n2", "n2-2"]
    assert fleet.values(fleet.nodes[0]) == {"gpu.count": 8}
    assert [(f.kind, f.node) for f in fleet.problems] == [(SAME_NAME, "n2"), (TWICE, "n1")]
    assert not fleet.incomplete


def test_containers_of_one_machine_are_nodes_of_their_own(reader, type_of):
    captures = [reader.take(document(f"pod-{n}", {}, boot_id="same"), "f") for n in range(3)]
    fleet = assemble(captures, reader, type_of)
    assert len(fleet.nodes) == 3
    assert fleet.problems == ()


@pytest.mark.parametrize(
    ("expect", "missing"),
    [
        (2, []),
        (4, [""]),
        (["n1", "n2"], []),
        (["n1.cluster", "N2.cluster"], []),
        (["n1", "n2", "n3", "n4"], ["n3", "n4"]),
    ],
)
def test_expected_nodes(fleet_of, expect, missing):
    fleet = fleet_of({"n1": {}, "n2": {}}, expect)
    assert [f.node for f in fleet.problems if f.kind == MISSING] == missing
    assert fleet.incomplete is bool(missing)


def test_a_node_whose_capture_is_broken_is_not_missing_as_well(fleet_of):
    broken = NodeProblem(BROKEN, "n3", "n3.json: the file is empty")
    assert [f.kind for f in fleet_of({"n1": {}, "n2": {}}, ["n1", "n2", "n3"], [broken]).problems] == [BROKEN]
    assert [f.kind for f in fleet_of({"n1": {}, "n2": {}}, 3, [broken]).problems] == [BROKEN]


# Comparison


def test_the_few_and_the_many(fleet_of, type_of):
    fleet = fleet_of({f"n{i}": {"nccl.version": "2.20.5" if i == 3 else "2.21.5"} for i in range(1, 6)})
    assert skew_of(fleet, type_of) == {"skew.nccl.version": True, "minority.nccl.version": "n3"}


def test_halves_have_no_minority(fleet_of, type_of):
    fleet = fleet_of({f"n{i}": {"gpu.count": 8 if i % 2 else 4} for i in range(4)})
    assert skew_of(fleet, type_of) == {"skew.gpu.count": True}


def test_equal_is_told_only_where_all_nodes_are_known(fleet_of, type_of):
    read = frozenset({"skew.rdma.mtu", "skew.nccl.version"})
    every = fleet_of({"n1": {"rdma.mtu": 9000}, "n2": {"rdma.mtu": 9000}})
    assert skew_of(every, type_of, read) == {"skew.rdma.mtu": False}
    some = fleet_of({"n1": {"rdma.mtu": 9000}, "n2": {"rdma.mtu": 9000}, "n3": {}})
    assert skew_of(some, type_of, read) == {"skew.rdma.mtu": None}
    lacking = fleet_of({"n1": {"rdma.mtu": 9000}, "n2": {"rdma.mtu": 9000}}, 3)
    assert skew_of(lacking, type_of, read) == {"skew.rdma.mtu": None}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("shm.free_bytes", (1 << 30, 2 << 30)),
        ("shm.size_bytes", (64 << 30, (64 << 30) + 8192)),
        ("host.addresses", ("10.0.0.1", "10.0.0.2")),
        ("clock.offset_ms", (-400, 900)),
        ("env.RANK", ("0", "8")),
        ("env.VLLM_DP_RANK", ("0", "1")),
        ("env.RAY_NODE_ID", ("aa", "bb")),
        ("limit.pids", (4_194_304, 4_194_311)),
        (
            "env.NVIDIA_VISIBLE_DEVICES",
            ("GPU-0a1b2c3d-1111,GPU-0a1b2c3d-2222", "GPU-ffffffff-1,GPU-ffffffff-2"),
        ),
        ("nccl.version", ("22105", "2.21.5")),
        (
            "kernel.cmdline",
            ("BOOT_IMAGE=/a root=UUID=1 ro iommu=pt", "BOOT_IMAGE=/b root=UUID=2 ro iommu=pt"),
        ),
    ],
)
def test_what_differs_between_healthy_nodes_is_no_skew(fleet_of, type_of, name, values):
    fleet = fleet_of({f"n{i}": {name: value, "gpu.count": 8} for i, value in enumerate(values)})
    assert skew_of(fleet, type_of) == {}
    assert [fleet.values(n)[name] for n in fleet.nodes] == list(values)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("shm.size_bytes", (64 << 20, 64 << 30)),
        ("clock.offset_ms", (0, 60_000)),
        ("kernel.cmdline", ("root=UUID=1 ro iommu=pt", "root=UUID=2 ro")),
        ("kernel.version", ("5.15.0-91-generic", "5.15.0-105-generic")),
        ("torch.version", ("2.6.0+cu124", "2.6.0+cu118")),
        ("env.NCCL_SOCKET_IFNAME", ("eno1", "eth0")),
        ("env.NVIDIA_VISIBLE_DEVICES", ("GPU-0a1b2c3d-1111", "GPU-ffffffff-1,GPU-ffffffff-2")),
        ("net.default_mtu", (1500, 9000)),
    ],
)
def test_what_differs_and_should_not_is_skew(fleet_of, type_of, name, values):
    fleet = fleet_of({f"n{i}": {name: value} for i, value in enumerate(values)})
    assert skew_of(fleet, type_of) == {f"skew.{name}": True}


def test_a_variable_that_is_set_on_the_head_only(reader, fleet_of, type_of):
    fleet = fleet_of({"head": {"env.GLOO_SOCKET_IFNAME": "eno1"}, "w1": {}, "w2": {}})
    assert skew_of(fleet, type_of) == {
        "skew.env.GLOO_SOCKET_IFNAME": True,
        "minority.env.GLOO_SOCKET_IFNAME": "head",
    }
    assert fleet.values(fleet.nodes[1]) == {"env.GLOO_SOCKET_IFNAME": "unset"}
    unreadable = reader.take(document("w", {}, gaps=[("env", "no permission")]), "w.json")
    head = reader.take(document("head", {"env.GLOO_SOCKET_IFNAME": "eno1"}), "h.json")
    assert skew_of(assemble([head, unreadable], reader, type_of), type_of) == {}


# The diagnosis

TROUBLE = Origin("report", "job.log:1", "line")


def test_nccl_versions_that_differ_confirm_what_the_log_hints_at(diagnose):
    nodes = {f"n{i}": {"nccl.version": "2.20.5" if i == 2 else "2.26.2"} for i in range(4)}
    found = diagnose(nodes, [Fact("symptom.bootstrap-garbage-address", True, TROUBLE)])
    assert standing(found)["nccl-version-mismatch-ranks"] == ("confirmed", "n2")
    assert found["verdict"] == "diagnosed"
    reason = next(r for r in found["incidents"][0]["because"] if r["fact"] == "skew.nccl.version")
    assert reason["from"][0]["text"] == "2.20.5 on n2; 2.26.2 on n[0-1,3]"


def test_equal_nccl_versions_in_use_rule_it_out(diagnose):
    nodes = {f"n{i}": {"nccl.loaded_version": "2.26.2"} for i in range(4)}
    no_line = Fact("symptom.nccl-version-mismatched", False, TROUBLE)
    found = diagnose(nodes, [Fact("symptom.bootstrap-garbage-address", True, TROUBLE), no_line])
    assert "nccl-version-mismatch-ranks" in [r["id"] for r in found["ruled_out"]]


def test_one_gid_index_for_tables_that_differ(diagnose):
    base = {"env.NCCL_IB_GID_INDEX": "3", "net.fabric": "roce"}
    nodes = {f"n{i}": {**base, "rdma.gid_index": 5 if i == 1 else 3} for i in range(4)}
    found = diagnose(nodes, [Fact("symptom.ibv-modify-qp-failed", True, TROUBLE)])
    assert standing(found)["roce-gid-index-per-node"] == ("confirmed", "n1")


def test_hca_names_that_differ_under_one_filter(diagnose):
    nodes = {f"n{i}": {"env.NCCL_IB_HCA": "mlx5_0", "rdma.hca_names": "mlx5_0"} for i in range(3)}
    nodes["n3"] = {"env.NCCL_IB_HCA": "mlx5_0", "rdma.hca_names": "ibp12s0"}
    assert standing(diagnose(nodes))["ib-hca-wrong-names"] == ("likely", "n3")


def test_vllm_host_ip_that_all_nodes_share(diagnose):
    symptom = [Fact("symptom.node-ip-not-unique", True, TROUBLE)]
    same = {f"n{i}": {"env.VLLM_HOST_IP": "10.0.0.1"} for i in range(2)}
    assert standing(diagnose(same, symptom))["vllm-host-ip-duplicate"] == ("confirmed", "all")
    own = {f"n{i}": {"env.VLLM_HOST_IP": f"10.0.0.{i}"} for i in range(2)}
    assert "vllm-host-ip-duplicate" not in standing(diagnose(own, symptom))


def test_variables_that_do_not_reach_the_workers(diagnose):
    nodes = {"head": {"env.GLOO_SOCKET_IFNAME": "eno1"}, "w1": {}, "w2": {}}
    common = [
        Fact("symptom.gloo-connect-failed", True, TROUBLE),
        Fact("ray.env_only_at_driver", True, TROUBLE),
        Fact("launcher", "ray", TROUBLE),
    ]
    assert standing(diagnose(nodes, common))["ray-worker-env-not-propagated"][0] == "confirmed"


def test_a_fault_of_one_node_is_told_of_that_node(diagnose):
    nodes = {
        f"n{i}": {"limit.memlock_bytes": 65536 if i == 1 else -1, "net.fabric": "infiniband"}
        for i in range(4)
    }
    found = diagnose(nodes, [Fact("symptom.rdma-enomem", True, TROUBLE)])
    assert standing(found)["memlock-limit"] == ("likely", "n1")


def test_faults_of_different_nodes_do_not_compete(diagnose):
    pcie = {"gpu.vendor": "nvidia", "topology.link": "sys", "gpu.count": 8}
    nodes = {
        f"n{i}": {**pcie, "pcie.acs_redirect": i == 1, "env.NCCL_IB_HCA": "mlx5", "rdma.hca_names": "mlx5_0"}
        for i in range(5)
    }
    nodes["n1"]["collective.p2p_off"] = "pass"
    nodes["n3"]["rdma.hca_names"] = "ibp12s0"
    found = diagnose(nodes)
    assert [standing(found)[name] for name in ("pcie-acs-redirect", "ib-hca-wrong-names")] == [
        ("likely", "n1"),
        ("likely", "n3"),
    ]
    assert found["verdict"] == "diagnosed"


def test_the_rank_that_failed_first_leads_to_its_node(diagnose):
    nodes = {f"gpu{i:02d}.example": {"gpu.count": 7 if i == 3 else 8} for i in range(5)}
    common = [
        Fact("log.first_failure", "rank 24: CUDA error", Origin("report", "logs/rank24.log:7", "CUDA error")),
        Fact("log.first_failed_rank", 24, Origin("report", "logs/rank24.log:7", "")),
        Fact("log.first_failed_host", "gpu03", Origin("report", "logs/rank24.log:7", "")),
    ]
    failure = diagnose(nodes, common)["fleet"]["first_failure"]
    assert (failure["rank"], failure["node"], failure["differs"]) == (24, "gpu03.example", ["gpu.count"])
    by_file = [Fact("log.first_failure", "x", Origin("report", "logs/gpu01.example/rank8.log:7", "x"))]
    assert diagnose(nodes, by_file)["fleet"]["first_failure"]["node"] == "gpu01.example"


def test_nodes_that_differ_in_nothing_that_rules_read_share_a_session(knowledge, fleet_of, monkeypatch):
    from gpudoctor.engine.fleet import diagnosing as fleetdiagnosis

    made = []
    session = fleetdiagnosis.Session
    monkeypatch.setattr(fleetdiagnosis, "Session", lambda *given: made.append(1) or session(*given))
    nodes = {
        f"n{i}": {"gpu.count": 8, "shm.free_bytes": (60 << 30) + i, "gpu.model": f"made-up {i}"}
        for i in range(50)
    }
    diagnose_fleet(knowledge, fleet_of(nodes))
    assert len(made) < 6


def test_nobody_answered(diagnose):
    silent = [NodeProblem(SILENT, "n1", "no answer in 8 s")]
    found = diagnose({}, [Fact("symptom.rdma-enomem", True, TROUBLE)], trouble=silent)
    assert standing(found)["memlock-limit"] == ("possible", "all")
    assert found["fleet"]["groups"] == []
    assert diagnose({}, trouble=silent)["verdict"] == "insufficient evidence"


def test_healthy_nodes_show_nothing(knowledge, reader, type_of):
    captures = [reader.take(fleetnodes.capture(n, {}), "f") for n in range(1, 9)]
    found = diagnose_fleet(knowledge, assemble(captures, reader, type_of, expect=8)).to_dict()
    assert found["incidents"] == []
    assert found["fleet"]["skew"] == []
    assert found["fleet"]["findings"] == []
    assert len(found["fleet"]["groups"]) == 1
    assert found["unexplained"] == []


def test_planted_faults_in_a_thousand_nodes_and_nothing_else(knowledge, reader, type_of):
    count = 1000
    faults = fleetnodes.planted(count)
    captures = [
        reader.take(fleetnodes.capture(n, faults), f"{fleetnodes.name_of(n)}.json")
        for n in range(1, count + 1)
        if fleetnodes.name_of(n) != faults["missing"]
    ]
    hosts = [fleetnodes.name_of(n) for n in range(1, count + 1)]
    found = diagnose_fleet(knowledge, assemble(captures, reader, type_of, expect=hosts)).to_dict()
    jsonschema.validate(found, SCHEMA)
    fleet = found["fleet"]
    assert [(f["kind"], f["node"]) for f in fleet["findings"]] == [("missing", faults["missing"])]
    assert {s["fact"]: s["minority"] for s in fleet["skew"]} == {
        "nccl.version": faults["nccl.version"],
        "rdma.gid_index": faults["rdma.gid_index"],
        "rdma.gid_in_use": faults["rdma.gid_index"],
        "pcie.acs_redirect": faults["pcie.acs_redirect"],
        "limit.memlock_bytes": faults["limit.memlock_bytes"],
    }
    assert {name: hosts for name, (_, hosts) in standing(found).items()} == {
        "nccl-version-mismatch-ranks": faults["nccl.version"],
        "roce-gid-index-per-node": faults["rdma.gid_index"],
        "pcie-acs-redirect": faults["pcie.acs_redirect"],
        "memlock-limit": faults["limit.memlock_bytes"],
    }
    assert [g["count"] for g in fleet["groups"]] == [count - 5, 1, 1, 1, 1]
    assert len(fleet["members"]) == count - 1
    whole = {**fleet["groups"][0]["facts"], **fleet["members"]["node00001"]["facts"]}
    assert whole == {f["name"]: f["value"] for f in fleetnodes.capture(1, {})["facts"]}


def test_a_clone_does_not_take_the_name_of_another_host(reader, type_of):
    boots = [("n", "a"), ("n", "b"), ("n-2", "c")]
    fleet = assemble(
        (reader.take(document(h, {}, boot), f"{boot}.json") for h, boot in boots), reader, type_of
    )
    assert {node.boot_id: node.name for node in fleet.nodes} == {"a": "n", "b": "n-3", "c": "n-2"}
