"""Files written whole or not at all, whatever goes wrong on the way."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from gpudoctor.engine import writing
from gpudoctor.engine.writing import PRIVATE, WritingError, write_whole


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path):
    write_whole(tmp_path / "new", "text\n")
    write_whole(tmp_path / "own", b"\x00", PRIVATE)
    assert (tmp_path / "new").read_text() == "text\n"
    assert (mode_of(tmp_path / "new"), mode_of(tmp_path / "own")) == (0o644, 0o600)


def test_an_old_file_keeps_its_permissions_and_a_link_its_place(tmp_path):
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_text("before")
    old.chmod(0o640)
    link.symlink_to(old)
    write_whole(link, "after")
    assert link.is_symlink()
    assert (old.read_text(), mode_of(old)) == ("after", 0o640)


@pytest.mark.parametrize("half", [0, 7])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, half):
    old = tmp_path / "old"
    old.write_text("before")
    really, written = os.write, []

    def full(handle, data):
        if written or not half:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(really(handle, bytes(data)[:half]))
        return written[0]

    monkeypatch.setattr(writing.os, "write", full)
    with pytest.raises(WritingError, match=r"old: cannot be written: No space left on device$"):
        write_whole(old, "after" * 100)
    monkeypatch.undo()
    assert old.read_text() == "before"
    assert os.listdir(tmp_path) == ["old"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_fails_at_the_end_leaves_nothing_either(tmp_path, monkeypatch, call):
    def fails(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(writing.os, call, fails)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "new", "text")
    monkeypatch.undo()
    assert os.listdir(tmp_path) == []


def test_short_writes_are_continued(tmp_path, monkeypatch):
    really = os.write
    monkeypatch.setattr(writing.os, "write", lambda handle, data: really(handle, bytes(data)[:3]))
    write_whole(tmp_path / "new", "0123456789")
    monkeypatch.undo()
    assert (tmp_path / "new").read_text() == "0123456789"


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path):
    old = tmp_path / "old"
    old.write_text("before")
    program = (
        "import os, sys\n"
        "from gpudoctor.engine import writing\n"
        "really = os.write\n"
        "def slow(handle, data):\n"
        "    count = really(handle, bytes(data)[:10])\n"
        "    print('half', flush=True)\n"
        "    sys.stdin.read()\n"
        "    return count\n"
        "writing.os.write = slow\n"
        "writing.write_whole(sys.argv[1], 'after' * 1000)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(old)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout.readline() == b"half\n"
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    assert old.read_text() == "before"
    write_whole(old, "after")
    assert old.read_text() == "after"


def test_only_regular_files_are_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for place, reason in (
        ("/dev/null", "it is no regular file"),
        (tmp_path / "pipe", "it is no regular file"),
        (tmp_path / "folder", "Is a directory"),
        (tmp_path / "none" / "x", "No such file or directory"),
        (f"{tmp_path}/a\0b", "null"),
    ):
        with pytest.raises(WritingError, match=reason) as caught:
            write_whole(place, "text")
        assert caught.value.where == os.fspath(place).replace("\0", "")  # what nobody sees is not shown
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_a_protected_file_stays(tmp_path, monkeypatch):
    old = tmp_path / "old"
    old.write_text("before")
    monkeypatch.setattr(writing.os, "access", lambda path, mode: False)  # root may write everything
    with pytest.raises(WritingError, match="Permission denied"):
        write_whole(old, "after")
    assert old.read_text() == "before"


def test_names_that_are_not_utf8(tmp_path):
    name = os.path.join(os.fsencode(tmp_path), b"caf\xe9").decode("utf-8", "surrogateescape")
    write_whole(name, "said by \udce9\n")
    with open(name, "rb") as file:
        assert file.read() == b"said by ?\n"
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9"]


def test_the_longest_name_can_be_written(tmp_path):
    write_whole(tmp_path / ("x" * 255), "text")
    assert os.listdir(tmp_path) == ["x" * 255]
