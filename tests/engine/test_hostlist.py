import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.facts.hostlist import HostListError, fold, same_host, unfold


@pytest.mark.parametrize(
    ("names", "folded"),
    [
        ([], ""),
        (["head"], "head"),
        (["node3", "node1", "node2"], "node[1-3]"),
        ([f"node{n:03d}" for n in range(1, 17)] + ["node018"], "node[001-016,018]"),
        (["node099", "node100", "node101"], "node[099-101]"),
        (["gpu9", "gpu10"], "gpu[9-10]"),
        (["n09", "n9"], "n09,n9"),
        (["a1.rack.example", "a2.rack.example", "b"], "a[1-2].rack.example,b"),
        (["rack1-node02", "rack1-node03", "rack2-node02"], "rack1-node[02-03],rack2-node02"),
    ],
)
def test_fold(names, folded):
    assert fold(names) == folded


def test_a_host_file_with_slots_comments_and_ranges():
    text = "# the job\nnode[001-003,7] slots=8\nhead  # login\n\na[1-2]b[1-2],node001\n"
    assert unfold(text) == ["node001", "node002", "node003", "node7", "head", "a1b1", "a1b2", "a2b1", "a2b2"]


@pytest.mark.parametrize(
    "text",
    ["a;rm", "$(id)", "x[3-1]", "[a]", "a]", "a[1", "-w", "x[0-999999999]", "[1]" * 9000, "n[1-9999][1-99]"],
)
def test_what_is_no_host_list_is_refused(text):
    with pytest.raises(HostListError):
        unfold(text)


HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,6}[a-z0-9](\.[a-z]{1,4})?", fullmatch=True)


@given(st.sets(st.one_of(HOSTS, st.integers(0, 120).map("node{:03d}".format)), max_size=40))
def test_folding_loses_nothing(names):
    assert set(unfold(fold(names))) == names


def test_short_and_long_names_of_a_host():
    assert same_host("node1", "NODE1.cluster.local")
    assert not same_host("node1", "node10")
    assert not same_host("node1.a", "node1.b")


def test_one_name_said_without_end_is_refused():
    with pytest.raises(HostListError, match="more than 100000 hosts"):
        unfold("n" + "[1,1,1,1,1,1,1,1,1,1]" * 8)
