"""A few kills at random moments; ``python -m tests.trust.kills`` makes as many as one likes."""

from __future__ import annotations

import random

from gpudoctor.probes import janitor

from . import kills


def test_nothing_is_left_of_commands_that_were_killed():
    seed = random.Random().randrange(1 << 30)
    done, bad = kills.run(len(kills.commands(kills.Path("/"))), seed)
    assert bad == [], seed
    assert len(done) == done.total()


def test_what_a_dying_child_still_writes_goes_too(tmp_path, monkeypatch):
    folder = tmp_path / "staged"
    folder.mkdir()
    removed = []
    real = janitor.shutil.rmtree

    def late(path, **how):
        removed.append(path)
        real(path, **how)
        if len(removed) < 3:
            (folder / "site").mkdir(parents=True)

    monkeypatch.setattr(janitor.shutil, "rmtree", late)
    janitor._remove(str(folder))
    assert len(removed) == 3 and not folder.exists()
