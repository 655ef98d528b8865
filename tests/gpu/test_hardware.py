"""The kit as a test, for ``pytest -m gpu``; ``make gpu`` runs it by itself and writes where it is told to."""

from __future__ import annotations

import os

import pytest

from .base import Base
from .run import Options, prove
from .surroundings import no_gpu


@pytest.mark.gpu
def test_on_the_gpus_of_this_machine(request, tmp_path):
    if request.config.getoption("-m") != "gpu":
        pytest.skip("takes up to nine minutes and all GPUs: make gpu, or pytest -m gpu")
    if no_gpu():
        pytest.skip(no_gpu())
    said = []
    assert prove(Options(tmp_path), Base("installed"), dict(os.environ), said.append) == 0, "\n".join(said)
