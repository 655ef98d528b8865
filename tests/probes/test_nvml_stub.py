"""The real nvidia-ml-py on a library made for the test: real loader, real ctypes, real hangs."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from gpudoctor.engine.facts.statements import CannotTell, Fact
from gpudoctor.probes.live import examine
from gpudoctor.probes.machine import nvml

SOURCE = Path(__file__).with_name("nvmlstub.c")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The folder of a ``libnvidia-ml.so.1``."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("nvml")
    command = [compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", folder / "libnvidia-ml.so.1", SOURCE]
    subprocess.run(command, check=True)
    return folder


@pytest.fixture
def ask(library, knowledge, monkeypatch):
    """The facts and gaps of a round with NVML alone, and how long it took."""

    def call(mode, timeout=10.0):
        monkeypatch.setenv("LD_LIBRARY_PATH", str(library))
        monkeypatch.setenv("NVML_STUB", mode)
        began = time.monotonic()
        found = examine(knowledge, only=["nvml"], timeout=timeout)
        facts = {s.name: s.value for s in found.statements if isinstance(s, Fact)}
        gaps = {s.name: s.reason for s in found.statements if isinstance(s, CannotTell)}
        texts = {s.name: s.origin.text for s in found.statements}
        return facts, gaps, texts, time.monotonic() - began

    return call


def test_a_healthy_driver(ask):
    facts, gaps, _, _ = ask("ok")
    assert facts == {
        "gpu.vendor": "nvidia",
        "gpu.count": 2,
        "gpu.model": "NVIDIA GeForce RTX 4090",
        "gpu.arch": "sm_89",
        "gpu.arch_mixed": False,
        "gpu.compute_mode": "default",
        "gpu.display_attached": True,
        "driver.version": "550.54.15",
        "cuda.driver_max": "12.4",
        "topology.link": "phb",
        "p2p.driver_reports": False,
    }
    assert gaps == {}


@pytest.mark.parametrize(
    ("mode", "fact", "value"),
    [
        ("ecc", "gpu.ecc_uncorrected", 7),
        ("p2p", "p2p.driver_reports", True),
        ("exclusive", "gpu.compute_mode", "exclusive_process"),
        ("nvlink_down", "gpu.nvlink_inactive", True),
        ("nvlink_down", "topology.link", "nvlink"),
    ],
)
def test_what_a_driver_may_say(ask, mode, fact, value):
    assert ask(mode)[0][fact] == value


def test_a_hang_at_init_ends_in_time_and_names_the_call(ask):
    facts, _, texts, seconds = ask("hang_init", timeout=1.3)
    assert seconds < 2.5
    assert facts["probe.hung"] == "NVML"
    assert texts["probe.hung"].startswith("NVML: nvmlInit: state S")
    assert "driver.version" not in facts


def test_a_hang_at_one_gpu_keeps_what_came_before(ask):
    facts, _, texts, seconds = ask("hang_gpu1", timeout=1.5)
    assert seconds < 2.7
    assert facts["driver.version"] == "550.54.15"
    assert facts["gpu.count"] == 2
    assert facts["gpu.model"] == "NVIDIA GeForce RTX 4090"
    assert texts["probe.hung"].startswith("NVML: nvmlDeviceGetName of GPU 1: state S")


def test_a_lost_gpu_does_not_hide_the_other(ask):
    facts, _, _, _ = ask("lost_gpu1")
    assert facts["gpu.model"] == "NVIDIA GeForce RTX 4090"
    assert facts["driver.version"] == "550.54.15"


def test_a_lost_gpu_is_named():
    line = '{"error": 15, "name": "GpuIsLost", "call": "nvmlDeviceGetHandleByIndex", "gpu": 1, "text": "GPU is lost"}'
    (found,) = nvml.findings(line)
    assert (found.fact, found.value) == ("symptom.gpu-is-lost", True)
    assert found.text == "nvmlDeviceGetHandleByIndex of GPU 1: GPU is lost"


def test_a_library_of_another_version(ask):
    facts, gaps, _, _ = ask("mismatch")
    assert facts["symptom.nvml-driver-library-mismatch"] is True
    assert "mismatch" in gaps["driver.version"]


def test_an_unknown_error(ask):
    assert ask("unknown")[0]["symptom.nvml-unknown-error"] is True


def test_no_permission_is_a_gap_with_its_reason(ask):
    facts, gaps, _, _ = ask("noperm")
    assert facts == {"symptom.nvml-insufficient-permissions": True}
    assert gaps["driver.version"] == "nvmlInit: Insufficient Permissions"


def test_no_library_is_a_gap_with_its_reason(knowledge, monkeypatch):
    if any(
        Path(folder, "libnvidia-ml.so.1").exists() for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")
    ):
        pytest.skip("this machine has the library")
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    found = examine(knowledge, only=["nvml"])
    assert [s.reason for s in found.statements] == ["absent: no libnvidia-ml.so.1 here"]


def test_no_process_is_left(ask):
    ask("hang_init", timeout=1.0)
    names = [
        Path("/proc", pid, "cmdline").read_bytes()
        for pid in os.listdir("/proc")
        if pid.isdigit() and _mine(pid)
    ]
    assert not any(b"nvmlchild" in name for name in names)


def _mine(pid):
    try:
        return (
            b"NVML_STUB=hang_init" in Path("/proc", pid, "environ").read_bytes() and int(pid) != os.getpid()
        )
    except OSError:
        return False


def test_half_a_line_is_no_line():
    whole = '{"call": "nvmlInit"}\n{"init": true}\n{"driver": "550.54.15"}\n'
    assert [f.value for f in nvml.findings(whole + '{"driver": "99')] == ["550.54.15"]
    assert nvml.last_call("") == ""
    assert nvml.last_call(whole + '{"call": "nvmlDeviceGetName", "gpu": 3}\n') == "nvmlDeviceGetName of GPU 3"
    assert list(nvml.findings("[]\nnull\n3\nno json\n")) == []


def test_a_driver_that_counts_gpus_knows_better_than_a_hidden_bus(library, knowledge, monkeypatch, tmp_path):
    """Sandboxes and some containers show no PCI device; then nothing may say that there is no GPU."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(library))
    monkeypatch.setenv("NVML_STUB", "ok")
    found = examine(knowledge, only=["pci", "nvml"])
    said = {(s.name, s.value) for s in found.statements if isinstance(s, Fact)}
    if any(name == "gpu.model" and "4090" not in str(value) for name, value in said):
        pytest.skip("this machine has GPUs on its bus")
    assert {("gpu.count", 2), ("gpu.vendor", "nvidia")} <= said
    assert ("gpu.count", 0) not in said and ("gpu.vendor", "none") not in said
