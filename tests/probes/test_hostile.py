"""Nothing that a log may hold hangs the reader or ends it with an exception."""

import gzip
import time

import pytest

from gpudoctor.probes import read_reports
from gpudoctor.probes.parsers import PARSERS
from gpudoctor.probes.report import Reader

from .mutate import run
from .recognized import read_report

FILLS = (b"a", b" ", b"0 ", b"x=1 ", b"[0] ", b"1.")
BUDGET = 0.5  # seconds for one line; the slowest takes a hundredth of this, a runaway expression never ends


@pytest.fixture(scope="module")
def reader():
    return Reader()


@pytest.mark.parametrize("parser", PARSERS, ids=lambda p: p.name.replace(" ", "-"))
def test_no_long_line_keeps_a_parser_busy(parser, reader):
    for trigger in parser.triggers[:3]:
        for fill in FILLS:
            run_of_it = fill * (8000 // len(fill))
            line = run_of_it + trigger.encode() + run_of_it
            started = time.process_time()
            list(reader.read([line, b"\n", line], "x"))
            assert time.process_time() - started < BUDGET


def test_mutated_lines():
    facts, _ = run(3000)
    assert facts > 1000


def test_a_line_of_a_hundred_megabytes(tmp_path):
    path = tmp_path / "one-line.log"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"a" * (1 << 20))
        file.write(b" Duplicate GPU detected : rank 0 ")
    facts = [f for f in read_reports([path]) if f.name == "symptom.duplicate-gpu"]
    assert facts
    assert len(facts[0].origin.text) <= 300


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 5000,
        b"\xff" * 5000,
        b"\x1b[" * 5000,
        b"\x1b]" * 5000,
        b"\r" * 5000,
        "卡".encode() * 2000,
        b"\xfe\xff" + b"a",
    ],
)
def test_rubbish_says_nothing(data):
    assert not list(read_report(data))


def test_a_damaged_archive_gives_what_it_has(tmp_path):
    whole = gzip.compress(b"Duplicate GPU detected : rank 0\n" * 5000)
    (tmp_path / "cut.log.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "bad.log.gz").write_bytes(b"\x1f\x8b" + b"\xff" * 200)
    assert {f.name for f in read_reports([tmp_path])} >= {"symptom.duplicate-gpu"}


@pytest.mark.parametrize(
    "text",
    [
        "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n D\\D 0 1\n 0 mb 3\n"
        "Unidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n D\\D 0 1\n 0 1.2.3 3\n",
        "Attached GPUs : \u00b2\n",
        "======== Autoscaler status: x ========\nActive:\n 1 n\nResources\n 1.0/2.0 CPU\n 1..2/3.4.5 GPU\n",
        "docker run --shm-size=" + "9" * 400 + "g -it --rm image a b c\n",
        "utilization.gpu, power.draw, name\n99 %, 1.2.3 W, x\n99 %, ., x\n",
        "Attached GPUs : 1\n" + "9" * 6000 + "\n",
    ],
)
def test_numbers_that_are_none(text, reader):
    list(reader.read([text.encode()], "x"))
