"""Where threads stand, what their program says around, and what that means for the ranks."""

import json

import pytest

from gpudoctor.probes.bedside.groups import ranges, sentences
from gpudoctor.probes.bedside.look import Look, Member, OwnFrame, read_look
from gpudoctor.probes.bedside.places import place
from gpudoctor.probes.bedside.program import Sources
from gpudoctor.probes.bedside.stacks import Frame, missing_right, read
from gpudoctor.probes.bedside.standing import findings

SITE = "/opt/venv/lib/python3.11/site-packages/"
C10D = SITE + "torch/distributed/distributed_c10d.py"
LOADER = SITE + "torch/utils/data/dataloader.py"


def stack(*calls):
    return [Frame(name, file, line) for name, file, line in calls]


@pytest.mark.parametrize(
    ("calls", "doing", "section", "where"),
    [
        ([("all_reduce", C10D, 3252), ("<module>", "/w/train.py", 6)], "collective", "", "train.py:6"),
        ([("barrier", C10D, 1), ("evaluate", "/w/train.py", 9), ("<module>", "/w/train.py", 3)],
         "barrier", "validation", "train.py:9"),
        ([("Condition.wait", "/usr/lib/python3.11/threading.py", 331), ("Queue.get", "/usr/lib/python3.11/queue.py", 1),
          ("_MultiProcessingDataLoaderIter._try_get_data", LOADER, 1), ("main", "/w/train.py", 4)],
         "loader", "", "train.py:4"),
        ([("FileBaton.wait", SITE + "torch/utils/file_baton.py", 43), ("build", "/w/ops.py", 2)],
         "jit_lock", "", "ops.py:2"),
        ([("_store_based_barrier", C10D, 1), ("init_process_group", C10D, 2), ("<module>", "/w/t.py", 1)],
         "rendezvous", "", "t.py:1"),
        ([("select", "/usr/lib/python3.11/selectors.py", 415), ("serve", "/w/s.py", 3)], "idle", "", "s.py:3"),
        ([("matmul", "/w/model.py", 8), ("validate", "/w/train.py", 9)], "own", "validation", "model.py:8"),
        ([("save", SITE + "torch/serialization.py", 5), ("main", "/w/train.py", 4)], "own", "saving", "train.py:4"),
        ([("compile_fx", SITE + "torch/_inductor/compile_fx.py", 5), ("main", "/w/train.py", 4)],
         "own", "compilation", "train.py:4"),
        ([], "own", "", ""),
    ],
)  # fmt: skip
def test_what_a_thread_does(calls, doing, section, where):
    found = place(stack(*calls))
    assert (found.doing, found.section, found.where) == (doing, section, where)


PROGRAM = """\
def train(batches, rank):
    for batch in batches:
        step(batch)
    if rank == 0:
        save()
    while True:
        if loss > 3:
            reduce()
        else:
            gather()
    for batch in batches:
        if batch is None:
            break
        step(batch)
"""


@pytest.fixture
def around(tmp_path):
    import os

    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    return lambda line: Sources().around(os.getpid(), str(file), line)


def test_loops_and_branches_around_a_line(around):
    assert around(3).loops[0].until_exhausted and around(3).loops[0].last == 3
    assert not around(14).loops[0].until_exhausted, "a break may end it"
    branch = around(5).branches[0]
    assert branch.of_rank and branch.condition == "rank == 0"
    assert [(b.side, b.of_rank) for b in around(10).branches] == [("else", False)]
    assert not around(4).branches, "the condition itself stands outside of the branch"


def test_a_file_that_cannot_be_read_or_understood_says_nothing(tmp_path):
    import os

    broken = tmp_path / "broken.py"
    broken.write_text("def (")
    assert not Sources().around(os.getpid(), str(broken), 1).loops
    assert not Sources().around(os.getpid(), "/does/not/exist.py", 1).loops
    broken.write_text("if (\n" + "not " * 800 + "a):\n    x()\n")
    assert not Sources().around(os.getpid(), str(broken), 3).loops
    os.mkfifo(tmp_path / "pipe.py")  # as /dev/stdin may be: nobody would ever write into it
    assert not Sources().around(os.getpid(), str(tmp_path / "pipe.py"), 1).loops


def member(rank, calls, moved=False, state="S", path=(), of=0):
    name = f"worker {rank} of rank 0" if of else f"rank {rank}"
    return Member(
        100 + rank,
        None if of else rank,
        name,
        of,
        state,
        "futex",
        place(stack(*calls)),
        tuple(path),
        moved,
        False,
        "",
    )


def look(*members, world=None, gone=()):
    ranks = [m for m in members if not m.of]
    return Look(1.0, "node1", tuple(members), tuple(gone), len(ranks) if world is None else world, False)


def step(line, branches=(), loops=()):
    return OwnFrame("/w/train.py", "main", line, tuple(branches), tuple(loops))


def facts(one):
    return {f.fact: (f.value, f.text) for f in findings(one, "stacks")}


REDUCE = [("all_reduce", C10D, 1), ("main", "/w/train.py", 3)]
BARRIER = [("barrier", C10D, 1), ("main", "/w/train.py", 9)]


