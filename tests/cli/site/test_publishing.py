"""A site takes the place of the one before it whole, or not at all."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time

import pytest

from gpudoctor.cli.main import main
from gpudoctor.cli.site import build

from ...conftest import ROOT


def tree(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def small(monkeypatch):
    """A site of three pages."""
    every = build.Site.tasks
    monkeypatch.setattr(build.Site, "tasks", lambda self: every(self)[:3])


@pytest.mark.usefixtures("small")
def test_a_site_that_is_broken_leaves_the_old_one(tmp_path, capsys):
    target = tmp_path / "site"
    target.mkdir()
    (target / build.MARK).write_text("x")
    (target / "index.html").write_text("old")
    before = tree(target)
    assert main(["site", str(target), "--jobs", "1"]) == 2  # three pages link to pages that are not there
    assert "is not built" in capsys.readouterr().err
    assert tree(target) == before
    assert os.listdir(tmp_path) == ["site"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("how", ["exchanged", "copied"])
def test_a_site_takes_the_place_of_the_old_one(tmp_path, monkeypatch, how):
    monkeypatch.setattr("gpudoctor.cli.site.build.broken", lambda *given: [])
    if how == "copied":
        monkeypatch.setattr(ctypes, "CDLL", lambda name: object())  # a system without renameat2
    target = tmp_path / "site"
    assert main(["site", str(target), "--jobs", "1"]) == 0
    first = tree(target)
    assert first
    (target / "gone").mkdir()
    (target / "gone" / "index.html").write_text("old")
    os.chmod(target, 0o750)
    assert main(["site", str(target), "--jobs", "1"]) == 0
    assert tree(target) == first
    assert not (target / "gone").exists()
    assert target.stat().st_mode & 0o777 == 0o750
    assert os.listdir(tmp_path) == ["site"]


@pytest.mark.usefixtures("small")
def test_a_link_to_a_site_stays_a_link(tmp_path, monkeypatch):
    monkeypatch.setattr("gpudoctor.cli.site.build.broken", lambda *given: [])
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    for _ in range(2):
        assert main(["site", str(tmp_path / "link"), "--jobs", "1"]) == 0
        assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / build.MARK).is_file()
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


def test_a_build_that_is_killed_leaves_nothing_behind(tmp_path):
    command = [sys.executable, "-m", "gpudoctor.cli.main", "site", str(tmp_path / "site"), "--jobs", "2"]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not list(tmp_path.glob(".gpudoctor-site-*/site/*/*")) and time.monotonic() < end:
        time.sleep(0.02)
    assert list(tmp_path.iterdir()), "it has not begun"
    child.send_signal(signal.SIGKILL)
    child.wait()
    while list(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []
