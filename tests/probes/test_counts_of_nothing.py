"""A message with a count of zero beside it was not found: it confirms nothing. Messages that end in a zero do."""

from __future__ import annotations

import pytest

from gpudoctor.engine.language.counts import counts_none

from .test_stance import LINES, confirmed

ZERO = (
    "{}: 0",
    "{} : 0",
    "{}:0",
    '"{}": 0',
    "'{}': 0,",
    "{}\t0",
    "{}    0",
    "{} ... : 0",
    "| {} | 0 |",
    "| {} | 0 | 0 | 0 |",
    '"{}",0',
    "{} -> 0",
    "{} => 0",
    "{}: 0 hits",
    "{}: 0 times",
    "{}: count=0",
    "{}: 0/8 nodes",
    "{}: 0 of 8",
    "{}: none",
    "{}: no",
    "{}: never",
    "{}: zero",
    "{} - 0",
    "{} x0",
    "{}：0 次",
    "{}：无",
    "{}: 次数 0",
    "0 x {}",
    "0 times: {}",
    "count: 0, text: {}",
    "count=0 {}",
    '{{"{}": 0}}',
    "0 hits for {}",
)
XID = "NVRM: Xid (PCI:0000:9c:00): 79, pid=1234, GPU has fallen off the bus."


@pytest.mark.parametrize("form", ZERO)
def test_a_count_of_zero_confirms_nothing(knowledge, reader, form):
    assert [line for line in (*LINES, XID) if confirmed(knowledge, reader, form.format(line))] == []


@pytest.mark.parametrize(
    "form", ("{}: 3", "{}    7", "| {} | 12 |", '"{}": 10', "{} x4", "12 x {}", "{}: 10/80 nodes")
)
def test_a_count_of_more_confirms(knowledge, reader, form):
    lines = [line for line in LINES[::5] if confirmed(knowledge, reader, line)]
    lines = [line for line in lines if not line.startswith("(raylet)")]  # begins a line
    assert [line for line in lines if not confirmed(knowledge, reader, form.format(line))] == []


@pytest.mark.parametrize(
    "text",
    [
        "Xid 79: 0", "Xid 79 : 0", "kernel log, Xid 79 | 0", "Xid 48: none", "Xid 63    0", '"Xid 79",0',
        "kern.log:Xid 79:0",
    ],
)  # fmt: skip
def test_the_number_of_an_event_that_was_counted(reader, text):
    assert not {f.name for f in reader.read([text.encode()], "x")} & {"xid.79", "xid.48", "xid.63"}


@pytest.mark.parametrize(
    "line",
    [
        "Parameter indices which did not receive grad for rank 3: 12 13 0",
        "Parameter indices which did not receive grad for rank 0: 0",
        "the worker failed with exit code: 0",
        "ibv_poll_cq failed, status: 0",
        "NCCL WARN Call to x failed, errno: 0",
        "comm 0x55 rank 0 nranks 8 cudaDev  0",
        "fallen off the bus at 10:00",
        "NVRM: Xid (PCI:0000:01:00): 95, pid=7062, name=python, Uncontained: LTC TAG (0x2,0x0). RST: Yes, D-RST: No",
        "NVRM: Xid (PCI:0000:01:00): 94, pid=7194, name=python, Contained: CE User Channel (0x9). RST: No",
        "writeBody failed. Error: Bad address (value: 14), total_transferred_bytes_: 0, current transferred_bytes: 0",
        "|  3  NVIDIA A100  On | 00000000:9C:00.0 Off |                    0 |",
    ],
)
def test_a_zero_of_the_message_itself_is_no_count(line):
    assert not counts_none(line, 5)


def test_every_sample_of_every_signature_is_read_all_the_same(knowledge):
    found = [
        f"{spec.name}: {line}"
        for spec in knowledge.facts()
        for signature in spec.signatures
        for line in signature.matches
        if counts_none(line, len(line) - 1)
    ]
    assert found == []
