"""Output of other tools in its real shape: JSON of DCGM and AMD's tools, compressed reports, folders, Kubernetes."""

from __future__ import annotations

import gzip
import json

import pytest

from gpudoctor.engine import Session
from gpudoctor.probes.files import report_files
from gpudoctor.probes.report import Reader

# dcgmi diag -j of DCGM 3: the shape is that of JsonOutput.h of DCGM (test_categories, tests, results with gpu_ids).
DCGM_3 = {
    "DCGM GPU Diagnostic": {
        "version": "3.3.5",
        "driver_version": "535.161.08",
        "test_categories": [
            {
                "category": "Deployment",
                "tests": [{"name": "Denylist", "results": [{"gpu_ids": "0,1,2,3", "status": "PASS"}]}, None],
            },
            {
                "category": "Hardware",
                "tests": [
                    {
                        "name": "GPU Memory",
                        "results": [
                            {"gpu_ids": "0", "status": "PASS"},
                            {
                                "gpu_ids": "3",
                                "status": "FAIL",
                                "warnings": ["Xid 79: GPU has fallen off the bus."],
                            },
                        ],
                    }
                ],
            },
        ],
    }
}
# DCGM 4: entities, and warnings as records (test_diag of DCGM's own tests: error_id, error_category, warning).
DCGM_4 = {
    "DCGM Diagnostic": {
        "test_categories": [
            {
                "category": "Stress",
                "tests": [
                    {
                        "name": "targeted_stress",
                        "results": [
                            {
                                "entity_group": "GPU",
                                "entity_id": 2,
                                "status": "Fail",
                                "warnings": [{"error_id": 4, "warning": "Error using CUDA API cudaMalloc"}],
                            }
                        ],
                        "test_summary": {"status": "Fail"},
                    }
                ],
            }
        ]
    },
    "metadata": {"version": "4.2.3", "Driver Version Detected": "580.82.09"},
}
# amd-smi static --asic --json of ROCm 7 (gpu_data) and before (a list).
ASIC = {"market_name": "AMD Instinct MI300X", "vendor_id": "0x1002", "target_graphics_version": "gfx942"}
AMD_7 = {"gpu_data": [{"gpu": n, "asic": ASIC} for n in range(8)]}
AMD_6 = [{"gpu": n, "asic": ASIC} for n in range(8)]
AMD_ECC = [
    {"gpu": n, "ecc": {"total_correctable_count": 0, "total_uncorrectable_count": 3 * (n == 5)}}
    for n in range(8)
]
# rocm-smi --showproductname --showdriverversion --json.
ROCM = {f"card{n}": {"Card Series": "AMD Instinct MI300X", "GFX Version": "gfx942"} for n in range(8)}
ROCM["system"] = {"Driver version": "6.10.5"}

AMD_FACTS = {
    "gpu.vendor": "amd",
    "gpu.count": 8,
    "gpu.model": "AMD Instinct MI300X",
    "gpu.arch": "gfx942",
}


@pytest.fixture
def read(knowledge):
    """The document that a text, or a path, leads to, with its facts by name."""

    def call(given):
        session = Session(knowledge)
        reader = Reader(knowledge)
        texts = report_files(given) if hasattr(given, "exists") else [("a.json", [given.encode()])]
        found = reader.read_all(texts)
        for fact in found:
            session.add(fact)
        document = session.diagnosis().to_dict()
        document["known"] = {fact["name"]: fact["value"] for fact in document["facts"]}
        session.close()
        return document

    return call


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("document", [AMD_7, AMD_6, ROCM])
def test_amd_tools_in_json(read, document, indent):
    known = read(json.dumps(document, indent=indent))["known"]
    assert {name: known.get(name) for name in AMD_FACTS} == AMD_FACTS


def test_uncorrected_errors_of_amd_smi(read):
    assert read(json.dumps(AMD_ECC))["known"]["gpu.ecc_uncorrected"] == 3


@pytest.mark.parametrize("before", ["", "WARNING: nv-hostengine is slow\n"])
def test_a_diagnostic_of_dcgm_3(read, before):
    document = read(before + json.dumps(DCGM_3, indent=1))
    assert document["known"]["dcgm.version"] == "3.3.5"
    assert document["known"]["driver.version"] == "535.161.08"
    assert document["incidents"][0]["id"] == "gpu-fell-off-bus"
    places = [origin["text"] for r in document["incidents"][0]["because"] for origin in r["from"]]
    assert any("GPU Memory on GPU 3" in text for text in places)


