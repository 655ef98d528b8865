import json
import os
import pickle

import pytest

from gpudoctor.probes import read_reports
from gpudoctor.probes.flightrecorder import read_dump


def entry(seq, name="nccl:all_reduce", state="completed", sizes=((4,),), **more):
    return {
        "frames": [
            {"name": "all_reduce", "filename": "/usr/lib/python3/site-packages/torch/distributed/x.py", "line": 9},
            {"name": "step", "filename": "/home/user/train.py", "line": f"4{seq}"},
        ],
        "record_id": seq, "pg_id": 0, "process_group": ("0", "default_pg"), "collective_seq_id": seq,
        "p2p_seq_id": 0, "op_id": seq, "profiling_name": name, "time_created_ns": 1,
        "input_sizes": [list(s) for s in sizes], "input_dtypes": ["Float"], "state": state, "retired": False,
        "is_p2p": False, **more,
    }  # fmt: skip


def dump(entries, ranks=(0, 1, 2)):
    return {
        "version": "2.10",
        "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": str(list(ranks))}},
        "pg_status": {},
        "comm_lib_version": "2.27.5",
        "entries": entries,
    }


def write(folder, rank, content, kind="pickle"):
    path = folder / (f"trace_rank_{rank}" + (".json" if kind == "json" else ""))
    path.write_bytes(json.dumps(content).encode() if kind == "json" else pickle.dumps(content, 2))


def facts(folder):
    return {f.name: f for f in read_reports([folder])}


@pytest.mark.parametrize("kind", ["pickle", "json"])
def test_the_rank_that_did_not_come(tmp_path, kind):
    for rank in (0, 2):
        write(tmp_path, rank, dump([entry(1), entry(2, state="started")]), kind)
    write(tmp_path, 1, dump([entry(1)]), kind)
    found = facts(tmp_path)
    late = found["log.late_ranks"]
    assert late.value == "1"
    assert "trace_rank_1" in late.origin.where
    assert "#2 nccl:all_reduce at train.py:42" in late.origin.text
    assert found["nccl.version"].value == "2.27.5"
    assert "log.missing_dumps" not in found


def test_a_dump_that_is_missing(tmp_path):
    for rank in (0, 1):
        write(tmp_path, rank, dump([entry(1)]))
    found = facts(tmp_path)
    assert found["log.missing_dumps"].value == "2"
    assert "log.late_ranks" not in found


def test_ranks_that_call_different_collectives(tmp_path):
    write(tmp_path, 0, dump([entry(1), entry(2)]))
    write(tmp_path, 1, dump([entry(1), entry(2, "nccl:all_gather")]))
    assert facts(tmp_path)["symptom.collective-mismatch"].value is True


def test_ranks_that_reduce_different_sizes(tmp_path):
    write(tmp_path, 0, dump([entry(1, sizes=((4,),))]))
    write(tmp_path, 1, dump([entry(1, sizes=((8,),))]))
    assert "symptom.collective-mismatch" in facts(tmp_path)


def test_point_to_point_calls_are_left_out(tmp_path):
    write(tmp_path, 0, dump([entry(1), entry(2, "nccl:send 0->1", is_p2p=True)]))
    write(tmp_path, 1, dump([entry(1)]))
    assert "log.late_ranks" not in facts(tmp_path)


class Evil:
    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (os.mkdir, (self.mark,))


def test_nothing_in_a_pickle_is_executed(tmp_path):
    mark = tmp_path / "executed"
    folder = tmp_path / "dumps"
    folder.mkdir()
    content = dump([entry(1)]) | {"entries": [Evil(str(mark))]}
    (folder / "trace_rank_0").write_bytes(pickle.dumps(content, 2))
    assert not facts(folder)
    assert not mark.exists()


@pytest.mark.parametrize(
    "data",
    [b"\x80\x02", b"\x80\x02}q\x00.", pickle.dumps([1, 2]), b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f."],
)
def test_broken_dumps_are_left_alone(data):
    assert read_dump(data, "trace_rank_0") is None


def test_odd_contents_are_left_alone():
    content = dump([entry(1), {"a": 1}, "x", entry("two"), entry(3, process_group=None)])
    read = read_dump(pickle.dumps(content, 2), "trace_rank_0")
    assert [seq for _, seq in read.calls] == [1]


def laughs(kind):
    """A few hundred bytes that are endless when they are written out, or hashed."""
    value = kind(["lol"])
    for _ in range(60):
        value = kind([value, value])
    return value


@pytest.mark.parametrize("field", ["profiling_name", "input_sizes", "state", "process_group", "frames"])
def test_lists_that_hold_one_another_many_times_over_cost_nothing(tmp_path, field):
    import time

    bomb = laughs(list)
    value = {"process_group": (bomb, "x"), "frames": [{"filename": bomb, "line": bomb}]}.get(field, bomb)
    content = dump([entry(1, **{field: value}) if field not in ("profiling_name", "state") else
                    {**entry(1), field: value}])  # fmt: skip
    content["comm_lib_version"] = bomb
    content["pg_config"]["0"]["ranks"] = bomb
    path = tmp_path / "t_0"
    path.write_bytes(pickle.dumps(content, 2))
    assert path.stat().st_size < 3000
    began = time.monotonic()
    read_dump(path.read_bytes(), "t_0")
    assert time.monotonic() - began < 5


def test_a_key_that_takes_for_ever_is_given_up(monkeypatch):
    import time

    from gpudoctor.probes import flightrecorder

    monkeypatch.setattr(flightrecorder, "SECONDS", 0.5)
    # {"entries": [{<a tuple of tuples of tuples ...>: 1}]}: the hash of such a key is never ready.
    bomb = b"\x80\x02}X\x07\x00\x00\x00entries]}" + b")" + b"2\x86" * 80 + b"K\x01sas."
    began = time.monotonic()
    assert read_dump(bomb, "t_0") is None
    assert time.monotonic() - began < 3


def test_a_pickle_that_wants_all_memory_is_given_up(monkeypatch):
    from gpudoctor.probes import flightrecorder

    monkeypatch.setattr(flightrecorder, "MEMORY", 64 << 20)
    huge = b"\x80\x02" + b"U\x01a" + b"r\xff\xff\xff\x0f" + b"."  # a memo of 268 million places
    assert read_dump(huge, "t_0") is None


def test_a_log_in_json_lines_that_speaks_of_collectives_is_read(tmp_path):
    log = tmp_path / "rank_0.json"
    lines = [
        '{"collective_seq_id": 7, "entries": 1, "msg": "start"}',
        '{"msg": "ncclUnhandledCudaError: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000"}',
    ]
    log.write_text("\n".join(lines) + "\n")
    found = facts(tmp_path)
    assert found["symptom.duplicate-gpu"].origin.where.endswith(":2")
