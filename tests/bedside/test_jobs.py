"""Which processes are ranks and which only launch them, and which ranks are one job."""

import os
import subprocess
import sys

import pytest

from gpudoctor.probes.bedside import processes
from gpudoctor.probes.bedside.jobs import _OURS, jobs, together
from gpudoctor.probes.bedside.processes import Process, ranks


def process(pid, parent=1, rank=None, by="", local=False, command="python train.py", python=True):
    name = "python" if python else "bash"
    return Process(
        pid, parent, name, command, "S", "", str(pid), 0, 0, 0, 0, 0, rank, None, python, by, local
    )


def table(*processes):
    return {one.pid: one for one in processes}


def launched(rank, by, first=0):
    """A launcher with a number of its task, and two ranks below it."""
    return table(
        process(10, 1, rank, by),
        process(11, 10, first, "RANK", True),
        process(12, 10, first + 1, "RANK", True),
    )


def test_a_launcher_in_a_task_of_slurm_is_no_rank_and_hides_none():
    assert sorted(ranks(launched(0, "SLURM_PROCID"))) == [11, 12]
    assert sorted(ranks(launched(1, "OMPI_COMM_WORLD_RANK", 8))) == [11, 12]


def test_a_launcher_whose_node_has_a_number_in_rank_is_no_rank():
    assert sorted(ranks(launched(0, "RANK"))) == [11, 12]
    assert sorted(ranks(launched(1, "RANK"))) == [11, 12]


def test_a_shell_between_launcher_and_ranks_changes_nothing():
    found = launched(0, "SLURM_PROCID")
    found[11] = found[11]._replace(parent=15)
    found[15] = process(15, 10, 0, "RANK", True, python=False)
    assert sorted(ranks(found)) == [11, 12]


def test_what_a_rank_starts_for_itself_makes_no_launcher_of_it():
    worker = process(21, 20, 3, "RANK")
    assert sorted(ranks(table(process(20, 1, 3, "RANK", True), worker))) == [20]
    for command in (
        "python -c from multiprocessing.spawn import spawn_main; spawn_main(...)",
        "python /x/torch/_inductor/compile_worker/__main__.py --pickler=...",
    ):
        helper = process(21, 20, 3, "RANK", True, command)
        assert sorted(ranks(table(process(20, 1, 3, "SLURM_PROCID"), helper))) == [20], command


def test_a_group_that_descends_from_another_is_the_same_job():
    family = table(
        process(10, 1, 0, "SLURM_PROCID"),
        process(11, 10, 1, "SLURM_PROCID"),
        process(20, 1, 5, "RANK"),
    )
    meets = {11: ("node1", "29500", ""), 20: ("node2", "29500", "")}
    assert together(family, (), meets.get) == [[10, 11], [20]]


def test_the_same_address_in_two_networks_is_two_jobs():
    family = table(process(10, 1, 0, "RANK"), process(11, 1, 1, "RANK"), process(20, 1, 0, "RANK"))
    meets = {pid: ("127.0.0.1", "29500", f"net:[{pid // 10}]") for pid in family}
    assert together(family, (), meets.get) == [[10, 11], [20]]


def test_gpudoctor_is_no_job(monkeypatch):
    sleeps = [sys.executable, "-c", "import time; time.sleep(30)"]
    monkeypatch.setenv("RANK", "0")
    with subprocess.Popen(sleeps) as job:
        try:
            assert not any(job.pid in pids or os.getpid() in pids for pids in jobs()), "below us"
        finally:
            job.kill()
    assert _OURS.match("/usr/bin/python3 /usr/local/bin/gpudoctor attach --all")
    assert _OURS.match("python -m gpudoctor attach") and _OURS.match("gpudoctor run -- torchrun t.py")
    assert not _OURS.match("python train.py --name gpudoctor") and not _OURS.match("python gpudoctors.py")


def test_a_process_that_is_replaced_while_it_is_read_is_none(monkeypatch):
    """The number is given away again between two files of it: rank and command would be those of another."""
    read = processes._text
    seen = []

    def replaced(pid, name):
        seen.append(name)
        text = read(pid, name)
        if name == "stat" and seen.count("stat") > 1:
            head, _, rest = text.rpartition(")")
            fields = rest.split()
            fields[19] = str(int(fields[19]) + 1)
            return f"{head}) {' '.join(fields)}"
        return text

    assert processes.look_at(os.getpid())
    monkeypatch.setattr(processes, "_text", replaced)
    assert processes.look_at(os.getpid()) is None


@pytest.mark.parametrize("left", range(1, 7))
def test_a_process_that_ends_while_it_is_read_is_none(monkeypatch, left):
    read = processes._text
    count = iter(range(100))
    monkeypatch.setattr(processes, "_text", lambda pid, name: read(pid, name) if next(count) < left else "")
    assert processes.look_at(os.getpid()) is None
