"""``--full`` goes through the reader's pager on a terminal, and nowhere else."""

from __future__ import annotations

import shutil

import pytest

from gpudoctor.cli.render import pager


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"PAGER": "most -s"}, "most -s"),
        ({"PAGER": "cat"}, ""),
        ({"PAGER": ""}, ""),
        ({"GPUDOCTOR_PAGER": "more", "PAGER": "less"}, "more"),
    ],
)
def test_the_pager_is_that_of_the_reader(environment, command):
    assert pager.pager_of(environment) == command


def test_less_is_the_pager_where_none_is_named(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert pager.pager_of({}) == "less"
    assert pager.pager_of({"TERM": "dumb"}) == ""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert pager.pager_of({}) == ""


def _terminal(monkeypatch, is_one):
    monkeypatch.setattr(pager.sys.stdout, "isatty", lambda: is_one, raising=False)


def test_a_pipe_is_not_paged(monkeypatch, tmp_path, capfd):
    monkeypatch.setenv("PAGER", f"tee {tmp_path / 'seen'}")
    _terminal(monkeypatch, False)
    with pager.paged(True) as stream:
        stream.write("long\n")
    assert not (tmp_path / "seen").exists()


def test_a_terminal_is_paged_with_the_options_of_git(monkeypatch, tmp_path):
    seen = tmp_path / "seen"
    monkeypatch.setenv("PAGER", f'{{ printf "%s\\n" "$LESS"; cat; }} > {seen}')
    monkeypatch.delenv("LESS", raising=False)
    _terminal(monkeypatch, True)
    with pager.paged(True) as stream:
        stream.write("long\n")
    assert seen.read_text() == "FRX\nlong\n"


def test_a_reader_who_leaves_early_is_no_error(monkeypatch):
    monkeypatch.setenv("PAGER", "head -n 1 > /dev/null")
    _terminal(monkeypatch, True)
    with pager.paged(True) as stream:
        for _ in range(100_000):
            stream.write("a long line that fills the pipe\n")
