"""No reader takes more than its share of time for what an input can repeat; ``tests.trust.worst`` takes a megabyte."""

from __future__ import annotations

from ..fuzz.targets import targets
from .worst import slowest


def test_no_reader_is_slow_on_a_sixteenth_of_a_megabyte(knowledge):
    seconds, target, shape = slowest(targets(knowledge), 1 << 16)[0]
    assert seconds < 1, (target, shape)
