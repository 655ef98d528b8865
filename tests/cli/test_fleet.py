"""``gpudoctor fleet`` against a real Ray cluster of several raylets on this machine."""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import pytest

from gpudoctor.cli.main import main
from gpudoctor.cli.progress.nodes import NodeProgress
from gpudoctor.probes.raycluster import client

ROOT = Path(__file__).resolve().parents[2]
OLD = os.path.abspath(os.environ["GPUDOCTOR_OLD_RAY"]) if os.environ.get("GPUDOCTOR_OLD_RAY") else ""
"""An interpreter with the oldest Ray that is supported."""
INTERPRETERS = [
    pytest.param(
        sys.executable,
        marks=pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed"),
        id="ray",
    ),
    pytest.param(
        OLD,
        marks=pytest.mark.skipif(
            not os.access(OLD, os.X_OK), reason="GPUDOCTOR_OLD_RAY names no interpreter"
        ),
        id="old ray",
    ),
]


class Nodes:
    """A cluster in a child of its own."""

    def __init__(self, python, environments, **variables):
        self.python = python
        self.mark = f"GPUDOCTOR_TEST={uuid.uuid4()}"
        self.process = subprocess.Popen(
            [python, str(ROOT / "tests" / "probes" / "raynodes.py"), json.dumps(environments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **variables, **dict([self.mark.split("=")])},
        )
        up = json.loads(self.process.stdout.readline())
        self.address, self.raylets = up["address"], up["raylets"]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(30)
        finally:
            # What Ray started has our mark in its environment, also where its parent is gone.
            for pid in filter(str.isdecimal, os.listdir("/proc")):
                with contextlib.suppress(OSError):
                    if self.mark.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                        os.kill(int(pid), signal.SIGKILL)


@pytest.fixture(params=INTERPRETERS)
def cluster(request):
    """A function that starts a cluster with the variables of each node."""
    started = []

    def start(*environments, **variables):
        started.append(Nodes(request.param, environments, **variables))
        return started[-1]

    yield start
    for nodes in started:
        nodes.close()


def fleet(nodes, *argv):
    """The command as a user runs it, in a process of its own: (document, seconds)."""
    began = time.monotonic()
    command = [sys.executable, "-m", "gpudoctor.cli.main", "fleet", "--address", nodes.address]
    with subprocess.Popen(
        [*command, "--python", nodes.python, "--format", "json", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "NCCL_SOCKET_IFNAME": "eno1",
            "NCCL_IB_HCA": "mlx5",
            "VLLM_API_KEY": "never-shown",
        },
    ) as process:
        try:
            out, err = process.communicate(timeout=90)
        finally:
            process.kill()
    assert process.returncode in (0, 1, 3), err
    return json.loads(out), time.monotonic() - began


def test_every_node_answers_and_the_variable_on_the_head_is_seen(cluster, tmp_path):
    log = tmp_path / "job.log"
    log.write_text("RuntimeError: Gloo connectFullMesh failed with [..]\n")
    nodes = cluster({"NCCL_SOCKET_IFNAME": "eno1"}, {}, {})
    before = copies()
    found, _ = fleet(nodes, "--timeout", "40", "--expect", "3", "--report", str(log))
    part = found["fleet"]
    assert part["nodes"] == 3
    assert part["findings"] == []
    skew = {s["fact"]: s for s in part["skew"]}
    assert list(skew) == ["env.NCCL_SOCKET_IFNAME"]
    values = {v["value"]: v["count"] for v in skew["env.NCCL_SOCKET_IFNAME"]["values"]}
    assert values == {"eno1": 1, "unset": 2}
    facts = {f["name"]: f["value"] for f in found["facts"]}
    assert facts["ray.env_only_at_driver"] is True
    assert facts["launcher"] == "ray"
    assert facts["limit.nofile"] > 0
    assert any(note.startswith("set here and at no raylet: NCCL_IB_HCA;") for note in found["notes"])
    assert "never-shown" not in json.dumps(found)
    incidents = {i["id"]: i["standing"] for i in found["incidents"]}
    assert incidents["ray-worker-env-not-propagated"] == "likely"
    clocks = [m["facts"]["clock.offset_ms"] for m in part["members"].values()]
    assert len(clocks) == 3
    assert all(abs(clock) < 1000 for clock in clocks)
    # Nothing of ours is left on the nodes.
    assert copies() <= before


def copies():
    return set(Path(tempfile.gettempdir()).glob("gpudoctor-*/probes/round.py"))


SLOW = """
import sys, time
with open("/proc/self/cmdline") as file:
    if "default_worker" in file.read():
        time.sleep(60)
        raise SystemExit
"""


@pytest.mark.parametrize("cluster", INTERPRETERS[:1], indirect=True)
def test_a_node_that_dies_and_one_that_is_late_are_told_and_the_round_ends_in_its_time(cluster, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SLOW)
    slow = {"PYTHONPATH": str(tmp_path)}  # no worker starts there for a minute
    nodes = cluster({}, slow, slow)
    killer = subprocess.Popen(["sh", "-c", f"sleep 5; kill -9 {nodes.raylets[2]}"])
    found, seconds = fleet(nodes, "--timeout", "20", "--expect", "3")
    killer.wait()
    assert seconds < 20 + 20
    part = found["fleet"]
    assert part["nodes"] == 1
    assert [f["kind"] for f in part["findings"]] == ["silent", "silent"]
    reasons = sorted(f["text"] for f in part["findings"])
    assert "no answer in 20 s" in reasons
    assert found["verdict"] != "no known incident"
    assert part["skew"] == []


TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("cluster", INTERPRETERS[:1], indirect=True)
def test_a_token_is_used_where_it_is_given_and_not_looked_for(cluster, capsys, monkeypatch, tmp_path):
    nodes = cluster({}, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=TOKEN)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 8.0)
    monkeypatch.setenv("HOME", str(tmp_path / "no-home"))
    status, out, _ = run(capsys, "--address", nodes.address, "--python", nodes.python, "--timeout", "2")
    assert status == 1
    assert "confirmed · ray-token-auth" in out
    monkeypatch.setattr(client, "CONNECT_SECONDS", 30.0)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)
    argv = ["--address", nodes.address, "--python", nodes.python, "--timeout", "30", "--format", "json"]
    _, out, _ = run(capsys, *argv)
    assert json.loads(out)["fleet"]["nodes"] == 1
    assert TOKEN not in out


