"""The kit is proved without a GPU: on pretended machines the same checks run, and all is well."""

from __future__ import annotations

import json
import socket
import tarfile
from importlib.util import find_spec

import pytest

from gpudoctor.probes.bedside.stacks import tracer

from . import collective, faults, machine, report
from .base import ROOT
from .checks import PASSED, SKIPPED, Course
from .dry.machine import SERIAL
from .samples import MOST

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or not tracer(), reason="gloo takes the place of nccl: needs torch and py-spy"
)


def allowed(results, *reasons):
    """What was skipped or failed for none of these reasons."""
    return {
        name: found
        for name, found in results.items()
        if found[0] != PASSED and not (found[0] == SKIPPED and any(reason in found[1] for reason in reasons))
    }


def test_two_gpus(whole):
    status, results, out, said = whole(2, "machine", "collective", "faults")
    assert not allowed(
        results, "not asked for", "says nothing of it", "needs three GPUs", "vLLM is not", "with several GPUs",
        "unshare", "it hung (it has a second)",
    ), said  # fmt: skip
    assert status == 0, said
    for name in (
        "memory",
        "driver",
        "ECC errors",
        "highest clocks",
        "NVLink",
        "topology",
        "GPUs on the PCI bus",
    ):
        assert results[name][0] == PASSED
    assert results["variant net_only"][1].startswith("pass over NET/Socket; heard: NCCL_P2P_DISABLE")
    assert "symptom.duplicate-gpu" in results["two ranks on one GPU"][1]
    assert "rank-stopped" in results["a rank is stopped"][1]
    assert results["no setting of a GPU has changed"][0] == results["no process is left"][0] == PASSED
    document = json.loads((out / report.JSON).read_text())
    assert document["complete"] and document["schema"] == report.SCHEMA
    assert document["machine"]["gpus"] == ["NVIDIA GeForce RTX 4090"] * 2
    assert {path.name for path in out.iterdir()} == {report.JSON, report.MARKDOWN, "gpu-samples.tar.gz"}
    samples_are_redacted(out)


def samples_are_redacted(out):
    path = out / "gpu-samples.tar.gz"
    assert path.stat().st_size < MOST
    with tarfile.open(path) as archive:
        texts = {
            member.name: archive.extractfile(member).read().decode("utf-8", "replace")
            for member in archive
            if member.name.startswith("samples/")
        }
        assert any(name.startswith("captures/") for name in archive.getnames())
    query = texts["samples/nvidia-smi-q.txt"]
    assert query.startswith("# command: nvidia-smi -q\n") and "FB Memory Usage" in query
    assert {"samples/nvidia-smi-topo.txt", "samples/lspci.txt", "samples/nvml-child.txt"} <= set(texts)
    assert any(name.startswith("samples/nccl/") and "via P2P" in text for name, text in texts.items())
    everything = (
        "".join(texts.values()) + (out / report.JSON).read_text() + (out / report.MARKDOWN).read_text()
    )
    assert SERIAL not in everything and "aaaa-bbbb-cccc" not in everything
    host = socket.gethostname()
    assert len(host) < 3 or f" {host} " not in everything


@needs_torch
def test_one_gpu(whole):
    status, results, _, said = whole(1, "bedside")
    assert not allowed(results, "not asked for"), said
    assert status == 0, said
    assert "frames of CUDA" in results["attach: ranks, and frames of CUDA"][1]
    assert "1 dumps, 1 calls, library 2.27.3" in results["run reads the dumps of the flight recorder"][1]


def test_an_amd_machine(kit):
    there = kit(amd=True)
    assert there.found.vendor == "amd"
    course = Course(300, lambda result: None)
    course.follow("machine", machine.checks(there))
    results = {result.name: (result.outcome, result.reason) for result in course.results}
    assert not allowed(results, "nothing to compare", "no interpreter"), results
    assert results["model"] == (PASSED, "AMD Instinct MI300X") and results["architecture"][1] == "gfx942"
    assert results["number of GPUs"][1] == results["GPUs on the PCI bus"][1] == "2"


def test_a_data_loader_in_a_small_shm(kit):
    there = kit(1)
    fault = next(fault for fault in faults.faults(there) if fault.job == "loader")
    if fault.needs(there):
        pytest.skip(fault.needs(there))
    assert "shm-too-small" in faults.planted(there, fault)


@needs_torch
def test_gloo_drives_the_collective_checks(kit):
    """The real ranks, real data, over gloo: the kit understands what they say. What is spoilt is in test_lies."""
    fakes = ROOT / "tests" / "probes" / "collective" / "fakenccl"
    there = kit(2, PRETEND_RANKS="real")
    there.found.environment.update(PYTHONPATH=str(fakes))
    test = collective.Test(there)
    good = test.run("good", 60)[1]
    assert collective.data(good) == "every element right on 2 ranks"
    assert collective.copies(good, "default") == "exact on 2 GPUs"
