"""Each lie that the kit could be told is found, and for its own reason."""

from __future__ import annotations

import json

import pytest

from . import bedside, children, collective, faults, machine, report
from .base import Base
from .checks import FAILED, Fail, Skip
from .run import Options, Proof, _nothing_left, _unchanged


def refused(work, *words):
    """That a check fails, and that its reason has these words."""
    with pytest.raises(Fail) as failure:
        work()
    for word in words:
        assert word in str(failure.value)


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


def test_a_variant_that_is_not_obeyed(kit):
    kept = collective.Test(kit(2, PRETEND_LIE="deaf")).run("matrix", 60, "--matrix")[1]
    refused(lambda: collective.variant(kept, "p2p_off"), "log still shows P2P/CUMEM", "gpudoctor says so")
    assert collective.variant(kept, "proto_simple").startswith("pass")
    for run in kept["runs"]:
        run.update(note="", outcome="pass")
    refused(lambda: collective.variant(kept, "p2p_off"), "P2P/CUMEM", "gpudoctor has not seen it")


def test_collectives_that_prove_nothing_or_corrupt(kit):
    kept = collective.Test(kit(2, PRETEND_LIE="wrong")).run("wrong", 30)[1]
    refused(lambda: collective.data(kept), "all_reduce gave wrong data: 1 of 1024 elements")
    assert collective.copies(kept, "default") == "exact on 2 GPUs"
    events = kept["runs"][0]["ranks"][1]["events"]
    next(event for event in events if event.get("op") == "copy" and event["stage"] == "check")["ok"] = False
    refused(lambda: collective.copies(kept, "default"), "rank 1: what came back from its GPU is not what was")
    for rank in kept["runs"][0]["ranks"]:
        rank["events"] = [event for event in rank["events"] if event["stage"] != "check"]
    refused(lambda: collective.data(kept), "a pass that proves nothing")
    refused(lambda: collective.copies(kept, "default"), "rank 0 has compared no copy")


def test_ranks_that_share_a_gpu_and_are_taken_for_a_result(kit):
    there = kit(1, PRETEND_LIE="shares")
    refused(lambda: collective._refused(collective.Test(there)), "symptom.duplicate-gpu was not read")
    for check in list(collective.checks(there))[3:]:
        with pytest.raises(Skip, match="needs two GPUs"):
            check.work()


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
    wrong = fault._replace(signs=("symptom.device-side-assert",), first=("rank-stopped",), named="")
    said = diagnosis("label-index-out-of-range", "symptom.device-side-assert")
    refused(lambda: faults.read(there, wrong, said), "read as label-index-out-of-range, not as rank-stopped")
    assert "label-index" in faults.read(there, wrong._replace(first=("label-index-out-of-range",)), said)


def diagnosis(incident, *signs):
    """What gpudoctor says where it names one incident for these facts."""
    facts = [{"name": sign, "value": True} for sign in signs]
    document = {"facts": facts, "incidents": [{"id": incident}]}
    return children.End(("gpudoctor",), 1, json.dumps(document), "", 1.0)


def test_a_fault_that_does_not_strike(kit):
    there = kit(2)
    fault = faults.Fault("nothing", "touch", ("symptom.gpu-not-visible",))
    refused(lambda: faults.planted(there, fault), "the fault did not strike")


def test_an_xid_that_the_log_does_not_hold(kit):
    there = kit(2)
    fault = next(fault for fault in faults.faults(there) if fault.log)
    there.found.kernel_log = ""
    said = diagnosis("mmu-fault-application", *fault.signs)
    refused(
        lambda: faults.read(there, fault, said), "xid.31 was not read from the kernel log; there is no Xid"
    )
    said = diagnosis("mmu-fault-application", *fault.signs, "xid.31")
    assert "xid.31 by the kernel log" in faults.read(there, fault, said)


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