# Without a cluster


def fake(tmp_path, body):
    """An interpreter of a job in which Ray does what ``body`` says."""
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "__init__.py").write_text(body)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return str(python)


def run(capsys, *argv):
    status = main(["fleet", *argv])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_token_that_ray_refuses_is_a_diagnosis(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_TOKEN", "s3cr3t-0123456789")
    body = (
        "__version__ = '2.60.0'\n"
        "def init(**_):\n"
        "    raise RuntimeError('Unauthenticated: InvalidAuthToken: Authentication token is missing or incorrect. "
        "Token authentication is enabled')\n"
    )
    status, out, _ = run(capsys, "--address", "10.0.0.1:6379", "--python", fake(tmp_path, body))
    assert status in (1, 3)
    assert "ray-token-auth" in out
    assert "s3cr3t" not in out


def test_ray_that_does_not_connect_is_given_up(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", 1.0)
    python = fake(tmp_path, "import time\n__version__ = '2.60.0'\ndef init(**_):\n    time.sleep(600)\n")
    began = time.monotonic()
    status, out, err = run(capsys, "--address", "10.0.0.1:6379", "--python", python, "--timeout", "1")
    assert time.monotonic() - began < 5
    assert (status, out) == (2, "")
    assert err == "gpudoctor: no cluster at 10.0.0.1:6379: Ray did not connect in 1 s\n"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--address", "local"], '"local" is no address of a cluster: auto or HOST:PORT'),
        (["--address", "auto; id"], "is no address"),
        (["--address", "h:1", "--python", "/nonexistent/python"], "/nonexistent/python: cannot be run"),
        (["--address", "h:1", "--python", "/bin/false"], "/bin/false: ended without a word"),
        (["--timeout", "0"], "must be between 0.001 and 600 seconds, not 0"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, argv, message):
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_interpreter_without_ray_says_so(capsys, tmp_path):
    python = fake(tmp_path, "raise ImportError('no ray in here')")
    status, _, err = run(capsys, "--address", "h:1", "--python", python)
    assert status == 2
    assert "Ray cannot be imported: no ray in here" in err


class Terminal:
    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_counts_nodes():
    stream = Terminal()
    with NodeProgress(stream) as progress:
        progress.update(1, 4)
        progress.update(4, 4)
    assert "1 of 4 nodes" in stream.text
    assert "4 of 4 nodes" in stream.text
    assert stream.text.endswith("\r\x1b[K")
