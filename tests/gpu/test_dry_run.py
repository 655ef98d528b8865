"""The kit is proved without a GPU: on a pretended machine all is well, and each lie is found for its own reason."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from gpudoctor.probes.bedside.stacks import tracer

from . import base, bedside, children, collective, faults, machine, report, surroundings
from .base import ROOT, Base, NoBase, prepare
from .checks import FAILED, PASSED, SKIPPED, Check, Course, Fail, Skip
from .dry.machine import SERIAL, NoCompiler, make, make_amd
from .kit import Kit
from .run import FAILURES, NOTHING, Options, Proof, _nothing_left, _unchanged, prove
from .samples import MOST, Samples

START = (sys.executable, str(Path(__file__).parent / "dry" / "start.py"))
PATIENCE = 2.0
needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or not tracer(), reason="gloo takes the place of nccl: needs torch and py-spy"
)


@pytest.fixture
def pretend(tmp_path, monkeypatch):
    """A function that makes a machine and turns this process's environment into its own; the environment."""

    def become(gpus=2, amd=False, **lies):
        folder = tmp_path / f"machine-{gpus}"
        try:
            found = make_amd(folder, **lies) if amd else make(folder, gpus, KIT_WATCHDOG="1.5", **lies)
        except NoCompiler:
            pytest.skip("there is no C compiler here")
        for name in [name for name in os.environ if name not in found]:
            monkeypatch.delenv(name)
        for name, value in found.items():
            monkeypatch.setenv(name, value)
        return found

    return become


@pytest.fixture
def kit(pretend, tmp_path):
    """A function that makes a kit on such a machine."""

    def on(gpus=2, amd=False, **lies):
        found = surroundings.survey(sys.executable, pretend(gpus, amd, **lies))
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        return Kit(found, Samples(tmp_path), scratch, start=START, patience=PATIENCE)

    return on


@pytest.fixture
def whole(pretend, tmp_path):
    """A function that runs the kit as ``make gpu`` does; status, results by name, and the folder."""

    def run(gpus, *only):
        said = []
        environment = pretend(gpus)
        options = Options(tmp_path / "out", sys.executable, only)
        status = prove(options, Base("installed"), environment, said.append, start=START, patience=PATIENCE)
        document = json.loads((tmp_path / "out" / report.JSON).read_text())
        results = {check["name"]: (check["outcome"], check["reason"]) for check in document["checks"]}
        return status, results, tmp_path / "out", "\n".join(said)

    return run


def refused(work, *words):
    """That a check fails, and that its reason has these words."""
    with pytest.raises(Fail) as failure:
        work()
    for word in words:
        assert word in str(failure.value)


def allowed(results, *reasons):
    """What was skipped or failed for none of these reasons."""
    return {
        name: found
        for name, found in results.items()
        if found[0] != PASSED and not (found[0] == SKIPPED and any(reason in found[1] for reason in reasons))
    }


# All is well


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
    status, results, _, said = whole(1, "collective", "bedside")
    assert not allowed(results, "not asked for", "needs two GPUs"), said
    assert status == 0, said
    assert "symptom.duplicate-gpu" in results["two ranks on one GPU"][1]
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
    """The real ranks, real data, over gloo: right they pass, spoilt they do not."""
    fakes = ROOT / "tests" / "probes" / "collective" / "fakenccl"
    there = kit(2, PRETEND_RANKS="real", PYTHONPATH=str(fakes))
    test = collective.Test(there)
    good = test.run("good", 60)[1]
    assert collective.data(good) == "every element right on 2 ranks"
    assert collective.copies(good, "default") == "exact on 2 GPUs"
    there.found.environment.update(FAKE_BREAKS="wrong")
    spoilt = test.run("spoilt", 40)[1]
    refused(lambda: collective.data(spoilt), "all_reduce gave wrong data: ", "elements")


# Lies, each found for its own reason


def test_a_probe_that_reads_the_wrong_memory(kit):
    there = machine.Machine(kit(2, NVML_STUB="wrong_memory"))
    refused(
        lambda: machine._memory(there), "gpudoctor says [24564, 16376]", "nvidia-smi -q says [24564, 24564]"
    )
    assert machine._driver(there) == "550.54.15"


def test_a_probe_that_counts_errors_that_are_not_there(kit):
    there = machine.Machine(kit(2, NVML_STUB="ecc"))
    theirs = [card.uncorrected() for card in there.query.cards]
    refused(lambda: there.each("uncorrectable errors", "uncorrected", theirs), "gpudoctor says [0, 7]")


