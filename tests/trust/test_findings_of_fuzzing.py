"""What mutated inputs have brought to light, each as a test."""

from __future__ import annotations

import random

import pytest

from gpudoctor.engine import EngineError, Session
from gpudoctor.engine.facts import Fact, Origin
from gpudoctor.engine.facts.factsfile import read_any
from gpudoctor.engine.facts.nodefacts import NodeFactsReader
from gpudoctor.engine.session.sessionfile import read

from ..fuzz.__main__ import run
from ..fuzz.targets import targets


@pytest.mark.parametrize(
    "text", ["nccl.version: 2." + "9" * 5000, "g" + "9" * 5000 + ": 1", "gpu.vendor: " + "x" * 9000]
)
def test_an_error_does_not_quote_a_value_of_any_size(knowledge, text):
    type_of = knowledge.vocabulary.spec
    with pytest.raises(EngineError) as caught:
        read_any(text, "x.yaml", NodeFactsReader(type_of), type_of)
    assert len(str(caught.value)) < 700


def test_an_error_is_one_line_whatever_it_quotes(knowledge):
    type_of = knowledge.vocabulary.spec
    with pytest.raises(EngineError) as caught:
        read_any('{gpu.vendor: "nvid\n\n\nDIAGNOSED"}', "x.yaml", NodeFactsReader(type_of), type_of)
    assert "\n" not in str(caught.value)


def test_a_place_of_five_thousand_digits(knowledge):
    session = Session(knowledge)
    for where in ("x:" + "9" * 5000, "x:1"):
        session.add(Fact("gpu.vendor", "amd", Origin("report", where)))
    assert session.value("gpu.vendor") == "amd"
    entry = f"{{fact: gpu.count, value: 2, by: report, where: '{'1' * 5000}'}}"
    text = f"schema: gpudoctor/session/1\nstatements:\n- {entry}\n"
    assert read(knowledge, text, "s.yaml", "reference").session.value("gpu.count") == 2


def test_a_few_hundred_mutations_of_everything_that_is_read(knowledge):
    done, broken = run(targets(knowledge), 600, seed=random.Random().randrange(1 << 30))
    assert not broken, broken
    assert len(done) == len(targets(knowledge))
