"""The supervisor without torch: ranks that nothing can end, that print anything, that cannot start."""

from __future__ import annotations

import os
import sys
import time

import pytest

from gpudoctor.probes.collective import ranks as supervisor
from gpudoctor.probes.collective.nursery import Nursery
from gpudoctor.probes.collective.outcome import conclude
from gpudoctor.probes.janitor import marked

SAY = """
import json, sys, time
folder, rank = sys.argv[1:3]
with open(f"{folder}/rank{rank}.jsonl", "w") as file:
    file.write('{"stage": "start"}\\nnot json\\n[1]\\n{"stage": 3}\\n')
    file.write(json.dumps({"stage": "error", "type": "X", "message": "\\x1b[2Jbad HF_TOKEN=hf_0123456789abcdefghij"}))
    file.write("\\n")
print("\\x1b]0;title\\x07 out", flush=True)
"""


def _go(nursery, code, budget=5.0, world=1):
    folder = nursery.job_folder()
    commands = [[sys.executable, "-S", "-c", code, str(folder), str(n)] for n in range(world)]
    return supervisor.finish([supervisor.start(nursery, folder, commands, dict(os.environ), budget)])[0]


def test_whatever_a_rank_writes_is_shown_safely():
    with Nursery() as nursery:
        end = _go(nursery, SAY + "sys.exit(1)")
    (rank,) = end.ranks
    assert [event["stage"] for event in rank.events] == ["start", "error"]
    outcome = conclude(end)
    assert outcome.value == "error"
    assert "bad" in outcome.text
    assert "\x1b" not in outcome.text + rank.output
    assert "0123456789" not in outcome.text


def test_a_rank_that_outlives_sigkill_is_abandoned_and_reported(monkeypatch):
    monkeypatch.setattr(supervisor, "kill_group", lambda group: None)  # as for a process stuck in the kernel
    monkeypatch.setattr(supervisor.os, "kill", lambda pid, number: None)
    monkeypatch.setattr(supervisor, "KILLING", 0.2)
    with Nursery() as nursery:
        end = _go(nursery, "import time; time.sleep(1000)", budget=0.5)
        assert end.seconds < 0.5 + 2
        assert end.ranks[0].abandoned
        assert conclude(end).abandoned == (0,)
        monkeypatch.undo()
    deadline = time.monotonic() + 2
    while marked(nursery.mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert marked(nursery.mark) == []


def test_the_second_rank_that_cannot_start_takes_the_first_with_it():
    with Nursery() as nursery:
        folder = nursery.job_folder()
        commands = [[sys.executable, "-c", "import time; time.sleep(1000)"], ["/nonexistent/python"]]
        with pytest.raises(OSError, match="No such file"):
            supervisor.start(nursery, folder, commands, dict(os.environ), 5.0)
        assert marked(nursery.mark) == []


def test_an_exception_of_ours_leaves_nothing():
    with pytest.raises(KeyboardInterrupt), Nursery() as nursery:
        folder = nursery.job_folder()
        command = [sys.executable, "-c", "import time; time.sleep(1000)"]
        supervisor.start(nursery, folder, [command, command], dict(os.environ), 5.0)
        raise KeyboardInterrupt
    assert marked(nursery.mark) == []
    assert not nursery.folder.exists()
