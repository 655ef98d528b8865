"""Temporary folders: the janitor keeps an eye on them until they are gone."""

import os
import shutil
import tempfile

import pytest

from gpudoctor.probes import lifeline


class Told:
    """A janitor that only listens."""

    def __init__(self):
        self.lines = []

    def tell(self, kind, what):
        self.lines.append((kind, what))


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

    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", interrupted)
    with pytest.raises(KeyboardInterrupt), lifeline.temporary_folder() as folder:
        pass
    assert janitor.lines == [("folder", folder)]
    shutil.rmtree(folder, ignore_errors=True)  # what is no longer referred to removes itself
