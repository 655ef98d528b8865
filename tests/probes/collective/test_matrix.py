"""The matrix, the pairs and the budget, on ranks that only pretend; then what the rules make of it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts.statements import CannotTell, Fact
from gpudoctor.probes.collective import CollectiveError, Options, run_collective
from gpudoctor.probes.collective.trial import try_settings

from ...collectives import PYTHON, environment, pretending_ranks

P2P = {"p2p": "hang", "shm": "pass", "socket": "pass"}
BAD_SETTING = {"NCCL_P2P_LEVEL": "SYS", "FAKE_BAD_SETTING": "NCCL_P2P_LEVEL"}
MACHINES = {
    "healthy": {},
    "broken p2p": {"routes": P2P},
    "wrong p2p": {"routes": {"p2p": "wrong", "shm": "pass", "socket": "pass"}},
    "broken shm": {"routes": {"shm": "error", "socket": "pass"}},
    "broken ib": {"routes": {"p2p": "pass", "shm": "pass", "ib": "hang", "socket": "pass"}, "matrix": True},
    "broken everything": {"routes": {"p2p": "hang", "shm": "hang", "socket": "hang"}},
    "bad setting": {"own": BAD_SETTING},
    "deaf": {"routes": {"p2p": "hang", "shm": "pass"}, "own": {"FAKE_DEAF": "1"}},
    # Budget for the pairs, not for the variants that come after them.
    "bad pair": {"gpus": 4, "routes": P2P, "own": {"FAKE_PAIRS": "1-3"}, "budget": 20.0},
    "dead gpu": {
        "gpus": 3,
        "routes": {"p2p": "hang", "shm": "hang", "socket": "hang"},
        "own": {"FAKE_DEAD": "1"},
        "budget": 20.0,
    },
    "two ranks on one gpu": {"gpus": 1, "ranks": 2},
    "one gpu": {"gpus": 1},
    "little budget": {"routes": {"p2p": "hang", "shm": "pass"}, "budget": 14.0, "stall": 2.0},
    "gloo": {"backend": "gloo", "ranks": 3, "matrix": True},
}


def options(gpus: int = 2, routes: dict[str, str] | None = None, own: dict[str, str] | None = None, **more):
    """The options for a machine with GPUs whose transports break as told."""
    made = {"backend": "nccl", "python": PYTHON, "yes": True, "stall": 0.4}
    return Options(**made | {"environment": environment(gpus, routes, own)} | more)


@pytest.fixture(scope="module", autouse=True)
def pretending():
    with pretending_ranks():
        yield


@pytest.fixture(scope="module")
def results(pretending):
    """Every machine's result; they are tested at the same time, since each mostly waits."""
    with ThreadPoolExecutor(5) as pool:
        waiting = {name: pool.submit(run_collective, options(**more)) for name, more in MACHINES.items()}
        return {name: future.result() for name, future in waiting.items()}


def outcomes(result):
    return {s.name: s.value for s in result.statements if isinstance(s, Fact)}


def gaps(result):
    return {s.name: s.reason for s in result.statements if isinstance(s, CannotTell)}


def concluded(result, knowledge, **more):
    session = Session(knowledge)
    for statement in result.statements:
        session.add(statement)
    for name, value in more.items():
        session.tell(name.replace("__", "."), value)
    return session


def test_a_healthy_machine_needs_no_matrix(results):
    result = results["healthy"]
    found = outcomes(result)
    assert found["collective.default"] == "pass"
    assert found["collective.transport"] == "P2P/IPC"
    assert (found["gpu.vendor"], found["nccl.version"], found["gpu.arch"]) == ("nvidia", "2.27.3", "sm_90")
    assert "collective.p2p_off" not in found
    assert [run.variant.name for run in result.tested.runs] == ["default"]


def test_broken_p2p_leads_to_its_incident(results, knowledge):
    found = outcomes(results["broken p2p"])
    assert found["collective.default"] == "hang"
    assert found["collective.stage"] == "all_reduce"
    assert found["collective.p2p_off"] == found["collective.net_only"] == "pass"
    assert found["collective.shm_off"] == found["collective.clean"] == "hang"
    assert "collective.rank" not in found  # all ranks wait at the same place
    session = concluded(results["broken p2p"], knowledge)
    assert session.value("collective.broken") == "p2p"
    assert session.value("symptom.hang-at-first-collective") is True
    assert (found["p2p.copy"], found["p2p.driver_reports"]) == ("corrupt", True)
    assert session.standings()[0].id == "p2p-path-broken"


def test_the_rules_name_the_cause_behind_broken_p2p(results, knowledge):
    session = concluded(results["broken p2p"], knowledge, pcie__acs_redirect=True)
    assert session.standings()[0].id == "pcie-acs-redirect"


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("healthy", "none"),
        ("wrong p2p", "p2p"),
        ("broken shm", "shm"),
        ("broken ib", "ib"),
        ("broken everything", "everything"),
        ("dead gpu", "gpu"),
    ],
)
def test_the_rules_read_the_matrix(results, knowledge, name, broken):
    assert concluded(results[name], knowledge).value("collective.broken") == broken


