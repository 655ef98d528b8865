"""Calls without a frame of their own, by the line at which a stack ends."""

import pytest

from gpudoctor.probes.bedside.calls import at_line
from gpudoctor.probes.bedside.places import OWN, Place, place
from gpudoctor.probes.bedside.stacks import Frame

C10D = "torch/distributed/distributed_c10d.py"
HERE = Place(OWN, "main", "", "/w/t.py", 3)


@pytest.mark.parametrize(
    ("line", "gpu", "doing", "call"),
    [
        ("        work.wait()", False, "collective", "wait"),
        ("    handles[i].wait()", False, "collective", "wait"),
        ("    value = store.get('resume')", False, "store", "get"),
        ("    self.rdzv_store.wait(['a'])", False, "store", "wait"),
        ("    gc.collect()", False, "own", "collect"),
        ("    losses.append(loss.item())", True, "device", "item"),
        ("    losses.append(loss.item())", False, "own", "main"),
        ("    process.wait()", False, "own", "main"),
        ("    restore.get('a')", False, "store", "get"),
        ("", True, "own", "main"),
    ],
)
def test_a_line_says_what_is_waited_for(line, gpu, doing, call):
    found = at_line(HERE, line, gpu)
    assert (found.doing, found.call) == (doing, call)


def test_frames_come_first():
    barrier = HERE._replace(doing="barrier", call="barrier")
    assert at_line(barrier, "store.get('x')", True) == barrier


@pytest.mark.parametrize(
    ("calls", "doing", "section"),
    [
        ([("broadcast", "/x/site-packages/" + C10D, 1), ("broadcast_to_vllm", "/w/a.py", 2)],
         "collective", "weight_sync"),
        ([("_read_status", "/usr/lib/python3.11/http/client.py", 1), ("update_named_param", "/w/c.py", 2)],
         "answer", "weight_sync"),
        ([("get_objects", "/x/site-packages/ray/_private/worker.py", 1), ("fit", "/w/a.py", 2)], "answer", ""),
        ([("update_weight_decay", "/w/a.py", 1)], "own", ""),
        ([("next_rendezvous", "/x/site-packages/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py", 1)],
         "rendezvous", ""),
    ],
)  # fmt: skip
def test_where_weights_are_sent_and_answers_are_waited_for(calls, doing, section):
    found = place([Frame(*call) for call in calls])
    assert (found.doing, found.section) == (doing, section)