@pytest.mark.parametrize(
    ("lie", "seen"), [("deaf", "gpudoctor says so"), ("blind", "gpudoctor has not seen it")]
)
def test_a_variant_that_is_not_obeyed(kit, lie, seen):
    kept = collective.Test(kit(2, PRETEND_LIE=lie)).run("matrix", 60, "--matrix")[1]
    refused(lambda: collective.variant(kept, "p2p_off"), "log still shows P2P/CUMEM", seen)
    assert collective.variant(kept, "proto_simple").startswith("pass")


def test_collectives_that_prove_nothing_or_corrupt(kit):
    there = kit(2, PRETEND_LIE="wrong")
    test = collective.Test(there)
    refused(
        lambda: collective.data(test.run("wrong", 30)[1]), "all_reduce gave wrong data: 1 of 1024 elements"
    )
    there.found.environment.update(PRETEND_LIE="unchecked")
    refused(lambda: collective.data(test.run("unchecked", 30)[1]), "a pass that proves nothing")
    there.found.environment.update(PRETEND_LIE="copy")
    kept = test.run("copy", 30, "--ranks", "1")[1]
    refused(
        lambda: collective.copies(kept, "single_rank"), "what came back from its GPU is not what was sent"
    )


def test_ranks_that_share_a_gpu_and_are_taken_for_a_result(kit):
    there = kit(1, PRETEND_LIE="shares")
    refused(lambda: collective._refused(collective.Test(there)), "symptom.duplicate-gpu was not read")


def test_a_process_that_is_left_behind(kit):
    there = kit(2, PRETEND_LIE="forgets")
    assert _nothing_left(there)
    there.gpudoctor("probe", "probe", "--only", "pci", seconds=20)
    refused(lambda: _nothing_left(there), "gpudoctor probe left sleep 300")
    assert not children.living()  # and the kit has cleared it away


def test_a_fault_that_is_read_as_another(kit):
    there = kit(2, PRETEND_LIE="wrong words")
    fault = next(fault for fault in faults.faults(there) if fault.job == "memory")
    refused(
        lambda: faults.planted(there, fault),
        "symptom.cuda-oom was not read",
        "driver on your system is too old",
    )
    wrong = fault._replace(job="assertion", signs=("symptom.device-side-assert",), first=("rank-stopped",))
    refused(lambda: faults.planted(there, wrong), "read as label-index-out-of-range, not as rank-stopped")


def test_a_fault_that_does_not_strike(kit):
    there = kit(2)
    fault = faults.Fault("nothing", "touch", ("symptom.gpu-not-visible",))
    refused(lambda: faults.planted(there, fault), "the fault did not strike")


def test_an_xid_that_the_log_does_not_hold(kit):
    there = kit(2)
    fault = next(fault for fault in faults.faults(there) if fault.log)
    there.found.kernel_log = ""
    refused(lambda: faults.planted(there, fault), "xid.31 was not read from the kernel log; there is no Xid")


def test_dumps_that_nobody_wrote(kit):
    refused(lambda: bedside._watchdog(kit(1, PRETEND_LIE="no dump")), "no dump of the flight recorder")


def test_stacks_without_a_frame_of_cuda():
    place = {"doing": "device"}
    member = {"rank": 0, "of": 0, "problem": "", "place": place, "gpu": True, "moved": True}
    native = "rank 0, MainThread\n  clock_nanosleep (libc.so.6)\n"
    refused(lambda: bedside.stands({"members": [member]}, native, 1, {}), "no frame of CUDA or HIP")
    refused(
        lambda: bedside.stands({"members": [member]}, native, 2, {}), "ranks that were seen: [0], not [0, 1]"
    )
    native += "  cuStreamSynchronize (libcuda.so.1)\n"
    assert "1 frames" in bedside.stands({"members": [member]}, native, 1, {})
    place["doing"] = "own"
    refused(
        lambda: bedside.stands({"members": [member]}, native, 1, {}), "rank 0 waits for its GPU, and is seen"
    )


def test_a_setting_that_somebody_changes(kit, tmp_path):
    there = kit(2)
    before = machine.settings(there)
    assert _unchanged(there, before).startswith("as before: Disabled, Default")
    (tmp_path / "machine-2" / "changing").touch()
    machine.settings(there)
    refused(lambda: _unchanged(there, before), "after: ", "Prohibited")


