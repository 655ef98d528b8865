"""Remedies that touch a node: each rule of the linter by a remedy that breaks it, and by one that does not."""

import pytest

from gpudoctor.engine.knowledge.lint.nodes import check
from gpudoctor.engine.knowledge.lint.shell import changes, danger_of, is_workload, looks_only, pieces
from gpudoctor.engine.model import Remedy, Step

WORKLOAD = "gpudoctor collective"


def remedy(*steps, undo=(), verify=(WORKLOAD,), danger="", variant="", path="remedies/driver/r.md", **rest):
    def as_steps(blocks):
        return tuple(Step("Do it.", (block,)) for block in blocks)

    return Remedy(
        "r",
        "R",
        "fix",
        "none",
        danger=danger,
        steps={variant: as_steps(steps), **rest.pop("more", {})},
        undo=as_steps(undo),
        verify=as_steps(verify),
        path=path,
        **rest,
    )


DANGER = {"danger": "Jobs end."}
BROKEN = [
    # what is stopped, drained, held, enabled ... is taken back
    (
        remedy("sudo systemctl stop nvidia-dcgm nvidia-persistenced"),
        "nvidia-dcgm is stopped and never started",
    ),
    (remedy("kubectl drain NODE --ignore-daemonsets"), "kubectl uncordon is missing"),
    (remedy("kubectl cordon NODE"), "kubectl uncordon is missing"),
    (remedy("sudo scontrol update NodeName=N State=DRAIN Reason=gpu"), "State=RESUME is missing"),
    (remedy("sudo apt-mark hold nvidia-driver-580"), "apt-mark unhold is missing"),
    (remedy("sudo dnf versionlock add 'nvidia*'"), "versionlock delete is missing"),
    (remedy("sudo zypper addlock 'nvidia*'"), "zypper removelock is missing"),
    (remedy("sudo systemctl enable --now opensm"), "systemctl disable is missing"),
    (remedy("sudo systemctl mask nvidia-persistenced"), "systemctl unmask is missing"),
    (remedy("sudo sysctl -w vm.max_map_count=1"), "sysctl with the old value is missing"),
    (remedy("sudo setpci -s 40:01.1 ECAP_ACS+0x6.w=0000", **DANGER), "setpci with the old word"),
    (remedy("sudo ufw allow from 10.0.0.0/8"), "ufw delete is missing"),
    (remedy("sudo firewall-cmd --permanent --add-source=10.0.0.0/8"), "--remove-... is missing"),
    (remedy("sudo apt-get install opensm"), "the package manager with remove"),
    (remedy("sudo nvidia-smi -c DEFAULT"), "nvidia-smi with the old value is missing"),
    (
        remedy("sudo apt-mark hold x", undo=["apt-mark showhold | grep nvidia"]),
        "apt-mark unhold is missing",
    ),
    (remedy("sudo usermod -aG render me", undo=["cat /etc/group"]), "its undo only looks: cat"),
    (
        remedy("sudo modprobe nvidia_peermem", undo=["lsmod | grep peermem"]),
        "its undo only looks: lsmod",
    ),
    # dangers
    (remedy("sudo reboot"), 'a reboot needs a "danger"'),
    (remedy("sudo systemctl reboot"), 'a reboot needs a "danger"'),
    (remedy("scontrol reboot ASAP NODE"), 'a reboot needs a "danger"'),
    (remedy("sudo apt-get update\nsudo reboot", **DANGER), "a reboot must stand in a block of its own"),
    (remedy("sudo rmmod nvidia_uvm"), 'the removal of a module needs a "danger"'),
    (remedy("sudo modprobe -r nvidia_uvm"), 'the removal of a module needs a "danger"'),
    (remedy("sudo ipmitool chassis power cycle"), 'a power cycle needs a "danger"'),
    (
        remedy("sudo journalctl -k > log; sudo ipmitool chassis power cycle", **DANGER),
        "a power cycle must stand in a block of its own",
    ),
    (remedy("sudo nvidia-smi --gpu-reset"), 'a reset of a GPU or card needs a "danger"'),
    (
        remedy("sudo mlxconfig -d 01:00.0 set ADVANCED_PCI_SETTINGS=1"),
        'a change of firmware needs a "danger"',
    ),
    (remedy("sudo flint -d 01:00.0 -i fw.bin burn"), 'a change of firmware needs a "danger"'),
    (remedy("true", undo=["sudo reboot"]), 'a reboot needs a "danger"'),
    # files of others
    (remedy("printf 'services: {}' > compose.override.yaml"), "it writes compose.override.yaml"),
    (remedy("echo x > compose.yaml"), "it overwrites compose.yaml without a copy"),
    (
        remedy("echo 'options nvidia A=1' | sudo tee /etc/modprobe.d/nvidia.conf"),
        "it overwrites /etc/modprobe.d/nvidia.conf without a copy",
    ),
    (
        remedy("echo 'options nvidia A=1' | sudo tee /etc/modprobe.d/gpudoctor-a.conf"),
        "Undo does not name /etc/modprobe.d/gpudoctor-a.conf",
    ),
    (remedy("sudo sed -i 's/a/b/' /etc/nccl.conf"), "it edits /etc/nccl.conf without a copy"),
    (
        remedy("sudo cp /etc/nccl.conf /tmp/x\nsudo sed -i 's/a/b/' /etc/nccl.conf"),
        "it edits /etc/nccl.conf without a copy",
    ),
    # distributions
    (
        remedy("sudo apt-get install fm=$VERSION-1", undo=["sudo apt-get remove fm"]),
        "the distribution writes",
    ),
    (remedy("sudo apt install fm=580.126.20-1", undo=["sudo apt remove fm"]), "the distribution writes"),
    (remedy("sudo update-grub"), "RHEL (grubby), SLES (grub2-mkconfig) missing"),
    (remedy("sudo grubby --update-kernel=ALL --args=iommu=pt"), "Debian and Ubuntu (update-grub)"),
    (remedy("sudo update-initramfs -u"), "dracut is missing"),
    # what shows that it has worked
    (remedy("sudo modprobe nvidia", verify=["nvidia-smi"]), "Verify runs no workload"),
    (remedy("sudo usermod -aG render me", verify=["rocminfo | grep gfx", "id"]), "Verify runs no workload"),
    # containers
    (
        remedy("docker run --shm-size=16g IMAGE", variant="docker", path="remedies/shm/r.md"),
        "no steps for apptainer and pyxis",
    ),
]


