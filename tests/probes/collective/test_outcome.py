"""Who is to blame, from what the ranks left: cases that no injected fault produces, and the logs' transports."""

from __future__ import annotations

import pytest

from gpudoctor.probes.collective.busy import read_nvidia
from gpudoctor.probes.collective.outcome import conclude
from gpudoctor.probes.collective.ranks import JobEnd, RankEnd, innermost_frame
from gpudoctor.probes.collective.transports import disobeyed, transports
from gpudoctor.probes.collective.variants import CLEAN, NCCL, Variant, by_fact, settings_of, variants

IN_TORCH = "/x/torch/distributed/distributed_c10d.py:2900 all_reduce"


def rank(number, *ops, code=None, **more):
    events = [{"stage": "start"}] + [
        {"stage": "enter", "op": op, "n": 1} if isinstance(op, str) else op for op in ops
    ]
    return RankEnd(number, code, tuple(events), **more)


def end(*ranks):
    return conclude(JobEnd(ranks, 9.0, "budget"))


def error(message, kind="RuntimeError"):
    return {"stage": "error", "type": kind, "message": message}


def test_a_transport_that_carries_nothing_blames_nobody():
    outcome = end(*(rank(n, "init", "all_reduce", frame=IN_TORCH) for n in range(4)))
    assert (outcome.value, outcome.stage, outcome.culprits) == ("hang", "all_reduce", ())
    assert "all ranks wait at the same place" in outcome.text


def test_the_rank_that_stuck_in_the_kernel_is_named_with_the_place():
    ranks = [rank(0, "init"), rank(1, "device", state="D", wchan="nvidia_ioctl"), rank(2, "init")]
    outcome = end(*ranks)
    assert (outcome.value, outcome.stage, outcome.culprits) == ("hang", "device", (1,))
    assert "stuck in the kernel in nvidia_ioctl" in outcome.text


def test_victims_are_not_blamed_for_the_rank_that_died():
    closed = error("[gloo/transport/tcp/pair.cc:547] Connection closed by peer [127.0.0.1]:4811")
    outcome = end(rank(0, "all_reduce", closed, code=1), rank(1, "all_reduce", code=-11))
    assert (outcome.value, outcome.culprits) == ("error", (1,))
    assert "SIGSEGV" in outcome.text


def test_a_rank_that_died_is_named_also_where_the_others_wait_for_ever():
    outcome = end(rank(0, "all_reduce", frame=IN_TORCH), rank(1, "all_reduce", code=-9))
    assert (outcome.value, outcome.culprits) == ("error", (1,))
    raised = rank(1, "all_reduce", error("CUDA error: an illegal memory access was encountered"), code=1)
    outcome = end(rank(0, "all_reduce", frame=IN_TORCH), raised)
    assert (outcome.value, outcome.culprits) == ("error", (1,))


def test_a_rank_that_waits_for_nobody_while_the_others_time_out_hangs():
    late = error("wait timeout after 6000ms, keys: /default_pg/0//cpu//0/rank_0")
    outcome = end(rank(0, "import"), rank(1, "init", late, code=1), rank(2, "init", late, code=1))
    assert (outcome.value, outcome.stage, outcome.culprits) == ("hang", "import", (0,))


def test_when_every_rank_timed_out_it_is_a_hang_and_no_error():
    late = error("Timed out waiting 6000ms for recv operation to complete")
    outcome = end(rank(0, "all_reduce", late, code=1), rank(1, "all_reduce", late, code=1))
    assert (outcome.value, outcome.culprits) == ("hang", ())


def test_the_rank_that_is_a_stage_behind_is_named():
    behind = {"stage": "enter", "op": "all_reduce", "n": 1024}
    ahead = {"stage": "enter", "op": "all_gather", "n": 65536}
    outcome = end(rank(0, ahead), rank(1, behind), rank(2, ahead))
    assert outcome.culprits == (1,)
    assert "all_reduce of 4 KB" in outcome.text


def test_a_hang_over_a_link_names_the_link():
    over = {"stage": "enter", "op": "send_recv", "n": 65536, "src": 1, "dst": 0}
    outcome = end(rank(0, over, frame=IN_TORCH), rank(1, over, frame=IN_TORCH))
    assert (outcome.value, outcome.link) == ("hang", (1, 0))


