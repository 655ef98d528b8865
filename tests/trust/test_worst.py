"""No reader takes more than its share of time for what an input can repeat; ``tests.trust.worst`` takes a megabyte."""

from __future__ import annotations

from .worst import readers, slowest

QUICK = ("redact", "facts", "spec", "hosts")
"""The others are tried by ``python -m tests.trust.worst``."""


def test_no_reader_is_slow_on_a_part_of_a_megabyte(knowledge, reader):
    found = {target.name: target for target in readers(knowledge)}
    seconds, target, shape = slowest([found[name] for name in QUICK], 1 << 15, [])[0]
    assert seconds < 1, (target, shape)
    seconds, target, shape = slowest([found["report"]], 1 << 14, reader.literals)[0]
    assert seconds < 0.7, (target, shape)