def test_a_rank_that_has_left_the_loop_has_no_more_batches():
    loop = (2, 3, "batches", True)
    found = facts(look(member(0, REDUCE, path=[step(3, loops=[loop])]), member(1, BARRIER, path=[step(9)])))
    assert found["stack.left_loop"][0] is True
    assert "rank 1 is at train.py:9, past the loop over batches" in found["stack.left_loop"][1]
    assert "stack.left_loop_early" not in found
    early = facts(
        look(
            member(0, REDUCE, path=[step(3, loops=[(2, 3, "x", False)])]), member(1, BARRIER, path=[step(9)])
        )
    )
    assert "stack.left_loop_early" in early and "stack.left_loop" not in early


def test_a_collective_under_a_condition_on_the_rank():
    branch = (2, "if", "rank == 0", True)
    found = facts(look(member(0, REDUCE, path=[step(3, [branch])]), member(1, BARRIER, path=[step(9)])))
    assert "stack.rank_branch" in found and "stack.branch" not in found
    free = facts(
        look(
            member(0, REDUCE, path=[step(3, [(2, "if", "x > 1", False)])]), member(1, BARRIER, path=[step(9)])
        )
    )
    assert "stack.branch" in free and "stack.rank_branch" not in free


def test_who_works_is_waited_for_and_nothing_divides_them():
    works = [("matmul", "/w/model.py", 8), ("validate", "/w/train.py", 5)]
    found = facts(
        look(
            member(0, works, moved=True, path=[step(5, [(4, "if", "rank == 0", True)])]),
            member(1, BARRIER, path=[step(9)]),
        )
    )
    assert found["stack.busy"][0] == "0" and found["stack.section"][0] == "validation"
    assert "stack.rank_branch" not in found


def test_all_in_one_place_and_states_of_the_kernel():
    same = facts(look(member(0, REDUCE), member(1, REDUCE)))
    assert same["stack.same_place"][0] is True and same["stack.waits_in"][0] == "collective"
    stopped = facts(look(member(0, BARRIER), member(1, [], state="T")))
    assert stopped["stack.stopped"][0] == "rank 1"
    stuck = facts(look(member(0, BARRIER), member(1, REDUCE, state="D"), world=4, gone=["rank 2"]))
    assert stuck["stack.in_kernel"][0] == "rank 1" and stuck["stack.gone"][0] == "rank 2"
    assert stuck["stack.unseen"][0] == 1


def test_sentences_group_the_ranks():
    many = [member(n, REDUCE) for n in (0, 1, 2, 5)]
    said = sentences(look(*many, member(3, BARRIER), member(4, [], state="T"), world=8, gone=["rank 7"]))
    assert said == [
        "ranks 0-2,5 stand in all_reduce at train.py:3",
        "rank 3 stands in barrier at train.py:9",
        "rank 4 is stopped (state T)",
        "rank 7: gone",
        "1 of 8 ranks is not here",
    ]
    assert ranges([3, 1, 2, 9]) == "1-3,9"


def test_a_look_survives_its_file_and_a_broken_one_is_none():
    one = look(
        member(0, REDUCE, path=[step(3, [(2, "if", "rank == 0", True)], [(1, 5, "x", True)])]), world=2
    )
    assert read_look(json.loads(json.dumps(one.to_dict()))) == one
    for broken in (None, [], {}, {"members": [{}]}, {**one.to_dict(), "members": 3}):
        assert read_look(broken) is None


def test_what_py_spy_prints():
    frame = {"name": "f", "filename": "/w/t.py", "line": 3}
    text = json.dumps(
        [
            {
                "thread_name": "MainThread",
                "os_thread_id": 7,
                "active": True,
                "owns_gil": False,
                "frames": [frame],
            }
        ]
    )
    assert read(text).main == (Frame("f", "/w/t.py", 3),)
    assert read("no").problem and read("{}").problem and not read("[]").main
    deep = json.dumps([{"thread_name": "MainThread", "frames": [frame] * 1000}])
    assert len(read(deep).main) == 120


@pytest.mark.parametrize(
    ("scope", "capabilities", "uid", "says"),
    [
        ("1", "0", "1000", "ptrace_scope is 1"),
        ("0", "0", "1001", "another user"),
        ("3", "0", "1000", "ptrace_scope is 3"),
        ("0", "0", "1000", ""),
        ("1", "80000", "1001", ""),
    ],
)
def test_which_right_is_missing(tmp_path, scope, capabilities, uid, says):
    for pid, owner in (("self", "1000"), ("42", uid)):
        (tmp_path / pid).mkdir()
        (tmp_path / pid / "status").write_text(f"Uid:\t{owner}\t{owner}\t0\t0\nCapEff:\t{capabilities}\n")
    (tmp_path / "sys/kernel/yama").mkdir(parents=True)
    (tmp_path / "sys/kernel/yama/ptrace_scope").write_text(scope + "\n")
    found = missing_right(42, str(tmp_path))
    assert (says in found) if says else found == ""
