"""Interpreters that are no Ray: whatever they do, the fleet's round ends in its time with one sentence."""

import sys
import time

import pytest

from gpudoctor.probes.raycluster.client import ClusterError, examine_cluster


@pytest.fixture
def python(tmp_path, monkeypatch):
    """A function that makes an interpreter of a shell script, and its name relative to here."""

    def make(script):
        path = tmp_path / "bin" / "python"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.chdir(tmp_path)
        return "bin/python"

    return make


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sleep 100", "did not connect in 2 s"),
        ("exec yes", "is no answer"),
        ("exec cat /dev/zero", "did not connect|is no answer|cut off|ended without"),
        (f"exec {sys.executable} -c \"print('[' * 200000)\"", "ended without a word"),
        ("echo oops >&2; exit 3", "oops"),
    ],
)
def test_an_interpreter_that_is_none_costs_no_more_than_the_time_given(python, knowledge, script, words):
    began = time.monotonic()
    with pytest.raises(ClusterError, match=words):
        examine_cluster(knowledge, python=python(script), timeout=2.0)
    assert time.monotonic() - began < 20  # without a bound: for ever
