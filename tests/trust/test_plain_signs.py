"""Plain signs of trouble that no signature has to know, numbers out of range, and what is well and must not alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpudoctor.engine.diagnosis.verdict import conclude
from gpudoctor.engine.facts import PROBE, Fact, Origin
from gpudoctor.engine.language.counts import without_none
from gpudoctor.probes.alarms import alarms

from .test_all_clear import CLEAN, session_with, verdict

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
"""What healthy machines print, some of it of other machines than the one that was found well."""

CALM = (HERE / "calm.txt").read_text().splitlines()
"""Healthy lines that sound like trouble: counts of zero, names of settings, retries that succeeded, units that stop."""


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
    assert len(set(SIGNS)) >= 600 and len(set(CALM)) >= 150 and len(set(OUT_OF_RANGE)) >= 100


@pytest.mark.parametrize("text", [*WELL, *CALM])
def test_what_healthy_machines_print_is_no_alarm(text):
    assert list(alarms(text.encode(), 1)) == []


@pytest.mark.parametrize("text", CALM)
def test_what_only_sounds_like_trouble_leaves_a_machine_well(reader, well, text):
    assert [verdict(well, reader, said) for said in (text, BESIDE.format(text))] == ["no known incident"] * 2


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("12 tests, 0 errors", ""),
        ("Failed: 0, Succeeded: 8", "Succeeded"),
        ("Recent failures: (no failures)", ""),
        ("没有发现错误", ""),
    ],
)
def test_a_count_of_no_faults_is_taken_out(line, rest):
    left = without_none(line)
    assert left != line and rest in left


@pytest.mark.parametrize(
    "line",
    [
        "error: No such file or directory",
        "not registered within the timeout",
        "error: 0 devices",
        "xids: 0x1f",
    ],
)
def test_what_is_no_count_of_none_is_kept(line):
    assert without_none(line) == line


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