def test_wrong_data_from_the_own_gpu_is_not_blamed_on_a_collective():
    bad = {
        "stage": "check",
        "op": "copy",
        "ok": False,
        "count": 2,
        "of": 9,
        "first": 3,
        "want": 4.0,
        "got": 0.0,
        "zeros": 2,
    }
    outcome = end(rank(0, bad, code=2), rank(1, code=0))
    assert (outcome.value, outcome.stage, outcome.culprits) == ("wrong", "copy", (0,))
    assert "its own GPU" in outcome.text


def test_a_rank_that_never_wrote_a_line_is_named():
    outcome = conclude(
        JobEnd((RankEnd(0, 127, (), "No module named encodings\n"), rank(1, "init")), 3.0, "failure")
    )
    assert (outcome.value, outcome.stage, outcome.culprits) == ("error", "start", (0,))
    assert "No module named encodings" in outcome.text


def test_the_frame_of_the_thread_that_runs_the_test_counts():
    dump = """Thread 0x00007f0000000001 (most recent call first):
  File "/usr/lib/python3/threading.py", line 324 in wait
  File "/usr/lib/python3/threading.py", line 1000 in _bootstrap

Current thread 0x00007f0000000002 (most recent call first):
  File "/x/torch/cuda/__init__.py", line 1040 in synchronize
  File "/tmp/job1/rank.py", line 90 in settle
  File "/tmp/job1/rank.py", line 400 in <module>
"""
    assert innermost_frame(dump) == "/x/torch/cuda/__init__.py:1040 synchronize"
    assert innermost_frame("Traceback ...") == ""


LOG = """host:71:71 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM
host:71:71 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via SHM/direct/direct
host:71:90 [0] NCCL INFO Channel 00/0 : 1[1] -> 0[0] [send] via NET/IB/2/GDRDMA
host:71:71 [0] NCCL INFO NVLS multicast support is available on dev 0
"""


def test_transports_are_read_from_the_log():
    assert transports([LOG]) == ("NET/IB", "NVLS", "P2P/CUMEM", "SHM/direct")
    assert transports(["nothing of the kind"]) == ()


def test_a_disobeyed_variant_is_seen():
    used = transports([LOG])
    against = {v.name: disobeyed(v, used) for v in NCCL}
    assert against["p2p_off"] == ("P2P/CUMEM",)
    assert against["net_only"] == ("P2P/CUMEM", "SHM/direct")
    assert against["ib_off"] == ("NET/IB",)
    assert against["proto_simple"] == ()


def test_every_variant_sets_what_its_fact_says(knowledge):
    for variant in (
        *variants("nccl", "nvidia", 2),
        *variants("nccl", "amd", 2),
        *variants("gloo", ""),
        *variants("xccl", "intel"),
    ):
        spec = knowledge.vocabulary.spec(variant.fact)
        assert spec.values == ("pass", "hang", "error", "wrong")
        assert by_fact(variant.fact, variant.backend) == variant
        for name, value in variant.settings:
            assert knowledge.vocabulary.spec(f"env.{name}").type == "text"
            assert value


def test_vendors_and_nodes_choose_the_variants():
    amd, nvidia = ({v.name for v in variants("nccl", vendor)} for vendor in ("amd", "nvidia"))
    assert "fine_grain" in amd - nvidia
    assert {"nvls_off", "cumem_off"} <= nvidia - amd
    assert "gdr_off" in {v.name for v in variants("nccl", "nvidia", nodes=2)} - nvidia


def test_clean_removes_the_users_settings_and_nothing_else():
    settings = settings_of(
        Variant(CLEAN), {"NCCL_P2P_LEVEL": "SYS", "RCCL_X": "1", "HOME": "/", "NCCL_DEBUG": "INFO"}
    )
    assert settings["NCCL_P2P_LEVEL"] is None
    assert settings["RCCL_X"] is None
    assert not {"HOME", "NCCL_DEBUG"} & settings.keys()


@pytest.mark.parametrize(
    ("text", "uuids", "busy"),
    [
        ("0, GPU-a, 12, 0\n1, GPU-b, 800, 3\n", [], []),
        ("0, GPU-a, 12, 0\n1, GPU-b, 70000, 0\n", [], ["GPU 1"]),
        ("0, GPU-a, 12, 100\n1, GPU-b, 70000, 0\n", ["a"], ["GPU 0"]),
        ("0, GPU-a, [N/A], 99\nunexpected\n", [], ["GPU 0"]),
    ],
)
def test_busy_gpus(text, uuids, busy):
    assert [line.partition(" is")[0] for line in read_nvidia(text, uuids)] == busy
