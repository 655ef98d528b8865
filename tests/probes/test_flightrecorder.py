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