def test_a_report_that_hides_a_failure(kit, tmp_path, monkeypatch):
    proof = Proof(Options(tmp_path), kit(2), Base("installed"), lambda line: None)
    proof.course.note("machine", "memory", FAILED, "gpudoctor says 1, nvidia-smi -q says 2")
    proof._end()
    assert [result.outcome for result in proof.course.results] == [FAILED]  # told, so nothing is added
    real = report.markdown
    monkeypatch.setattr(report, "markdown", lambda document: real(document).replace("**FAILED**", "passed"))
    proof._end()
    added = proof.course.results[-1]
    assert (added.group, added.outcome) == ("report", FAILED)
    assert "gpu-report.md has no line that machine: memory failed" in added.reason


# The course of things


def test_a_run_that_is_broken_off_leaves_its_report(pretend, tmp_path):
    environment = pretend(2)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom tests.gpu.base import Base\n"
        "from tests.gpu.run import Options, prove\n"
        f"options = Options(Path({str(tmp_path / 'out')!r}), sys.executable)\n"
        "tell = lambda line: print(line, flush=True)\n"
        f"sys.exit(prove(options, Base('installed'), dict(os.environ), tell, start={START!r}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as run:
        assert "machine: the knowledge base" in run.stdout.readline()
        time.sleep(0.3)
        run.send_signal(signal.SIGTERM)
        assert run.wait(20) == 130
    document = json.loads((tmp_path / "out" / report.JSON).read_text())
    assert not document["complete"] and document["ended"] == "broken off by SIGTERM"
    assert document["checks"][0]["name"] == "the knowledge base"
    assert "Not complete: broken off by SIGTERM." in (tmp_path / "out" / report.MARKDOWN).read_text()
    assert not children.living()


def test_a_course_keeps_its_budget_and_survives_its_checks():
    course = Course(10, lambda result: None)

    def skips():
        raise Skip("not here")

    def hangs():
        time.sleep(30)

    def breaks():
        raise KeyError("x")

    checks = [
        Check("good", 1, lambda: "well"),
        Check("not here", 1, skips),
        Check("long", 11, hangs),
        Check("hangs", -7.8, hangs),
        Check("breaks", 1, breaks),
    ]
    course.follow("group", checks)
    found = [(result.name, result.outcome, result.reason) for result in course.results]
    assert found[:2] == [("good", PASSED, "well"), ("not here", SKIPPED, "not here")]
    assert found[2][1:] == (SKIPPED, "10 s are left of the budget of 10 s, it may take 11")
    assert found[3][1] == FAILED and "did not end" in found[3][2]
    assert found[4][1:] == (FAILED, "the kit itself: KeyError: 'x'")


def test_where_there_is_no_gpu_nothing_is_proved(tmp_path, monkeypatch):
    if surroundings.no_gpu() == "":
        pytest.skip("this machine has GPUs")
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"]}
    status = prove(Options(tmp_path, "/bin/sh"), Base("installed"), environment, lambda line: None)
    document = json.loads((tmp_path / report.JSON).read_text())
    assert status in (NOTHING, FAILURES) and document["complete"]
    reasons = {check["group"]: check["reason"] for check in document["checks"]}
    assert "no interpreter with a torch that sees a GPU: /bin/sh" in reasons["faults"]


BARE = "import sys; sys.path.insert(0, sys.argv[1])\nfrom pathlib import Path\nfrom tests.gpu import base\n"


def test_what_is_missing_is_said(tmp_path):
    """An interpreter without any package, as on a machine to which only the repository was brought."""
    code = (
        BARE
        + "base.ARCHIVE = base.ROOT / 'dist' / 'none.pyz'\nbase.prepare(Path(sys.argv[2]), archive=base.ARCHIVE)"
    )
    said = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(ROOT), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    assert "lacks yaml, packaging, markdown_it" in said.stderr and "make gpu-carry" in said.stderr


def test_packages_may_come_from_an_archive(tmp_path):
    archive = tmp_path / "gpudoctor.pyz"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in base._NEEDED:
            packed.writestr(f"{name}/__init__.py", "")
    code = BARE + "print(base.prepare(Path(sys.argv[2]), archive=Path(sys.argv[3])).how)\n"
    code += "import gpudoctor.engine, yaml; print(gpudoctor.engine.__file__, yaml.__file__)"
    said = subprocess.run(
        [sys.executable, "-S", "-I", "-c", code, str(ROOT), str(tmp_path), str(archive)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "with the packages of gpudoctor.pyz" in said.stdout, said.stderr
    assert f"{tmp_path}/packages/yaml/__init__.py" in said.stdout


def test_an_installed_gpudoctor_is_taken(tmp_path):
    assert prepare(tmp_path) == Base("installed")
    assert issubclass(NoBase, Exception)
