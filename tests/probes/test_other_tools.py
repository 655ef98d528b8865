"""The output of other tools, laid out from ``tooloutput.yaml``: what is found, what is not, which incident leads."""

from __future__ import annotations

import gzip

import pytest
import yaml

from gpudoctor.engine import Session
from gpudoctor.probes.files import report_files
from gpudoctor.probes.report import Reader

from ..conftest import ROOT

SAMPLES = yaml.safe_load((ROOT / "tests" / "probes" / "tooloutput.yaml").read_text(encoding="utf-8"))


class Heard:
    """What the reading says of what it leaves out."""

    stopped = False

    def __init__(self):
        self.said = []

    def advance(self, name, done):
        pass

    def left_out(self, name, why):
        self.said.append(why)


def lay_out(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_what_another_tool_wrote(knowledge, reader, tmp_path, sample):
    lay_out(tmp_path / "given", sample["files"])
    heard = Heard()
    session = Session(knowledge)
    for fact in reader.read_all(report_files(tmp_path / "given", heard)):
        session.add(fact)
    document = session.diagnosis().to_dict()
    session.close()
    known = {fact["name"]: fact["value"] for fact in document["facts"]}
    assert {name: known.get(name) for name in sample["facts"]} == sample["facts"]
    assert not known.keys() & set(sample.get("absent", []))
    if "first" in sample:
        assert document["incidents"][0]["id"] == sample["first"]
    assert heard.said == ([sample["left_out"]] if "left_out" in sample else [])


def test_every_kind_of_output_has_a_sample():
    told = " ".join(sample["name"] for sample in SAMPLES)
    for kind in (
        "bug-report",
        "sos report",
        "must-gather",
        "node-problem-detector",
        "kubectl describe",
        "GPU operator",
        "Slurm",
        "Ray",
        "DCGM",
    ):
        assert kind in told
    assert all(sample["source"].startswith("https://") for sample in SAMPLES)
