"""Shared fixtures of the probes' tests."""

import os
import shutil
import subprocess
import time

import pytest


def soon(holds, seconds=2.0):
    """Whether a condition comes to hold within a time."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


@pytest.fixture
def frozen_file(tmp_path):
    """A file on a loop device whose file system is frozen; skipped where this machine does not allow that."""
    if os.geteuid() != 0:
        pytest.skip("freezing a file system needs root")
    image, mount = tmp_path / "image", tmp_path / "mount"
    mount.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    for command in (
        ["mkfs.ext4", "-q", "-F", image],
        ["mount", "-o", "loop", image, mount],
        ["fsfreeze", "-f", mount],
    ):
        if shutil.which(command[0]) is None:
            subprocess.run(["umount", "-l", mount], capture_output=True, check=False)
            pytest.skip(f"there is no {command[0]} here")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            subprocess.run(["umount", "-l", mount], capture_output=True, check=False)
            pytest.skip(f"{command[0]} is refused here: {done.stderr.strip()[:120]}")
    try:
        yield str(mount / "file")
    finally:
        subprocess.run(["fsfreeze", "-u", mount], check=False)
        soon(lambda: subprocess.run(["umount", mount], capture_output=True, check=False).returncode == 0)


def alive(pid):
    """Whether a process runs; who inherits a dead one may leave it lying for a while."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
