"""The diagnostics of NCCL in the form that its documentation shows."""

from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.probes.parsers import nccl_diag

from .recognized import read_report

REPORT = """\
node042:12345 NCCL DIAG === RAS Diagnostics ===
node042:12345 NCCL DIAG [OK]   GPU inventory: 8x NVIDIA H100 per node consistent across 8 ranks in comm 0x1234
node042:12345 NCCL DIAG [OK]   CUDA driver version: 13000 consistent across 8 ranks in comm 0x1234
node042:12345 NCCL DIAG [OK]   ECC: no uncorrected volatile errors across 8 ranks in comm 0x1234
node042:12345 NCCL DIAG [OK]   Xid/SXid: no events requiring immediate attention across 2 hosts
node042:12345 NCCL DIAG [OK]   NVLink: 18 links per GPU, all active at consistent speed across 8 ranks in comm 0x1234
node042:12345 NCCL DIAG [INFO] NCCL environment: mismatch across 8 ranks in comm 0x1234 for NCCL_ALGO
node042:12345 NCCL DIAG [INFO] NCCL environment: NCCL_ALGO=Ring on rank(s) {0,1,2,3}
node042:12345 NCCL DIAG [INFO] NCCL environment: NCCL_ALGO=Tree on rank(s) {4,5,6,7}
node042:12345 NCCL DIAG [INFO] NCCL environment: 1 NCCL_* env var(s) differ across ranks in comm 0x1234
node042:12345 NCCL DIAG [OK]   NVIDIA graphics driver version: 610.47.03 consistent across 8 ranks in comm 0x1234
node042:12345 NCCL DIAG RAS diagnostics completed in 12.3 ms across 8 RAS peers
"""


def facts(text):
    return {fact.name: fact.value for fact in read_report(text) if not fact.name.startswith("log.")}


def test_what_all_ranks_have_in_common():
    found = facts(REPORT)
    assert found["gpu.model"] == "NVIDIA H100"
    assert found["gpu.count"] == 8
    assert found["gpu.vendor"] == "nvidia"
    assert found["cuda.driver_max"] == "13.0"
    assert found["driver.version"] == "610.47.03"
    assert found["symptom.nvlink-inactive"] is False


def test_a_variable_that_differs():
    found = facts(REPORT)
    assert found["skew.env.NCCL_ALGO"] is True
    assert not any(name.startswith("xid.") or name == "symptom.xid-error" for name in found)


def test_versions_of_cuda_have_three_forms():
    line = "n:1 NCCL DIAG [OK]   CUDA driver version: {} consistent across 8 ranks in comm 0x1"
    for number, version in (("12040", "12.4"), ("13010", "13.1"), ("11080", "11.8")):
        assert facts(line.format(number))["cuda.driver_max"] == version


def test_the_check_of_peers():
    assert (
        facts("NCCL DIAG [OK]   p2p: verified P2P access in both directions between every GPU pair")[
            "p2p.copy"
        ]
        == "ok"
    )
    partial = facts("NCCL DIAG [INFO] p2p: only 52/56 GPU-to-GPU peer accesses passed verification")
    assert partial["symptom.nccl-diag-p2p-failed"] is True
    assert "p2p.copy" not in partial


@given(st.text(max_size=120))
def test_any_line_is_read_without_an_error(tail):
    list(nccl_diag.parse(["n:1 NCCL DIAG [OK]   " + tail], 0))
