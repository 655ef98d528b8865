"""No sign of trouble ends with "no known incident": not alone, and not beside a machine of which all else is known."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.diagnosis.verdict import conclude, still_needed
from gpudoctor.engine.facts import PROBE, CannotTell, Fact, Origin
from gpudoctor.engine.facts.trouble import is_trouble
from gpudoctor.probes.alarms import alarms
from gpudoctor.probes.live import examine
from gpudoctor.probes.report import Reader

from ..machines.build import build, describe

CLEAN = {
    "gpu.vendor": "nvidia", "gpu.count": 1, "gpu.model": "NVIDIA L40S", "driver.version": "570.86.15",
    "cuda.driver_max": "12.8", "kernel.log_read": True, "runtime": "bare", "shm.size_bytes": 270_000_000_000,
}  # fmt: skip
"""What is known of a machine that was examined and found well."""

SIGNS = [
    "NVRM: Xid (PCI:0000:9c:00): 109, pid=1234, name=python, Ch 00000008\n"
    "NVRM: Xid (PCI:0000:9c:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)",
    "python[4711]: segfault at 18 ip 00007f2b1c00 sp 00007ffd error 4 in libnccl.so.2.21.5[7f2b1b000000+c00000]",
    "hipIpcOpenMemHandle failed: invalid device pointer",
    "torch.distributed.DistNetworkError: connect() failed: Connection refused",
    "[c10d] The client socket has failed to connect to [node1]:29500 (errno: 111 - Connection refused).",
    "RuntimeError: Distributed package doesn't have NCCL built in",
    "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!",
    "RuntimeError: No CUDA GPUs are available",
    "CUDA error: an illegal memory access was encountered",
    "(EngineCore_0 pid=812) RuntimeError: CUDA error: an illegal memory access was encountered",
    "node1:123:123 [0] NCCL WARN Error: network IB not found.",
    "pcieport 0000:00:01.0: AER: Uncorrected (Fatal) error received: 0000:01:00.0",
    "root      4711  0.0  0.0  0 0 ?  D+  10:00  0:00 nvidia-smi",
    "nvidia-smi hangs; ps shows it in D state",
    "Memory access fault by GPU node-4 (Agent handle: 0x55) on address 0x7f00. Reason: Page not present",
    "rank 3 was terminated: signal 11",
    "worker 5 exited with exit code -9",
    "watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [python:4711]",
    "Traceback (most recent call last):",
    "INFO: task python:4711 blocked for more than 120 seconds.",
    "mlx5_core 0000:5e:00.0: device's health compromised - reached miss count, fatal",
    "nvme nvme0: I/O 512 QID 3 timeout, aborting",
    "ib_core: port 1 unreachable, connection timed out",
    "Fatal Python error: Aborted",
    "GPU 3: ERR!",
    "|  3  NVIDIA A100  On | 00000000:9C:00.0 Off | ERR! |",
    "Pending page blacklist: Yes",
    "rdma: link mlx5_0/1 state DOWN physical_state DISABLED",
    "显卡掉了",
    "进程被杀",
    "训练突然停了",
    "显存不足",
    "a rank disappeared",
    "the job just stopped",
    "GPU utilization stays at 0%",
    "State=DOWN+DRAIN Reason=gpu gone",
    "returncode: -6",
    "returncode=-9",
    "rank 3 is not responding",
    "heartbeat lost",
    "broken pipe",
    "Read-only file system",
    "free(): invalid pointer",
    "*** stack smashing detected ***: terminated",
    "Stale file handle",
    "link flapping on eth0",
]
NO_SIGNS = [
    "all good, 0 errors",
    "NCCL INFO Channel 00/02 : 0 1",
    "timeout=1800, retries=3",
    "error_handling: strict",
    "no Xid in the kernel log",
    "step 1200 loss 2.31 lr 3e-4",
    "the tool ended with exit code 0",
    "returncode: 0",
    "Pending page blacklist: No",
    "3: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN",
]


def session_with(knowledge: Knowledge, facts: dict[str, object]) -> Session:
    session = Session(knowledge)
    for name, value in facts.items():
        session.add(Fact(name, value, Origin(PROBE, "x")))
    return session


@pytest.fixture(scope="module")
def well(knowledge: Knowledge) -> Iterator[Session]:
    """A machine that was found well; who adds something takes it back."""
    session = session_with(knowledge, CLEAN)
    yield session
    session.close()


def verdict(session: Session, reader: Reader, text: str) -> str:
    """The verdict on a text beside what a session knows."""
    facts = list(reader.read([text.encode()], "x.log"))
    for fact in facts:
        session.add(fact)
    found = conclude(session).verdict
    for fact in facts:
        session.withdraw(fact)
    return found


def test_a_machine_that_was_examined_and_is_well(knowledge):
    session = session_with(knowledge, CLEAN)
    assert session.diagnosis().exit_status == 0


@pytest.mark.parametrize("missing", sorted(CLEAN.keys() - {"gpu.vendor"}))  # the model says the vendor
def test_without_one_thing_that_must_be_known_nothing_is_clean(knowledge, missing):
    session = session_with(knowledge, {k: v for k, v in CLEAN.items() if k != missing})
    found = session.diagnosis()
    assert found.exit_status == 3
    assert missing in [gap["fact"] for gap in found.gaps]


def test_two_gpus_need_more(knowledge):
    session = session_with(knowledge, {**CLEAN, "gpu.count": 2})
    assert still_needed(session) == ["topology.link", "iommu.mode", "virtualization"]
    assert session.diagnosis().exit_status == 3


def test_what_could_not_be_told_is_not_known(knowledge):
    session = session_with(knowledge, {k: v for k, v in CLEAN.items() if k != "kernel.log_read"})
    session.add(CannotTell("kernel.log_read", "permission denied", Origin(PROBE, "kernel-log")))
    assert session.diagnosis().exit_status == 3


def test_no_machine_of_a_log_alone(knowledge, reader):
    said = verdict(Session(knowledge), reader, "training finished without errors\n")
    assert said == "insufficient evidence"


@pytest.mark.parametrize("text", SIGNS)
def test_plain_signs_of_trouble(knowledge, reader, text):
    for facts in ({}, CLEAN):
        session = session_with(knowledge, facts)
        for fact in reader.read([text.encode()], "x.log"):
            session.add(fact)
        found = session.diagnosis()
        assert found.exit_status != 0, text
        assert found.incidents or found.unexplained, text
        session.close()


@pytest.mark.parametrize("text", NO_SIGNS)
def test_harmless_lines_are_no_signs(knowledge, reader, well, text):
    assert verdict(Session(knowledge), reader, text) == "insufficient evidence"
    assert verdict(well, reader, text) == "no known incident"


@pytest.mark.parametrize(
    "text", ["训练正常，没有报错", "没有超时", "State=IDLE ThreadsPerCore=2", "无异常", "未报错"]
)
def test_what_is_well_is_no_alarm(text):
    assert list(alarms(text.encode(), 1)) == []


def test_every_sample_line_of_every_sign(knowledge, reader, well):
    wrong, seen = [], 0
    for spec in knowledge.facts():
        if not spec.trouble or spec.type != "bool" or spec.trouble != ("true",):
            continue
        for signature in spec.signatures:
            for line in signature.matches if signature.value == "true" else ():
                seen += 1
                # Beside a machine that was found well: alone, a line says too little for an all-clear.
                if verdict(well, reader, line) == "no known incident":
                    wrong.append(f"{spec.name}: {line}")
    assert not wrong
    assert seen > 600
    assert conclude(well).verdict == "no known incident"  # and it is well again


def test_every_xid(reader, well):
    lines = {n: f"NVRM: Xid (PCI:0000:9c:00): {n}, pid=1, name=python, Ch 00000008" for n in range(1, 201)}
    clear = [n for n, line in lines.items() if verdict(well, reader, line) == "no known incident"]
    assert clear == []


@pytest.mark.parametrize("tool", ["nvidia-smi", "amd-smi", "NVML", "journalctl"])
@pytest.mark.parametrize(
    "facts", [{}, CLEAN, {"gpu.count": 0, "gpu.vendor": "none"}, {"collective.default": "pass"}]
)
def test_a_hung_tool_is_a_sign_on_every_machine_and_named(knowledge, tool, facts):
    session = session_with(knowledge, facts)
    session.add(Fact("probe.hung", tool, Origin(PROBE, tool, f"{tool}: no answer for 8.0 s")))
    found = session.diagnosis()
    assert found.exit_status == 3
    first = found.unexplained[0] if found.unexplained else found.incidents[0]["because"][0]
    assert tool in str(first)


def test_a_failed_test_beside_one_that_passes(knowledge):
    session = session_with(knowledge, {**CLEAN, "collective.default": "pass", "p2p.copy": "corrupt"})
    assert session.diagnosis().exit_status != 0


def test_what_counts_as_trouble_can_be_given_as_values(knowledge):
    spec = knowledge.vocabulary.spec
    assert is_trouble(spec("gpu.ecc_uncorrected"), 1) and not is_trouble(spec("gpu.ecc_uncorrected"), 0)
    assert is_trouble(spec("collective.default"), "hang") and not is_trouble(
        spec("collective.default"), "pass"
    )
    assert is_trouble(spec("net.peer_port_reachable"), False)
    assert not is_trouble(spec("symptom.harmless-warning"), True)


def test_signs_of_other_types_say_which_of_their_values_are_trouble(knowledge):
    silent = [s.name for s in knowledge.facts() if s.sign and s.type != "bool" and not s.trouble]
    assert silent == []


def test_a_healthy_tree_is_clean_and_the_same_with_an_odd_kernel_line_is_not(knowledge, tmp_path):
    for name, line, status in (
        ("well", "", 0),
        ("ill", "[9.1] amdgpu 0000:01:00.0: SMU: fatal error, card dead\n", 3),
    ):
        description = describe("mi300x")
        description["kernel_log"] = "[1.0] amdgpu: initialized\n" + line
        root = build(description, Path(os.fspath(tmp_path / name)))
        session = Session(knowledge)
        for statement in examine(knowledge, root=str(root)).statements:
            session.add(statement)
        found = session.diagnosis()
        assert found.exit_status == status, (found.unexplained, found.gaps, found.incidents)
