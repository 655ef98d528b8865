"""The matrix, the pairs and the budget, on ranks that only pretend; then what the rules make of it."""

from __future__ import annotations

import os

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts import CannotTell, Fact
from gpudoctor.probes.collective import CollectiveError, Options, run_collective
from gpudoctor.probes.collective.trial import try_settings

from ...collectives import PYTHON, environment, pretending_ranks


@pytest.fixture(scope="module")
def machine():
    """A function that makes the options for a machine with GPUs whose transports break as told."""

    def options(
        gpus: int = 2, routes: dict[str, str] | None = None, own: dict[str, str] | None = None, **more
    ):
        made = {"backend": "nccl", "python": PYTHON, "yes": True, "stall": 0.4}
        return Options(**made | {"environment": environment(gpus, routes, own)} | more)

    with pretending_ranks():
        yield options


@pytest.fixture(scope="module")
def broken_p2p(machine):
    """The result on a machine with two GPUs and broken peer access."""
    return run_collective(machine(routes={"p2p": "hang", "shm": "pass", "socket": "pass"}))


def outcomes(result):
    return {s.name: s.value for s in result.statements if isinstance(s, Fact)}


def gaps(result):
    return {s.name: s.reason for s in result.statements if isinstance(s, CannotTell)}


def concluded(result, knowledge, **more):
    session = Session(knowledge, "reference")
    for statement in result.statements:
        session.add(statement)
    for name, value in more.items():
        session.tell(name.replace("__", "."), value)
    return session


def test_a_healthy_machine_needs_no_matrix(machine):
    result = run_collective(machine())
    found = outcomes(result)
    assert found["collective.default"] == "pass"
    assert found["collective.transport"] == "P2P/IPC"
    assert (found["gpu.vendor"], found["nccl.version"], found["gpu.arch"]) == ("nvidia", "2.27.3", "sm_90")
    assert "collective.p2p_off" not in found
    assert [run.variant.name for run in result.tested.runs] == ["default"]


def test_broken_p2p_leads_to_its_incident(broken_p2p, knowledge):
    found = outcomes(broken_p2p)
    assert found["collective.default"] == "hang"
    assert found["collective.stage"] == "all_reduce"
    assert found["collective.p2p_off"] == found["collective.net_only"] == "pass"
    assert found["collective.shm_off"] == found["collective.clean"] == "hang"
    assert "collective.rank" not in found  # all ranks wait at the same place
    session = concluded(broken_p2p, knowledge)
    assert session.value("collective.broken") == "p2p"
    assert session.value("symptom.hang-at-first-collective") is True
    assert (found["p2p.copy"], found["p2p.driver_reports"]) == ("corrupt", True)
    assert session.standings()[0].id == "p2p-path-broken"


def test_the_rules_name_the_cause_behind_broken_p2p(broken_p2p, knowledge):
    session = concluded(broken_p2p, knowledge, pcie__acs_redirect=True)
    assert session.standings()[0].id == "pcie-acs-redirect"


@pytest.mark.parametrize(
    ("routes", "matrix", "broken"),
    [
        ({"p2p": "wrong", "shm": "pass", "socket": "pass"}, False, "p2p"),
        ({"shm": "error", "socket": "pass"}, False, "shm"),
        ({"p2p": "pass", "shm": "pass", "ib": "hang", "socket": "pass"}, True, "ib"),
        ({"p2p": "hang", "shm": "hang", "socket": "hang"}, False, "everything"),
    ],
)
def test_the_rules_read_the_matrix(machine, knowledge, routes, matrix, broken):
    result = run_collective(machine(routes=routes, matrix=matrix))
    assert concluded(result, knowledge).value("collective.broken") == broken


def test_a_setting_of_the_users_is_told_from_the_machine(machine, knowledge):
    own = {"NCCL_P2P_LEVEL": "SYS", "FAKE_BAD_SETTING": "NCCL_P2P_LEVEL"}
    result = run_collective(machine(own=own))
    found = outcomes(result)
    assert (found["collective.default"], found["collective.clean"]) == ("hang", "pass")
    session = concluded(result, knowledge, env__NCCL_P2P_LEVEL="SYS")
    assert session.value("collective.broken") == "settings"
    assert session.standings()[0].id == "nccl-p2p-level-forced"