def test_a_setting_of_the_users_is_told_from_the_machine(results, knowledge):
    result = results["bad setting"]
    found = outcomes(result)
    assert (found["collective.default"], found["collective.clean"]) == ("hang", "pass")
    session = concluded(result, knowledge, env__NCCL_P2P_LEVEL="SYS")
    assert session.value("collective.broken") == "settings"
    assert session.standings()[0].id == "nccl-p2p-level-forced"


def test_a_setting_that_is_not_obeyed_proves_nothing(results):
    result = results["deaf"]
    assert "collective.p2p_off" not in outcomes(result)
    assert "NCCL_P2P_DISABLE=1 was not obeyed" in gaps(result)["collective.p2p_off"]
    assert outcomes(result)["collective.nvls_off"] == "hang"


def test_the_failing_pair_is_found(results, knowledge):
    result = results["bad pair"]
    found = outcomes(result)
    assert (found["collective.pairs"], found["collective.failing_pairs"]) == ("one_pair", "1-3")
    session = concluded(result, knowledge)
    assert session.value("symptom.only-some-gpus") is True
    assert session.value("symptom.fault-follows-gpu") is True
    assert session.standings()[0].id == "faulty-gpu-or-link"


def test_a_dead_gpu_is_named(results):
    result = results["dead gpu"]
    single = next(s for s in result.statements if s.name == "collective.single_rank")
    assert single.value == "hang"
    assert "GPU 1 fails alone" in single.origin.text


def test_two_ranks_on_one_gpu_are_no_fault_of_the_machine(results):
    result = results["two ranks on one gpu"]
    assert "collective.default" not in outcomes(result)
    assert "share a GPU, which NCCL refuses" in gaps(result)["collective.default"]


def test_one_gpu_has_no_transport_to_test(results):
    result = results["one gpu"]
    assert outcomes(result)["collective.single_rank"] == "pass"
    assert "at least two GPUs" in gaps(result)["collective.default"]


def test_what_the_budget_leaves_out_is_said(results):
    result = results["little budget"]
    assert result.tested.seconds < 14 + 2
    assert outcomes(result)["collective.p2p_off"] == "pass"
    assert "budget of 14 s" in gaps(result)["collective.loopback"]


def test_a_remedy_is_tried():
    broken = options(routes=P2P)
    without, with_it = try_settings(broken, {"NCCL_P2P_DISABLE": "1"})
    assert (without.outcome.value, with_it.outcome.value) == ("hang", "pass")
    without, with_it = try_settings(broken, {"NCCL_IB_DISABLE": "1"})
    assert with_it.outcome.value == "hang"
    without, with_it = try_settings(options(), {"NCCL_IB_DISABLE": "1"})
    assert (without.outcome.value, with_it) == ("pass", None)


def test_a_busy_gpu_is_not_touched_without_leave(monkeypatch, tmp_path):
    smi = tmp_path / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho '0, GPU-fake-0, 70000, 98'\necho '1, GPU-fake-1, 5, 0'\n")
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(CollectiveError, match=r"GPU 0 is in use \(70000 MiB, 98 %\).*--yes"):
        run_collective(options(yes=False))


def test_gloo_says_nothing_of_gpus(results):
    found = outcomes(results["gloo"])
    assert found["collective.gloo"] == found["collective.gloo_loopback"] == "pass"
    assert not {"collective.default", "collective.p2p_off", "gpu.vendor"} & found.keys()


def test_over_several_nodes_the_interface_and_the_fabric_are_tried(monkeypatch):
    monkeypatch.setattr(
        "gpudoctor.probes.collective.matrix.interface_towards", lambda address: f"to-{address}"
    )
    result = run_collective(options(nodes=2, join="10.0.0.1:29500", matrix=True))
    found = {run.variant.name: run for run in result.tested.runs}
    assert found["ifname_set"].variant.words() == (
        "NCCL_SOCKET_IFNAME=to-10.0.0.1 GLOO_SOCKET_IFNAME=to-10.0.0.1"
    )
    assert {"gdr_off", "rail_local", "dmabuf_off"} <= found.keys()
    assert not {"loopback", "single_rank", "peers"} & found.keys()
    assert "collective.pairs" not in outcomes(result)


def test_progress_hears_every_rank():
    heard, said = [], []
    run_collective(options(), lambda *a: heard.append(a), said.append)
    assert {(variant, rank) for variant, rank, _ in heard} == {("default", 0), ("default", 1)}
    assert [event["stage"] for _, rank, event in heard if rank == 0][-1] == "done"
    assert "2 ranks of nccl" in said[0] and "2 GB on each" in said[0]
