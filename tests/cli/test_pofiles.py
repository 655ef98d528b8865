"""Translations compiled: kept for the next start, made anew when a file changes."""

from __future__ import annotations

import json
import sys

import pytest

from gpudoctor.cli import pofiles
from gpudoctor.cli.pofiles import compiled, packaged, table_of

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "zh" / "knowledge").mkdir(parents=True)
    (tmp_path / "zh" / "messages.po").write_text(f'{HEAD}msgid "yes"\nmsgstr "是"\n')
    (tmp_path / "zh" / "knowledge" / "choices.po").write_text(
        f'{HEAD}msgctxt "choice"\nmsgid "pix"\nmsgstr "同一交换机"\n\n#, fuzzy\nmsgid "no"\nmsgstr "?"\n'
    )
    return tmp_path / "zh"


def test_every_file_counts_and_the_second_start_reads_none(folder, monkeypatch):
    expected = ({"yes": "是"}, {"pix": "同一交换机"})
    assert table_of(str(folder)) == expected
    monkeypatch.setattr(pofiles, "compiled", lambda _: pytest.fail("compiled again"))
    assert table_of(str(folder)) == expected


def test_a_changed_file_is_read_again(folder):
    table_of(str(folder))
    (folder / "messages.po").write_text(f'{HEAD}msgid "yes"\nmsgstr "对的"\n')
    assert table_of(str(folder)).messages == {"yes": "对的"}


@pytest.mark.parametrize("content", [b"", b"[1]", b"[{}"])
def test_a_spoilt_cache_is_made_anew(folder, tmp_path, content):
    table_of(str(folder))
    kept = tmp_path / "cache" / "gpudoctor" / "locale-zh.json"
    kept.write_bytes(kept.read_bytes().splitlines(keepends=True)[0] + content)
    assert table_of(str(folder)).messages == {"yes": "是"}


def test_without_a_place_to_keep_it(folder, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert table_of(str(folder)).messages == {"yes": "是"}


def test_a_wheel_needs_no_polib(folder, tmp_path, monkeypatch):
    data = compiled(str(folder))
    (tmp_path / "wheel").mkdir()
    with open(packaged(str(tmp_path / "wheel" / "zh")), "wb") as file:
        file.write(data)
    monkeypatch.setitem(sys.modules, "polib", None)
    assert table_of(str(tmp_path / "wheel" / "zh")).choices == {"pix": "同一交换机"}
    assert json.loads(data)[0] == {"yes": "是"}
