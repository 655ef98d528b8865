"""Plain signs of trouble that no signature has to know, numbers out of range, and what is well and must not alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpudoctor.engine.diagnosis.verdict import conclude
from gpudoctor.engine.facts import PROBE, Fact, Origin
from gpudoctor.probes.alarms import alarms

from .test_all_clear import CLEAN, session_with

HERE = Path(__file__).parent
BESIDE = """2026-03-04 10:11:12 INFO train.py:88] step 1200 loss 2.31 lr 3e-4
{}
2026-03-04 10:11:19 INFO train.py:88] step 1300 loss 2.29 lr 3e-4
"""
OUT_OF_RANGE = (HERE / "out-of-range.txt").read_text().splitlines()
"""Readings and counters as people and tools print them."""

SIGNS = (HERE / "plain-signs.txt").read_text().splitlines()
"""Lines of kernels, drivers, libraries, schedulers, launchers, service processors."""

WELL = (HERE / "well.txt").read_text().splitlines()
"""What healthy machines print."""


@pytest.fixture(scope="module")
def well(knowledge):
    session = session_with(knowledge, CLEAN)
    yield session
    session.close()


@pytest.mark.parametrize("text", [*OUT_OF_RANGE, *SIGNS])
def test_a_sign_beside_a_machine_that_was_found_well_is_named(reader, well, text):
    for said in (text, BESIDE.format(text)):
        facts = list(reader.read([said.encode()], "x.log"))
        for fact in facts:
            well.add(fact)
        found = conclude(well)
        named = found.loose or well.error_lines() or found.standing
        for fact in facts:
            well.withdraw(fact)
        assert found.verdict != "no known incident" and named


def test_there_are_enough_of_them():
    assert len(set(SIGNS)) >= 200 and len(set(OUT_OF_RANGE)) >= 100


@pytest.mark.parametrize("text", WELL)
def test_what_healthy_machines_print_is_no_alarm(text):
    assert list(alarms(text.encode(), 1)) == []


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("collective.broken", "p2p", "none"),
        ("collective.pairs", "one_gpu", "none"),
        ("job.oom_kills", 1, 0),
        ("job.status", 139, 0),
        ("slurm.ended_by", "node-failure", "cancelled"),
        ("gpu.compute_mode", "prohibited", "default"),
        ("clock.offset_ms", 60_000, 12),
        ("rdma.link_downed", 4000, 1),
    ],
)
def test_a_value_that_is_told_by_a_probe_or_a_person(knowledge, name, bad, good):
    for value, clean in ((bad, False), (good, True)):
        session = session_with(knowledge, CLEAN)
        session.add(Fact(name, value, Origin(PROBE, "x")))
        assert (session.diagnosis().exit_status == 0) is clean, value
        session.close()
