"""Temporary folders: the janitor keeps an eye on them until they are gone."""

import os
import shutil

import pytest

from gpudoctor.probes import lifeline
from gpudoctor.probes.janitor import Janitor


class Told:
    """A janitor that only listens."""

    def __init__(self):
        self.lines = []

    def tell(self, kind, what):
        self.lines.append((kind, what))

    new_folder = Janitor.new_folder


@pytest.fixture
def janitor(monkeypatch):
    told = Told()
    monkeypatch.setattr(lifeline, "janitor_of", lambda pid: (told, "mark"))
    return told


def test_a_folder_that_is_gone_concerns_the_janitor_no_more(janitor):
    with lifeline.temporary_folder() as folder:
        assert janitor.lines == [("folder", folder)]
    assert janitor.lines[-1] == ("kept", folder) and not os.path.exists(folder)


def test_a_folder_whose_removal_was_interrupted_is_left_to_the_janitor(janitor, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lifeline.shutil, "rmtree", interrupted)
        with pytest.raises(KeyboardInterrupt), lifeline.temporary_folder() as folder:
            pass
    assert janitor.lines == [("folder", folder)]
    shutil.rmtree(folder, ignore_errors=True)


def test_the_janitor_knows_a_folder_before_it_is_there(janitor, monkeypatch):
    def killed(folder, mode):
        assert janitor.lines == [("folder", folder)]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lifeline.os, "mkdir", killed)
        with pytest.raises(KeyboardInterrupt), lifeline.temporary_folder():
            pass


def test_a_place_where_nothing_can_be_made_is_no_concern_of_the_janitor(janitor, tmp_path):
    with pytest.raises(OSError), lifeline.temporary_folder(str(tmp_path / "absent")):
        pass
    assert [kind for kind, _ in janitor.lines] == ["folder", "kept"]


def test_a_line_break_in_a_path_names_no_other_folder(tmp_path):
    mine, odd = tmp_path / "mine", tmp_path / "mine\nother%0A"
    for folder in (mine, odd):
        folder.mkdir()
    (mine / "thesis.txt").write_text("years")
    janitor = Janitor("0" * 32)
    new = janitor.new_folder(str(odd), "gpudoctor-")
    assert os.path.isdir(new)
    janitor.dismiss()
    assert (mine / "thesis.txt").read_text() == "years"
    assert not os.path.exists(new) and odd.is_dir()