@pytest.mark.parametrize(("broken", "message"), BROKEN)
def test_what_is_refused(broken, message):
    found = list(check(broken))
    assert any(message in line for line in found), found
    assert all(line.startswith("remedies/") for line in found)


SOUND = [
    remedy("sudo systemctl stop nvidia-dcgm.service", "sudo systemctl start nvidia-dcgm"),
    remedy("kubectl drain NODE", undo=["kubectl uncordon NODE"]),
    remedy("sudo apt-mark hold x", undo=["sudo apt-mark unhold x"]),
    remedy(
        "sudo scontrol update nodename=N state=drain", undo=["sudo scontrol update nodename=N state=resume"]
    ),
    remedy("sudo rmmod nvidia_uvm", "sudo modprobe nvidia_uvm", **DANGER),
    remedy("for m in nvidia_uvm nvidia; do\n  lsmod | grep -q $m && sudo rmmod $m\ndone", **DANGER),
    remedy("BRIDGE=40:01.1\nsudo setpci -s $BRIDGE ECAP_ACS+0x6.w=0", undo=["sudo reboot"], **DANGER),
    remedy("echo 'run sudo reboot later'"),
    remedy(
        "sudo cp -n /etc/nccl.conf /etc/nccl.conf.before-gpudoctor\nsudo sed -i 's/a/b/' /etc/nccl.conf",
        undo=["sudo cp /etc/nccl.conf.before-gpudoctor /etc/nccl.conf"],
    ),
    remedy(
        "echo a | sudo tee /etc/modprobe.d/gpudoctor-a.conf",
        undo=["sudo rm /etc/modprobe.d/gpudoctor-a.conf"],
    ),
    remedy("cat > gpudoctor.compose.yaml <<'END'\nservices: {}\nEND\ndocker compose up"),
    remedy("echo 0 | sudo tee /sys/bus/x", "nvidia-smi > out.txt", "lspci 2>/dev/null"),
    remedy("sudo apt-get install fm=FULL_VERSION", undo=["sudo apt-get remove fm"]),
    remedy("sudo systemctl restart NAME", variant="systemd", verify=["env"]),
    remedy("docker run --gpus all --ipc=host -e A=1 IMAGE", variant="docker", sets=(("A", "1"),)),
    remedy("docker exec NAME sh -c 'apt-get install -y libibverbs1'"),
    remedy("dpkg -l 'x*'; sudo lspci -vvv; sudo nvidia-smi -q", verify=["nvidia-smi"]),
]


@pytest.mark.parametrize("sound", SOUND)
def test_what_is_taken(sound):
    assert list(check(sound)) == []


def test_boot_parameters_for_three_families():
    done = remedy(
        "sudo update-grub",
        "sudo grubby --update-kernel=ALL --args=iommu=pt",
        undo=["sudo grubby --update-kernel=ALL --remove-args=iommu=pt"],
        more={"bare": (Step("On SLES:", ("sudo grub2-mkconfig -o /boot/grub2/grub.cfg",)),)},
    )
    assert list(check(done)) == []


def test_a_block_is_taken_apart():
    block = "# stop it\nA=1\nexport C=$(nproc)\nsudo x --y && w | v; u\ncat > f <<'END'\nrm -r /\nEND"
    assert list(pieces(block)) == ["sudo x --y", "w", "v", "u", "cat > f"]


def test_what_commands_do():
    assert changes("sudo chmod 1777 /dev/shm") and not changes("sudo dmesg") and not changes("nvidia-smi -L")
    assert (
        danger_of("sudo kexec -e")
        and not danger_of("sudo grub-reboot 'x'")
        and not danger_of("grep reboot f")
    )
    assert (
        looks_only("nvidia-smi -q")
        and not looks_only("sudo nvidia-smi -rgc")
        and not looks_only("cat a > /etc/b")
    )
    assert (
        is_workload("torchrun x.py")
        and is_workload("curl http://h:8000/v1/models")
        and not is_workload("nvidia-smi")
    )