def test_a_diagnostic_of_dcgm_4_that_failed_is_no_health(read):
    document = read(json.dumps(DCGM_4))
    assert document["known"]["dcgm.version"] == "4.2.3"
    assert document["verdict"] != "no known incident"
    assert "targeted_stress on GPU 2" in json.dumps(document)


def test_a_diagnostic_that_passed_says_nothing_against_the_machine(read):
    passed = json.loads(json.dumps(DCGM_4).replace('"Fail"', '"Pass"'))
    document = read(json.dumps(passed))
    assert document["unexplained"] == []
    assert document["incidents"] == []


@pytest.mark.parametrize(
    "text",
    [
        '{"DCGM Diagnostic": 3}',
        '{"DCGM Diagnostic": {"test_categories": [{"tests": [{"results": [1, null, "x"]}]}]}}',
        '{"card0": {"Card Series": ["x"], "GFX Version": 7}}',
        '[{"gpu": 0, "ecc": {"total_uncorrectable_count": "many"}}]',
        '{"gpu_data": ' + "[" * 5000,
        '{"asic": ',
    ],
)
def test_documents_of_another_shape_do_no_harm(read, text):
    assert read(text)["known"].get("gpu.count") is None or "card0" in text


def test_a_compressed_bug_report(read, tmp_path):
    """nvidia-bug-report.log.gz: sections between lines of underscores, each with the command that gave it."""
    text = (
        "____________________________________________\n\nStart of NVIDIA bug report log file.\n\n"
        "nvidia-bug-report.sh Version: 37022454\n\n"
        "____________________________________________\n\n/var/log/kern.log:\n\n"
        "Nov 12 10:01:02 node7 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, "
        "GPU has fallen off the bus.\n"
        "____________________________________________\n"
    )
    path = tmp_path / "nvidia-bug-report.log.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read(path)["incidents"][0]["id"] == "gpu-fell-off-bus"


def test_a_folder_of_sos_report(read, tmp_path):
    """sos: sos_commands/<plugin>/<command with underscores>, beside files of the machine under their own paths."""
    folder = tmp_path / "sosreport-node7-2026-11-12"
    (folder / "sos_commands" / "kernel").mkdir(parents=True)
    (folder / "sos_commands" / "kernel" / "dmesg").write_text(
        "[ 812.3] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus.\n"
    )
    (folder / "proc").mkdir()
    (folder / "proc" / "cmdline").write_text("BOOT_IMAGE=/vmlinuz root=/dev/sda1 iommu=pt\n")
    document = read(folder)
    assert document["incidents"][0]["id"] == "gpu-fell-off-bus"
    assert "sos_commands/kernel/dmesg:1" in json.dumps(document["incidents"][0]["because"])


def test_a_session_folder_of_ray(read, tmp_path):
    """Ray's /tmp/ray/session_latest/logs: worker-<id>-<job>-<pid>.out and .err, raylet.out, gcs_server.out."""
    logs = tmp_path / "session_latest" / "logs"
    logs.mkdir(parents=True)
    (logs / "raylet.out").write_text(
        "[2026-11-12 10:01:02,241 I 11 11] (raylet) main.cc:180: Setting cluster ID\n"
    )
    (logs / "worker-0a1b-01000000-4711.err").write_text(
        "RuntimeError: NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000\n"
    )
    document = read(tmp_path / "session_latest")
    assert document["known"].get("symptom.duplicate-gpu") is True


def test_a_pod_as_kubectl_describes_it(read):
    """kubectl describe pod: last state, resources and events."""
    document = read(
        "Name:             vllm-0\nNamespace:        default\nNode:             gpu-1/10.0.0.5\nContainers:\n"
        "  vllm:\n    Image:          vllm/vllm-openai:v0.8.4\n    Last State:     Terminated\n"
        "      Reason:       OOMKilled\n      Exit Code:    137\n    Limits:\n      nvidia.com/gpu:  8\n"
        "    Environment:\n      NCCL_DEBUG:  INFO\nEvents:\n"
        "  Warning  FailedScheduling  2m  default-scheduler  0/4 nodes are available: 4 Insufficient nvidia.com/gpu.\n"
    )
    known = document["known"]
    assert known["runtime"] == "kubernetes"
    assert known["env.NCCL_DEBUG"] == "INFO"
    assert known["symptom.killed-by-oom"] is True
    assert "node.count" not in known  # four nodes of the cluster, not of the job


def test_an_event_of_node_problem_detector(read):
    """Node conditions and events carry the kernel's line as their message."""
    document = read(
        "  Warning  XIDError  3m  kernel-monitor  Node condition GPUProblem is now: True, reason: XIDError, message: "
        '"NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus."\n'
    )
    assert document["incidents"][0]["id"] == "gpu-fell-off-bus"
