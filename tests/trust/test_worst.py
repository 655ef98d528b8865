"""No reader takes more than its share of time for what an input can repeat; ``tests.trust.worst`` takes a megabyte."""

from __future__ import annotations

from ..fuzz.targets import targets
from .worst import slowest


def test_no_reader_is_slow_on_a_thirtieth_of_a_megabyte(knowledge):
    # Pages are read by a Markdown library, which takes the square of brackets that nobody closes; a page is bounded.
    found = [target for target in targets(knowledge) if target.name != "page"]
    seconds, target, shape = slowest(found, 1 << 15)[0]
    assert seconds < 1, (target, shape)
