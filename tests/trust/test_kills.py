"""A few kills at random moments; ``python -m tests.trust.kills`` makes as many as one likes."""

from __future__ import annotations

import random

from . import kills


def test_nothing_is_left_of_commands_that_were_killed():
    seed = random.Random().randrange(1 << 30)
    done, bad = kills.run(len(kills.commands(kills.Path("/"))), seed)
    assert bad == [], seed
    assert len(done) == done.total()
