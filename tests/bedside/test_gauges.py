"""GPUs that are used and compute nothing, as their power tells."""

import pytest

from gpudoctor.probes.bedside.gauges import Gauge, gauges, of_nvidia_smi, used_by
from gpudoctor.probes.bedside.look import Look
from gpudoctor.probes.bedside.standing import findings

from .test_hang import told
from .test_places import look, member

WORKS = [("matmul", "/w/model.py", 8)]


def test_what_nvidia_smi_prints():
    text = "GPU-a, 0, 100, 118.32, 700.00\nGPU-b, 1, 99, 640.10, 700.00\nGPU-c, 2, [N/A], 70.00, 700.00\n"
    idle, busy = of_nvidia_smi(text, ["GPU-a", "GPU-b", "GPU-c"])
    assert idle.spins and not idle.works and busy.works and not busy.spins
    assert idle.words == "GPU 0: 100 % used, 118 of 700 W"
    assert of_nvidia_smi(text, ["GPU-b"]) == (busy,), "another job's GPU says nothing"
    assert of_nvidia_smi("No devices were found", ["GPU-a"]) == ()


def test_only_gpus_count_on_which_the_job_runs_and_nobody_else():
    text = "GPU-a, 100\nGPU-b, 101\nGPU-b, 900\nGPU-c, 900\nGPU-d, [N/A]\n"
    assert used_by(text, [100]) == {"GPU-a"}
    assert used_by(text, [100, 101]) == frozenset(), "GPU-b is shared"
    assert used_by("", [100]) == used_by(text, [1, 2]) == frozenset(), "in a container of its own numbers"


@pytest.fixture
def two_amd_gpus(tmp_path):
    """sysfs of two GPUs, 11 and 22 to the compute side of the driver; process 100 has queues on the first."""
    for card, (gpu, watts) in enumerate([("11", 140), ("22", 600)]):
        device = tmp_path / "devices" / f"0000:0{card}:00.0"
        sensor = device / "hwmon" / "hwmon3"
        sensor.mkdir(parents=True)
        (device / "gpu_busy_percent").write_text("100\n")
        (sensor / "power1_average").write_text(f"{watts}000000\n")
        (sensor / "power1_cap").write_text("750000000\n")
        for name in (f"card{card}", f"renderD{128 + card}"):
            link = tmp_path / "drm" / name / "device"
            link.parent.mkdir(parents=True)
            link.symlink_to(device)
        node = tmp_path / "kfd" / "kfd" / "topology" / "nodes" / str(card + 1)
        node.mkdir(parents=True)
        (node / "gpu_id").write_text(f"{gpu}\n")
        (node / "properties").write_text(f"simd_count 1216\ndrm_render_minor {128 + card}\ngfx 90402\n")
    queue(tmp_path, 100, 0, "11")
    return tmp_path


def queue(sysfs, pid, number, gpu):
    folder = sysfs / "kfd" / "kfd" / "proc" / str(pid) / "queues" / str(number)
    folder.mkdir(parents=True)
    (folder / "gpuid").write_text(f"{gpu}\n")


def test_what_the_files_of_amdgpu_say(two_amd_gpus):
    assert gauges([100, 101], str(two_amd_gpus)) == (Gauge("0", 100, 140, 750),)
    assert gauges([101], str(two_amd_gpus)) == (), "another job's"
    queue(two_amd_gpus, 101, 0, "22")
    assert [gauge.gpu for gauge in gauges([100, 101], str(two_amd_gpus))] == ["0", "1"]
    queue(two_amd_gpus, 900, 0, "22")
    assert gauges([100, 101], str(two_amd_gpus)) == (), "the second is shared"
    assert gauges([100], str(two_amd_gpus)) == (Gauge("0", 100, 140, 750),)


def test_a_gpu_of_amd_without_its_device_or_its_power_tells_nothing(two_amd_gpus):
    (two_amd_gpus / "devices/0000:00:00.0/hwmon/hwmon3/power1_cap").unlink()
    assert gauges([100], str(two_amd_gpus)) == ()
    (two_amd_gpus / "kfd/kfd/topology/nodes/1/properties").write_text("simd_count 1216\n")
    assert gauges([100], str(two_amd_gpus)) == ()


def _spinning(*measured):
    one = look(*(member(n, WORKS)._replace(gpu=True) for n in (0, 1)))
    return one._replace(gauges=measured)


def test_a_gpu_that_computes_keeps_the_alarm_away_and_an_idle_one_brings_it_sooner():
    assert not told(*[_spinning(Gauge("0", 100, 600, 700))] * 60)
    assert told(*[_spinning(Gauge("0", 100, 110, 700))] * 30) == [120.0]
    assert told(*[_spinning()] * 30) == [240.0], "nothing tells"


def test_it_becomes_a_fact():
    said = {f.fact: f.text for f in findings(_spinning(Gauge("0", 100, 110, 700)), "stacks")}
    assert said["symptom.gpu-util-100-idle"] == "GPU 0: 100 % used, 110 of 700 W"
    assert isinstance(_spinning(), Look)
