import pytest

from gpudoctor.probes import read_report, read_reports
from gpudoctor.probes.timeline import clock_of, host_of, rank_of


@pytest.mark.parametrize(
    ("line", "clock"),
    [
        ("2026-03-04 10:11:12,345 ERROR boom", (3, 4, 10, 11, 12.345)),
        ("[rank1]:[E304 10:11:12.345678901 ProcessGroupNCCL.cpp:607] x", (3, 4, 10, 11, 12.345678901)),
        ("[W1122 01:02:03.4 socket.cpp:464] x", (11, 22, 1, 2, 3.4)),
        ("ERROR 11-02 08:15:20 [core.py:343] x", (11, 2, 8, 15, 20)),
        ("Mar  4 10:11:12 host kernel: x", (3, 4, 10, 11, 12)),
        ("kern :warn : 2026-03-04T10:11:12,345678+00:00 x", (3, 4, 10, 11, 12.345678)),
        ("no time here 10:11", None),
    ],
)
def test_clocks_of_logs(line, clock):
    assert clock_of(line) == clock


@pytest.mark.parametrize(
    ("line", "where", "rank"),
    [
        ("[rank3]: Traceback (most recent call last):", "", 3),
        ("[E ProcessGroupNCCL.cpp:474] [Rank 2] Watchdog", "", 2),
        ("[PG 0 (default_pg) Rank 1] Timeout at NCCL work", "", 1),
        ("[1,7]<stdout>:x", "", 7),
        ("3: RuntimeError", "", 3),
        ("RuntimeError: boom", "logs/rank5.log", 5),
        ("RuntimeError: boom", "run/attempt_0/6/stderr.log", 6),
        ("RuntimeError: boom", "server.log", None),
    ],
)
def test_the_rank_of_a_line(line, where, rank):
    assert rank_of(line, where) == rank


def test_the_host_of_a_line():
    assert host_of("node-7:12:99 [0] NCCL WARN boom") == "node-7"
    assert host_of("(RayWorkerWrapper pid=12, ip=10.0.0.7) boom") == "10.0.0.7"
    assert host_of("boom") == ""


def report(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.log").write_text(text)
    return {f.name: f for f in read_reports([folder]) if f.name.startswith("log.")}


WATCHDOG = (
    "[rank{0}]:[E304 10:30:00.000000001 ProcessGroupNCCL.cpp:629] [Rank {0}] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=77, OpType=ALLREDUCE, NumelIn=8, NumelOut=8, Timeout(ms)=1800000) ran for 1800009 "
    "milliseconds before timing out.\n"
)


def test_the_first_failure_is_not_the_loudest_line(tmp_path):
    found = report(
        tmp_path,
        rank0=WATCHDOG.format(0) * 5,
        rank1=WATCHDOG.format(1) * 5,
        rank2="2026-03-04 10:00:05,000 INFO step 12\nRuntimeError: CUDA error: device-side assert triggered\n",
        rank3="2026-03-04 10:29:59,000 ERROR RuntimeError: lost my peers\n",
    )
    first = found["log.first_failure"]
    assert found["log.first_failed_rank"].value == 2
    assert first.value == "rank 2: RuntimeError: CUDA error: device-side assert triggered"
    assert first.origin.where.endswith("rank2.log:2")


def test_consequences_alone_have_no_first_failure(tmp_path):
    found = report(tmp_path, rank0=WATCHDOG.format(0), rank1=WATCHDOG.format(1))
    assert "log.first_failure" not in found


def test_one_rank_alone_tells_nothing_of_the_order():
    found = {f.name for f in read_report("[rank0]: RuntimeError: boom\n")}
    assert "log.first_failure" not in found


def start(rank, of=4, what="START"):
    return (
        f"node-a:{rank}:9 [{rank}] NCCL INFO ncclCommInitRank comm 0x{rank}5 rank {rank} nranks {of} cudaDev {rank} "
        f"nvmlDev {rank} busId {rank}1000 commId 0x9f9f - Init {what}\n"
    )


def test_a_rank_that_never_came():
    found = {f.name: f.value for f in read_report(start(0) + start(1) + start(3))}
    assert found["log.late_ranks"] == "2"


def test_a_rank_that_never_completed():
    text = "".join(start(r) for r in range(4)) + "".join(start(r, what="COMPLETE") for r in (0, 1, 3))
    found = {f.name: f.value for f in read_report(text)}
    assert found["log.ranks_without_init"] == "2"
    assert "log.late_ranks" not in found


def test_one_rank_in_a_log_says_nothing_of_the_others():
    found = {f.name for f in read_report(start(0, of=64))}
    assert not found & {"log.late_ranks", "log.ranks_without_init"}


VLLM = (
    "INFO 03-04 10:00:00 [core.py:58] Initializing a V1 LLM engine (v0.8.4) with config\n"
    "INFO 03-04 10:00:05 [utils.py:1] vLLM is using nccl==2.21.5\n"
)


def stage(text):
    found = {f.name: f.value for f in read_report(text)}
    return found.get("log.stage"), found.get("log.quiet")


def test_how_far_a_log_came():
    assert stage(VLLM) == ("nccl", True)
    assert stage(VLLM + "ERROR 03-04 10:01:00 [core.py:99] RuntimeError: no flux\n") == ("nccl", False)
    assert stage(
        VLLM + "ERROR earlier: RuntimeError: no flux\nINFO:     Application startup complete.\n"
    ) == (
        "serving",
        True,
    )


def test_a_single_progress_line_is_not_enough_to_speak_of_silence():
    assert stage("NCCL version 2.21.5+cuda12.4\n") == (None, None)


def test_silence_after_the_nccl_line_is_concluded_to_be_a_hang(knowledge):
    from gpudoctor.engine import Session

    session = Session(knowledge)
    for fact in read_report(VLLM, knowledge=knowledge):
        session.add(fact)
    settled = session.settled("symptom.hang-at-init")
    assert settled is not None
    assert settled.value is True
    assert settled.origins[0].kind == "rule"


def test_the_end_of_a_very_chatty_log_counts():
    text = VLLM + "".join(f"INFO step {n} loss: {n}.5\n" for n in range(9000))
    found = {f.name: f for f in read_report(text)}
    assert found["log.stage"].value == "steps"
    assert found["log.stage"].origin.where == "line 9002"
