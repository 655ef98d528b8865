"""What lies in deploy/: manifests that parse, scripts that run."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
import yaml

from gpudoctor.cli.render.metrics import metrics
from gpudoctor.engine import Session
from gpudoctor.probes import literals

from .conftest import ROOT

DEPLOY = ROOT / "deploy"
SCRIPTS = sorted(DEPLOY.rglob("*.sh"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_parses_and_shellcheck_has_nothing_to_say(script):
    assert os.access(script, os.X_OK)
    subprocess.run(["sh", "-n", str(script)], check=True)
    found = shutil.which("shellcheck") or shutil.which("shellcheck", path=str(Path(sys.executable).parent))
    if found:
        subprocess.run([found, str(script)], check=True)


@pytest.mark.parametrize("path", sorted((DEPLOY / "kubernetes").glob("*.yaml")), ids=lambda path: path.name)
def test_a_manifest_asks_for_as_little_as_it_can(path):
    document = yaml.safe_load(path.read_text())
    pod = document["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
    assert mounts["host"]["readOnly"] is True
    assert set(mounts) == {volume["name"] for volume in pod["volumes"]}


@pytest.mark.parametrize("path", sorted((DEPLOY / "kubernetes").glob("*.yaml")), ids=lambda path: path.name)
def test_a_manifest_fits_the_schema_of_kubernetes(path):
    validate = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    validate.validate(yaml.safe_load(path.read_text()), validate.latest_version(), strict=True)


def test_the_workflow_refuses_a_tag_that_is_not_the_version(tmp_path):
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    steps = [step.get("run", "") for step in jobs["build"]["steps"]]
    (check,) = [step for step in steps if "GITHUB_REF_NAME" in step]
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "gpudoctor-1.2.3-py3-none-any.whl").touch()
    for tag, status in (("v1.2.3", 0), ("v99.0", 1)):
        environment = {**os.environ, "GITHUB_REF_NAME": tag}
        ran = subprocess.run(["sh", "-c", check], cwd=tmp_path, env=environment, check=False)
        assert ran.returncode == status


def _plugin(state):
    ran = subprocess.run(
        [str(DEPLOY / "kubernetes" / "npd-plugin.sh"), str(state)],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout.strip()


def test_the_plugin_tells_a_problem_from_what_is_not_known(tmp_path, knowledge):
    assert _plugin(tmp_path) == (2, "no diagnosis yet")
    (tmp_path / "status").write_text("0\n")
    assert _plugin(tmp_path) == (0, "no known incident")
    session = Session(knowledge, "reference")
    session.tell("symptom.gpu-off-bus", True)
    (tmp_path / "gpudoctor.prom").write_text(metrics(session.diagnosis().to_dict()))
    (tmp_path / "status").write_text("1\n")
    status, line = _plugin(tmp_path)
    assert status == 1 and "gpu-fell-off-bus" in line
    (tmp_path / "status").write_text("3\n")
    assert _plugin(tmp_path) == (2, "not enough evidence")
    old = time.time() - 7200
    os.utime(tmp_path / "status", (old, old))
    assert _plugin(tmp_path)[0] == 2
    config = json.loads((DEPLOY / "kubernetes" / "npd-config.json").read_text())
    assert config["rules"][0]["path"].endswith("npd-plugin.sh")


@pytest.mark.parametrize("name", ["prolog", "epilog"])
@pytest.mark.parametrize("status", [0, 1, 3, 4])
def test_slurm_is_never_stopped(tmp_path, name, status):
    """A prolog that fails drains the node."""
    for tool, code in (
        ("gpudoctor", f"echo {{}}; exit {status}"),
        ("logger", f'echo "$@" >> {tmp_path}/log'),
    ):
        (tmp_path / tool).write_text(f"#!/bin/sh\n{code}\n")
        (tmp_path / tool).chmod(0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "GPUDOCTOR_PATH": str(tmp_path),
        "GPUDOCTOR_STATE": str(tmp_path / "state"),
        "SLURM_JOB_ID": "42",
    }
    ran = subprocess.run([str(DEPLOY / "slurm" / f"{name}.sh")], env=environment, check=False)
    assert ran.returncode == 0
    assert (tmp_path / "log").exists() is (status == 1 if name == "epilog" else status != 0)


def test_metrics_are_in_the_text_format(knowledge):
    session = Session(knowledge, "reference")
    session.tell("symptom.gpu-off-bus", True)
    text = metrics(session.diagnosis().to_dict(), now=1.8e9)
    assert "\ngpudoctor_last_run_timestamp_seconds 1800000000\n" in text
    sample = re.compile(r'[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[0-9.e+]+')
    for line in text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or sample.fullmatch(line), line
    assert 'gpudoctor_verdict{verdict="diagnosed"}' in text
    if shutil.which("promtool"):
        subprocess.run(["promtool", "check", "metrics"], input=text, text=True, check=True)


def test_the_plain_search_finds_what_the_automaton_finds():
    ahocorasick_rs = pytest.importorskip("ahocorasick_rs")
    chance = random.Random(7)
    words = [bytes(chance.choices(b"ab\n", k=chance.randint(1, 9))) for _ in range(30)]
    words = sorted({word for word in words if b"\n" not in word})
    for _ in range(50):
        text = bytes(chance.choices(b"abc\n", k=200))
        fast = ahocorasick_rs.BytesAhoCorasick(words).find_matches_as_indexes(text, overlapping=True)
        plain = literals.BytesAhoCorasick(words).find_matches_as_indexes(text, overlapping=True)
        assert sorted(map(tuple, fast)) == sorted(plain)


def test_an_archive_that_cannot_be_unpacked_leaves_nothing(tmp_path, monkeypatch):
    start = _module(DEPLOY / "pyz" / "start.py")
    with zipfile.ZipFile(tmp_path / "x.pyz", "w") as archive:
        for name in ("digest", "a", "b"):
            archive.writestr(name, "x" * 50)
    data = (tmp_path / "x.pyz").read_bytes()
    (tmp_path / "x.pyz").write_bytes(data.replace(b"x" * 50, b"x" * 49 + b"y"))
    monkeypatch.setattr(start.sys, "argv", [str(tmp_path / "x.pyz")])
    monkeypatch.setattr(start, "homes", lambda: [str(tmp_path / "home")])
    with pytest.raises(SystemExit, match="damaged"):
        start.main()
    old = tmp_path / "home" / f"{start.HALF}of-a-day-ago"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    with zipfile.ZipFile(io.BytesIO(data)) as packed, monkeypatch.context() as patched:
        patched.setattr(start.os, "rename", lambda *names: (_ for _ in ()).throw(OSError(28, "full")))
        with pytest.raises(OSError, match="full"):
            start.unpack(packed, str(tmp_path / "home"), str(tmp_path / "home" / "d"))
    assert os.listdir(tmp_path / "home") == []


def _module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("status", "kept"), [(0, True), (1, True), (3, True), (2, False), (137, False)])
def test_an_old_verdict_does_not_outlive_a_failure(tmp_path, status, kept):
    document = yaml.safe_load((DEPLOY / "kubernetes" / "daemonset.yaml").read_text())
    (script,) = document["spec"]["template"]["spec"]["containers"][0]["args"]
    script = script.replace("/state", str(tmp_path)).replace("sleep 600 & wait $!", "exit 0")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gpudoctor").write_text(
        f"#!/bin/sh\nfor last; do :; done\ngrep -qs old $last && exit 99\necho new > $last\nexit {status}\n"
    )
    (tmp_path / "bin" / "gpudoctor").chmod(0o755)
    for name in ("gpudoctor.prom", "diagnosis.json"):
        (tmp_path / name).write_text("old")
    path = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", script], env=path, check=True)
    assert (tmp_path / "gpudoctor.prom").exists() == (tmp_path / "diagnosis.json").exists() == kept
    assert (
        tmp_path / "status"
    ).read_text() == f"{status}\n"  # and nothing of a pod that was killed was there


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_alerts_take_an_old_verdict_for_none():
    for told in (["check", "rules", "rules.yaml"], ["test", "rules", "rules.test.yaml"]):
        ran = subprocess.run(
            ["promtool", *told], cwd=DEPLOY / "prometheus", capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_alert_goes_by_the_time_in_the_file():
    (group,) = yaml.safe_load((DEPLOY / "prometheus" / "rules.yaml").read_text())["groups"]
    for rule in group["rules"]:
        assert "gpudoctor_last_run_timestamp_seconds" in rule["expr"], rule
