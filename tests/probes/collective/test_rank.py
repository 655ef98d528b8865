"""The rank's own program on its nccl branch: the real torch, whose GPUs and NCCL are pretended (see fakenccl)."""

from __future__ import annotations

import ast
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gpudoctor.engine import Session
from gpudoctor.probes.collective import Options, run_collective, runs
from gpudoctor.probes.collective.nursery import program
from gpudoctor.probes.collective.report import log_facts

FAKE = Path(__file__).parent / "fakenccl"


def _run(python, only, **fakes):
    environment = {**os.environ, "PYTHONPATH": str(FAKE), "FAKE_GPUS": "2", **fakes}
    options = Options(backend="nccl", python=python, yes=True, environment=environment, stall=20.0, only=only)
    return run_collective(options)


@pytest.fixture(scope="module")
def broken(torch_python):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "PEER_COPY", 1 << 16)
        facts = ("collective.default", "collective.p2p_off", "p2p.copy")
        return _run(torch_python, facts, FAKE_BREAKS="wrong", FAKE_COPY="corrupt")


def test_a_broken_transport_is_isolated_and_named(broken, knowledge):
    session = Session(knowledge)
    for statement in (*broken.statements, *log_facts(broken.tested, knowledge)):
        session.add(statement)
    values = {name: session.value(name) for name in ("collective.default", "collective.p2p_off", "p2p.copy")}
    assert values == {"collective.default": "wrong", "collective.p2p_off": "pass", "p2p.copy": "corrupt"}
    assert session.value("collective.transport") == "P2P/CUMEM"
    assert session.value("nccl.via_p2p") is True
    assert (session.value("gpu.arch"), session.value("nccl.version")) == ("sm_89", "2.27.3")
    assert session.value("collective.broken") == "p2p"


def test_intel_gpus_are_tested_through_torch_xpu_and_xccl(torch_python, knowledge):
    fake = FAKE.parent / "fakexccl"
    environment = {**os.environ, "PYTHONPATH": str(fake), "FAKE_GPUS": "2", "FAKE_BREAKS": "wrong"}
    environment["FAKE_CURE"] = "CCL_TOPO_P2P_ACCESS=0"
    only = ("collective.default", "collective.p2p_off", "collective.shm_off")
    options = Options(
        backend="nccl", python=torch_python, yes=True, environment=environment, stall=20.0, only=only
    )
    result = run_collective(options)
    session = Session(knowledge)
    for statement in result.statements:
        session.add(statement)
    assert session.value("collective.default") == "wrong"
    assert session.value("collective.p2p_off") == "pass"
    assert session.value("collective.shm_off") is None  # oneCCL has no such variant
    assert session.value("gpu.vendor") == "intel"
    assert session.value("gpu.model") == "Intel(R) Fake GPU"
    assert session.value("nccl.version") is None
    assert result.tested.plan.backend == "xccl"


def test_every_step_of_the_gpu_branch_ran(broken):
    run = broken.tested.run("p2p_off")
    events = run.ended.end.ranks[0].events
    checks = [e["op"] for e in events if e["stage"] == "check"]
    assert checks == ["copy"] + ["all_reduce"] * 4 + ["all_gather"] * 2 + ["send_recv"]
    assert run.used == ("SHM/direct",)
    peers = broken.tested.run("peers").ended.end.ranks[0].events
    assert [(e["src"], e["dst"], e["turn"]) for e in peers if e["stage"] == "check"] == [
        (a, b, turn) for a, b in ((0, 1), (1, 0)) for turn in range(3)
    ]


def test_two_nodes_meet_at_an_address(torch_python):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        join = f"127.0.0.1:{min(free.getsockname()[1], 65000)}"

    def node(number):
        options = Options(backend="gloo", python=torch_python, ranks=1, join=join, node=number, nodes=2)
        return run_collective(options)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(node, range(2)))
    for number, result in enumerate(results):
        (rank,) = result.tested.run("default").ended.end.ranks
        assert rank.rank == number
        assert {s.name: s.value for s in result.statements if s.name.startswith("collective.")} == {
            "collective.gloo": "pass"
        }
    links = [e for e in rank.events if e["stage"] == "check" and e["op"] == "send_recv"]
    assert [(e["src"], e["dst"]) for e in links] == [(0, 1)]


def test_it_needs_no_more_than_torch_and_old_pythons_parse_it():
    tree = ast.parse(program("rank.py"), feature_version=(3, 8))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert "torch" not in imported  # by name, when its turn has come
    assert imported <= {
        "ctypes",
        "datetime",
        "faulthandler",
        "importlib",
        "json",
        "os",
        "signal",
        "sys",
        "time",
    }


def test_patterns_tell_ranks_apart_and_sums_are_exact():
    pattern = [[(7 * i + 131 * r) % 509 + r + 1 for i in range(509)] for r in range(64)]
    assert len({tuple(row) for row in pattern}) == 64
    assert max(map(sum, zip(*pattern, strict=True))) < 1 << 24
