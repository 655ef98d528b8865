"""Workers of Ray: which job they work for, which of them are ranks, and what the kernel says of others."""

import pytest

from gpudoctor.probes.bedside.kernel import without_kills_elsewhere
from gpudoctor.probes.bedside.processes import Process
from gpudoctor.probes.bedside.rankfinder import labels_of, ranks_of
from gpudoctor.probes.bedside.rayworkers import RayJob, driven, worked_for
from gpudoctor.probes.bedside.stacks import Frame, Stack, Thread

from .test_places import C10D

SESSION = "/tmp/ray/session_2026-11-22_14-57-05_468032_15896"
WORKER = "c8054786130ae8baf895c16b0a5ef00df74a3b66914ce6640ab00c94"


def test_a_driver_is_known_by_its_log():
    name = f"{SESSION}/logs/python-core-driver-02000000{'f' * 48}_15896.log"
    assert driven(["/dev/null", name]) == RayJob(SESSION, "02000000")
    assert driven([f"{SESSION}/logs/python-core-worker-{WORKER}_15896.log"]) is None


def test_a_worker_is_known_by_what_ray_writes_into_its_log(tmp_path):
    (tmp_path / "logs").mkdir()
    log = tmp_path / "logs" / f"worker-{WORKER}-ffffffff-16185.out"
    log.write_text("")
    assert worked_for([str(log)]) is None, "started in advance"
    log.write_text(":job_id:01000000\n:actor_name:Rank\n")
    assert worked_for([str(log)]) == RayJob(str(tmp_path), "01000000")
    assert worked_for(["/gone" + str(log), "pipe:[1]"]) is None


def process(pid, name, rank=None):
    return Process(pid, 1, name, "", "S", "", str(pid), 0, 0, 0, 0, 0, rank, None, True)


def stack(*calls):
    return Stack((Thread("MainThread", 1, False, False, tuple(Frame(*call) for call in calls)),))


REDUCES = stack(("all_reduce", C10D, 1), ("Rank.train", "/w/t.py", 3))
RETURNED = stack(("main_loop", "/x/site-packages/ray/_private/worker.py", 1))
WORKS = stack(("step", "/w/t.py", 9))
DRIVES = stack(("get_objects", "/x/site-packages/ray/_private/worker.py", 1), ("<module>", "/w/t.py", 30))


def test_ranks_are_the_actors_that_do_something_and_their_idle_siblings():
    names = {2: "ray::Rank.train", 3: "ray::Rank", 4: "ray::Logger", 5: "ray::IDLE", 6: "ray::Other.step",
             7: "ray::DashboardAgent"}  # fmt: skip
    processes = {1: process(1, "python"), **{pid: process(pid, name) for pid, name in names.items()}}
    read = {1: DRIVES, 2: REDUCES, 3: RETURNED, 4: RETURNED, 5: RETURNED, 6: WORKS, 7: RETURNED}
    chosen = ranks_of(processes, read)
    assert sorted(chosen) == [2, 3, 6]
    assert labels_of(chosen, processes, read)[2] == ("ray::Rank.train 2", None)


def test_the_number_that_slurm_gave_the_driver_makes_no_rank_of_it():
    processes = {
        1: process(1, "python", 0),
        2: process(2, "ray::Rank.train", 0),
        3: process(3, "ray::Rank.train", 0),
    }
    read = {1: DRIVES, 2: REDUCES, 3: WORKS}
    chosen = ranks_of(processes, read)
    assert sorted(chosen) == [2, 3]
    assert {name for name, _ in labels_of(chosen, processes, read).values()} == {
        "ray::Rank.train 2",
        "ray::Rank.train 3",
    }


OOM = [
    "[ 867.5] python invoked oom-killer: gfp_mask=0xcc0",
    "[ 867.6] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/other,task_memcg=/other/a",
    "[ 867.6] Memory cgroup out of memory: Killed process 99 (python)",
]


@pytest.mark.parametrize(("group", "kept"), [("/mine", 1), ("/other/b", 4), ("/other", 4), ("/otherwise", 1)])
def test_a_kill_in_a_group_of_others_is_not_ours(group, kept):
    lines = [*OOM, "[ 868.0] NVRM: Xid (PCI:0000:01:00): 79"]
    assert len(list(without_kills_elsewhere(lines, [group]))) == kept
    everywhere = [line.replace("_MEMCG", "_NONE") for line in OOM]
    assert len(list(without_kills_elsewhere(everywhere, [group]))) == 3


XID = "[ 867.5] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus."


def test_what_a_driver_says_within_the_report_of_another_group_is_kept():
    assert list(without_kills_elsewhere([OOM[0], XID, *OOM[1:]], ["/mine"])) == [XID]


def test_a_report_that_ends_without_a_kill_swallows_nothing():
    given_up = [*OOM[:-1], "[ 867.9] Out of memory and no killable processes..."]
    assert list(without_kills_elsewhere([*given_up, XID, "later"], ["/mine"])) == [XID, "later"]
    assert list(without_kills_elsewhere([*OOM[:-1], *OOM], ["/mine"])) == []
    ours = [line.replace("/other", "/mine") for line in OOM]
    assert list(without_kills_elsewhere([*OOM[:-1], *ours], ["/mine"])) == ours
    endless = [*OOM[:-1], *["[ 868.0] [ 99] task"] * 500]
    assert len(list(without_kills_elsewhere(endless, ["/mine"]))) > 90
