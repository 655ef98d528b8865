"""When a job is taken to hang, and when it is not."""

import tracemalloc

from gpudoctor.probes.bedside.copy import Copy
from gpudoctor.probes.bedside.environment import additions, written
from gpudoctor.probes.bedside.hang import Watch
from gpudoctor.probes.bedside.look import Look

from .test_places import BARRIER, REDUCE, look, member

WORKS = [("matmul", "/w/model.py", 8)]
IDLE = [("select", "/usr/lib/python3.11/selectors.py", 415), ("serve", "/w/s.py", 3)]


def told(*looks, after=30.0, every=10.0, output=(), watch=None):
    """Seconds at which a hang is told, with a look each ten seconds."""
    watch = watch or Watch(after, 0.0)
    found = []
    for number, one in enumerate(looks, 1):
        now = number * every
        for at, line in output:
            if now - every < at <= now:
                watch.wrote(line, at)
        if watch.saw(one, now):
            found.append(now)
    return found


STUCK = look(member(0, REDUCE), member(1, BARRIER))


def test_nobody_moves_and_somebody_waits():
    assert told(*[STUCK] * 12) == [30.0], "once, and only after the time"


def test_one_who_moves_keeps_the_alarm_away():
    assert not told(*[look(member(0, WORKS, moved=True), member(1, BARRIER))] * 60)
    assert not told(*[Look(1.0, "n", STUCK.members, (), 2, True)] * 60), "a compiler works"
    loading = look(member(0, REDUCE), member(9, WORKS, moved=True, of=100))
    assert not told(*[loading] * 60), "a worker of the loader works"


def test_a_server_without_requests_is_no_hang():
    assert not told(*[look(member(0, IDLE), member(1, IDLE))] * 100)


def test_nobody_who_waits_is_no_hang():
    assert not told(*[look(member(0, WORKS), member(1, WORKS))] * 100), "nobody waits for anybody"


def test_new_output_counts_and_the_same_again_does_not():
    fresh = [(float(n), b"line %s\n" % (chr(97 + n % 26) * (1 + n // 26)).encode()) for n in range(1, 119)]
    assert not told(*[STUCK] * 12, output=fresh)
    same = [(float(n), b"waiting for %d s\n" % n) for n in range(1, 119)]
    assert told(*[STUCK] * 12, output=same) == [40.0]


def test_it_takes_longer_where_ranks_cannot_be_seen_or_stacks_cannot_be_read():
    far = look(member(0, REDUCE), member(1, REDUCE), world=16)
    assert told(*[far] * 30) == [120.0]
    blind = Look(1.0, "n", tuple(m._replace(problem="no right") for m in STUCK.members), (), 2, False)
    assert told(*[blind] * 30) == [240.0]
    spinning = look(*(member(n, WORKS)._replace(gpu=True) for n in (0, 1)))
    assert told(*[spinning] * 30) == [240.0], "the GPU may be at work"


def test_it_is_told_again_after_it_had_moved():
    moving = look(member(0, WORKS, moved=True), member(1, BARRIER))
    assert told(*[STUCK] * 5, moving, *[STUCK] * 5) == [30.0, 90.0]


def test_a_copy_keeps_both_ends_in_whole_lines():
    copy = Copy(head=100, tail=200)
    for number in range(1000):
        assert not copy.take(b"line %06d\n" % number)
    text = copy.content()
    assert text.startswith(b"line 000000\n") and text.endswith(b"line 000999\n") and len(text) < 500
    assert b"bytes were left out here" in text
    assert all(line.startswith((b"line 000", b"[")) for line in text.splitlines())
    assert copy.take(b"[rank0]: Watchdog caught collective operation timeout: ...\n")


def test_a_copy_of_many_small_pieces_is_not_larger_than_what_it_holds():
    tracemalloc.start()
    copy = Copy(head=1 << 14, tail=1 << 18)
    for _ in range(1 << 17):
        copy.take(b"ab\r\n")
        copy.take(bytes((46, 46)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(copy.content()) > 1 << 18 and peak < 1 << 19


def test_variables_are_added_only_where_nobody_set_one():
    added = additions({}, "/tmp/x")
    assert added["NCCL_DEBUG"] == "WARN" and added["PYTHONFAULTHANDLER"] == "1"
    assert added["TORCH_NCCL_DEBUG_INFO_TEMP_FILE"] == "/tmp/x/fr_rank_"
    assert "NCCL_DEBUG_FILE" not in additions({"NCCL_DEBUG": "INFO"}, "/tmp/x")
    assert "TORCH_FR_BUFFER_SIZE" not in additions({"TORCH_NCCL_TRACE_BUFFER_SIZE": "0"}, "/tmp/x")


def test_an_old_torch_gets_the_old_name(tmp_path):
    program = tmp_path / "bin" / "torchrun"
    for file, text in (
        (program, "#!/bin/sh\n"),
        (tmp_path / "lib/python3.11/site-packages/torch/version.py", "__version__ = '2.5.1+cu124'\n"),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    program.chmod(0o755)
    added = additions({}, "/tmp/x", str(program))
    assert added["TORCH_NCCL_TRACE_BUFFER_SIZE"] == "2000" and "TORCH_FR_BUFFER_SIZE" not in added


def test_what_the_job_wrote(tmp_path):
    (tmp_path / "fr_rank_0").write_bytes(b"\x80\x04")
    (tmp_path / "nccl.h.1.log").write_text("NCCL WARN x\n")
    (tmp_path / "empty.log").write_text("")
    texts, documents = written(str(tmp_path))
    assert list(texts) == ["nccl.h.1.log"] and list(documents) == ["fr_rank_0"]
    assert written(str(tmp_path / "none")) == ({}, {})
    (tmp_path / "fr_rank_1").write_bytes(b"\x80\x04")
    assert written(str(tmp_path), room=3)[1] == {"fr_rank_0": b"\x80\x04", "fr_rank_1": b"\x80"}