def test_a_setting_that_is_not_obeyed_proves_nothing(machine):
    result = run_collective(machine(routes={"p2p": "hang", "shm": "pass"}, own={"FAKE_DEAF": "1"}))
    assert "collective.p2p_off" not in outcomes(result)
    assert "NCCL_P2P_DISABLE=1 was not obeyed" in gaps(result)["collective.p2p_off"]
    assert outcomes(result)["collective.nvls_off"] == "hang"


def test_the_failing_pair_is_found(machine, knowledge):
    routes = {"p2p": "hang", "shm": "pass", "socket": "pass"}
    # Budget for the pairs, not for the variants that come after them.
    result = run_collective(machine(gpus=4, routes=routes, own={"FAKE_PAIRS": "1-3"}, budget=12.0))
    found = outcomes(result)
    assert (found["collective.pairs"], found["collective.failing_pairs"]) == ("one_pair", "1-3")
    session = concluded(result, knowledge)
    assert session.value("symptom.only-some-gpus") is True
    assert session.value("symptom.fault-follows-gpu") is True
    assert session.standings()[0].id == "faulty-gpu-or-link"


def test_a_dead_gpu_is_named(machine, knowledge):
    routes = {"p2p": "hang", "shm": "hang", "socket": "hang"}
    result = run_collective(machine(gpus=3, routes=routes, own={"FAKE_DEAD": "1"}))
    single = next(s for s in result.statements if s.name == "collective.single_rank")
    assert single.value == "hang"
    assert "GPU 1 fails alone" in single.origin.text
    assert concluded(result, knowledge).value("collective.broken") == "gpu"


def test_two_ranks_on_one_gpu_are_no_fault_of_the_machine(machine):
    result = run_collective(machine(gpus=1, ranks=2))
    assert "collective.default" not in outcomes(result)
    assert "share one GPU" in gaps(result)["collective.default"]


def test_one_gpu_has_no_transport_to_test(machine):
    result = run_collective(machine(gpus=1))
    assert outcomes(result)["collective.single_rank"] == "pass"
    assert "at least two GPUs" in gaps(result)["collective.default"]


def test_what_the_budget_leaves_out_is_said(machine):
    result = run_collective(machine(routes={"p2p": "hang", "shm": "pass"}, budget=10.0, stall=0.8))
    assert result.tested.seconds < 10 + 2
    assert outcomes(result)["collective.p2p_off"] == "pass"
    assert "budget of 10 s" in gaps(result)["collective.loopback"]


def test_a_remedy_is_tried(machine):
    options = machine(routes={"p2p": "hang", "shm": "pass", "socket": "pass"})
    without, with_it = try_settings(options, {"NCCL_P2P_DISABLE": "1"})
    assert (without.outcome.value, with_it.outcome.value) == ("hang", "pass")
    without, with_it = try_settings(options, {"NCCL_IB_DISABLE": "1"})
    assert with_it.outcome.value == "hang"
    without, with_it = try_settings(machine(), {"NCCL_IB_DISABLE": "1"})
    assert (without.outcome.value, with_it) == ("pass", None)


def test_a_busy_gpu_is_not_touched_without_leave(machine, tmp_path):
    smi = tmp_path / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho '0, GPU-fake-0, 70000, 98'\necho '1, GPU-fake-1, 5, 0'\n")
    smi.chmod(0o755)
    options = machine(yes=False)
    old = os.environ["PATH"]
    os.environ["PATH"] = f"{tmp_path}:{old}"
    try:
        with pytest.raises(CollectiveError, match=r"GPU 0 is in use \(70000 MiB, 98 %\).*--yes"):
            run_collective(options)
    finally:
        os.environ["PATH"] = old


def test_gloo_says_nothing_of_gpus(machine):
    result = run_collective(machine(backend="gloo", ranks=3, matrix=True))
    found = outcomes(result)
    assert found["collective.gloo"] == found["collective.gloo_loopback"] == "pass"
    assert not {"collective.default", "collective.p2p_off", "gpu.vendor"} & found.keys()


def test_progress_hears_every_rank(machine):
    heard, said = [], []
    run_collective(machine(), lambda *a: heard.append(a), said.append)
    assert {(variant, rank) for variant, rank, _ in heard} == {("default", 0), ("default", 1)}
    assert [event["stage"] for _, rank, event in heard if rank == 0][-1] == "done"
    assert "2 ranks of nccl" in said[0] and "2 GB on each" in said[0]
