"""What was seen at a bedside becomes a capture that is read anywhere; many nodes become one diagnosis."""

import json
import re
import subprocess
import sys

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.probes.bedside.chart import Job, entries, facts, merged, read_chart
from gpudoctor.probes.bedside.kernel import since
from gpudoctor.probes.bedside.oomkills import OomKills
from gpudoctor.probes.capture import ArchiveEntry, unpacked, write

from .test_places import BARRIER, REDUCE, look, member, step

JOB = Job("torchrun train.py", "node1", 100, 61.0, None, "nobody has written or moved", 31.0, 0)
LOOP = (2, 3, "batches", True)
HERE = look(member(0, REDUCE, path=[step(3, loops=[LOOP])]), world=2)
THERE = look(member(1, BARRIER, path=[step(9)]), world=2)._replace(host="node2")
TOKEN = "hf_" + "a" * 30


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge.load()


def archive(path, job, looks, host, texts=None):
    system = {"machine": "x86_64", "hostname": host, "links": {}, "folders": []}
    files = [ArchiveEntry(".gpudoctor/system.json", json.dumps(system).encode())]
    write([*files, *entries(job, looks, texts or {}, {})], str(path))
    return path


def test_a_chart_is_read_as_it_was_written_and_holds_no_secrets(tmp_path, knowledge):
    name = archive(tmp_path / "c.tar.gz", JOB, [HERE], "node1", {"stdout.log": f"token={TOKEN}\n".encode()})
    with unpacked(str(name)) as root:
        chart = read_chart(root)
        assert chart.job == JOB and chart.looks == (HERE,)
        said = {f.name: f.value for f in facts(knowledge, [chart])}
        everything = "".join(
            p.read_text() for p in __import__("pathlib").Path(root).rglob("*") if p.is_file()
        )
    assert said["job.hung"] is True and said["job.oom_kills"] == 0 and said["stack.unseen"] == 1
    assert TOKEN not in everything


def test_what_is_no_chart_is_none(tmp_path):
    assert read_chart(str(tmp_path)) is None
    folder = tmp_path / ".gpudoctor/bedside"
    folder.mkdir(parents=True)
    for text in (
        "",
        "[]",
        "{}",
        '{"schema": "gpudoctor/bedside/1"}',
        '{"schema": "gpudoctor/bedside/1", "shm": 3}',
    ):
        (folder / "job.json").write_text(text)
        (folder / "looks.json").write_text(text)
        assert read_chart(str(tmp_path)) is None


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
@pytest.mark.parametrize("name", ["pid", "status", "oom_kills"])
def test_a_number_without_end_is_no_chart(tmp_path, name, number):
    root = tmp_path / "read"
    folder = root / ".gpudoctor/bedside"
    folder.mkdir(parents=True)
    for at, text in {e.name: e.content.decode() for e in entries(JOB, [HERE], {}, {})}.items():
        (root / at).parent.mkdir(parents=True, exist_ok=True)
        (root / at).write_text(re.sub(rf'"{name}": ?[^,\n}}]+', f'"{name}": {number}', text))
    chart = read_chart(str(root))
    assert chart is None or chart.looks == ()


def test_of_a_job_that_failed_only_what_lasted_counts(tmp_path, knowledge):
    ended = JOB._replace(hang="", still=0.0, status=1)
    busy = look(member(0, [("f", "/w/x.py", 1)], moved=True), member(1, BARRIER))
    for looks, lasting in (([busy, busy], True), ([HERE, busy], False), ([busy], False)):
        name = archive(tmp_path / "c.tar.gz", ended, looks, "node1")
        with unpacked(str(name)) as root:
            said = {f.name for f in facts(knowledge, [read_chart(root)])}
        assert ("stack.busy" in said) is lasting


def test_a_folder_of_nodes_is_one_diagnosis(tmp_path):
    for host, one in (("node1", HERE), ("node2", THERE)):
        archive(tmp_path / f"{host}.tar.gz", JOB._replace(host=host), [one], host)
    command = [sys.executable, "-c", "from gpudoctor.cli.main import entry; entry()", "--from", str(tmp_path)]
    result = subprocess.run(
        [*command, "--format", "json"], capture_output=True, text=True, timeout=60, check=False
    )
    document = json.loads(result.stdout)
    assert document["incidents"][0]["id"] == "uneven-batches", result.stderr
    assert "rank 1 is at train.py:9" in json.dumps(document["facts"])


def test_a_rank_is_gone_only_if_no_node_has_it():
    both = merged([HERE._replace(gone=("rank 1", "rank 7")), THERE])
    assert both.gone == ("rank 7",) and both.host == "node1,node2" and [m.rank for m in both.ranks] == [0, 1]
    assert merged([]) is None


def test_kernel_lines_are_those_since_then():
    assert since(0.0) == b""


def test_kills_are_counted_from_the_first_look(tmp_path, monkeypatch):
    import gpudoctor.probes.bedside.oomkills as module

    file = tmp_path / "memory.events"
    file.write_text("low 0\noom_kill 3\n")
    monkeypatch.setattr(module, "event_files", lambda pid: [str(file)])
    kills = OomKills()
    kills.look([1])
    assert kills.known and kills.count == 0
    file.write_text("low 0\noom_kill 4\n")
    kills.look([])
    assert kills.count == 1
    file.unlink()
    kills.look([])
    assert kills.count == 1, "a group that is gone keeps its count"


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ({"job.hung": True, "stack.stopped": "rank 3"}, "rank-stopped"),
        (
            {"job.hung": True, "stack.loader_stuck": True, "stack.waits_in": "collective"},
            "dataloader-worker-deadlock",
        ),
        ({"job.hung": True, "stack.jit_lock": True}, "jit-build-lock"),
        (
            {"job.hung": True, "stack.branch": True, "stack.waits_in": "barrier"},
            "rank-divergent-control-flow",
        ),
        ({"job.status": 137, "job.signal": "SIGKILL", "job.oom_kills": 1}, "host-oom-kill"),
        ({"job.status": 137, "job.signal": "SIGKILL", "job.oom_kills": 0}, "rank-killed-from-outside"),
        (
            {"stack.busy": "0", "stack.section": "validation", "symptom.gloo-op-timeout": True},
            "rank-zero-long-work",
        ),
    ],
)
def test_what_the_facts_lead_to(knowledge, said, first):
    session = Session(knowledge)
    for name, value in said.items():
        session.tell(name, value)
    document = session.diagnosis().to_dict()
    assert document["incidents"][0]["id"] == first


def test_a_chart_can_be_read_back_whatever_its_texts_look_like(tmp_path):
    for command in ("serve --token", "-----BEGIN PRIVATE KEY-----", 'curl "?sig=|', "train --password"):
        name = archive(tmp_path / "c.tar.gz", JOB._replace(command=command), [HERE], "node1")
        with unpacked(str(name)) as root:
            chart = read_chart(root)
            assert chart is not None and chart.job.host == "node1" and chart.looks == (HERE,), command


def test_the_first_count_is_taken_before_the_job_can_end(monkeypatch, tmp_path):
    """A rank that is killed within the first second was nobody's: the count of its group had not been taken."""
    import os

    from gpudoctor.probes.bedside.watcher import Watcher

    looked = []
    monkeypatch.setattr(OomKills, "look", lambda self, pids: looked.append(list(pids)))
    watcher = Watcher(["true"], 30, str(tmp_path))
    watcher.begin(os.getpid())
    assert looked[:1] == [[os.getpid()]]
    watcher.end()
