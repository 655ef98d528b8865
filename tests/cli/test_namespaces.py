"""Network namespaces as hosts: what differs between them comes from real probes."""

import json
import shutil
import subprocess
import sys

import pytest

from gpudoctor.cli.main import main

HOST = """
set -e
hostname {name}
mount -t sysfs none /sys
ip link set lo up
ip link add {interface} type {kind}
ip addr add 10.9.0.{number}/24 dev {interface}
ip link set {interface} mtu {mtu} up
ip route add default via 10.9.0.254 dev {interface}
"""


def in_namespaces(script):
    command = ["unshare", "--net", "--uts", "--mount", "sh", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def kind_of_interface():
    """A kind of interface that this machine can make in a namespace, or why it cannot."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return "", "unshare and ip are not installed"
    for kind in ("dummy", "veth"):
        tried = in_namespaces(HOST.format(name="a", interface="x0", kind=kind, number=1, mtu=1500))
        if tried.returncode == 0:
            return kind, ""
    return "", f"namespaces are not allowed here: {tried.stderr.strip()[-100:]}"


@pytest.fixture(scope="module")
def kind():
    found, why = kind_of_interface()
    if why:
        pytest.skip(why)
    return found


def test_interface_mtu_and_host_names_of_namespaces(kind, tmp_path, capsys):
    folder = tmp_path / "nodes"
    folder.mkdir()
    hosts = [
        ("node1", "eth0", 9000),
        ("node2", "eth0", 9000),
        ("node3", "ens5", 9000),
        ("node4", "eth0", 1500),
    ]
    for number, (name, interface, mtu) in enumerate([*hosts, ("node1", "eth0", 9000)], start=1):
        setup = HOST.format(name=name, interface=interface, kind=kind, number=number, mtu=mtu)
        probed = in_namespaces(f"{setup}\nexec {sys.executable} -m gpudoctor.cli.main probe --format json")
        assert probed.returncode == 0, probed.stderr
        (folder / f"{number}.json").write_text(probed.stdout)
    main(["--facts", str(folder / "*.json"), "--expect", "node[1-5]", "--format", "json"])
    part = json.loads(capsys.readouterr().out)["fleet"]
    assert list(part["members"]) == ["node1", "node2", "node3", "node4"]
    differences = {s["fact"]: s["minority"] for s in part["skew"]}
    assert differences == {"net.default_interface": "node3", "net.default_mtu": "node4"}
    assert [(f["kind"], f["node"]) for f in part["findings"]] == [("missing", "node5"), ("twice", "node1")]
    assert {m["facts"]["host.addresses"] for m in part["members"].values()} >= {
        "10.9.0.2",
        "10.9.0.3",
        "10.9.0.4",
    }
