import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine import CannotTell, EngineError, Fact
from gpudoctor.engine.facts.factsfile import read_facts


def test_scalars_are_text_typed_by_the_vocabulary(type_of):
    facts = read_facts("vllm.version: 6.10\ngpu.mig: no\ngpu.count: 8\n", "f.yaml", type_of)
    assert [f.value for f in facts] == ["6.10", False, 8]
    assert [f.origin.where for f in facts] == ["f.yaml:1", "f.yaml:2", "f.yaml:3"]


def test_a_fact_that_could_not_be_established(type_of):
    first, second = read_facts("gpu.mig: {unknown: needs root}\ngpu.count:\n", "f.yaml", type_of)
    assert isinstance(first, CannotTell)
    assert first.reason == "needs root"
    assert isinstance(second, CannotTell)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "gpu.count: 2\n\ngpu.vendor: nvida\n",
            'f.yaml:3: gpu.vendor must be nvidia, amd, intel or none, not "nvida"',
        ),
        ("gpu.vendr: amd\n", 'f.yaml:1: there is no fact "gpu.vendr"; did you mean gpu.vendor?'),
        ("gpu.count: [1]\n", "f.yaml:1: a fact has one value, not a list"),
        ("gpu.count: 1\ngpu.count: 2\n", 'f.yaml:2: "gpu.count" is given twice'),
        ("- gpu.count\n", "f.yaml:1: a facts file maps fact names to values, as in gpu.vendor: amd"),
        ("", "f.yaml: the file holds no facts"),
        ("a: [\n", "f.yaml:2: this is not YAML"),
        ("a: \tb\n\t- c", "f.yaml:"),
    ],
)
def test_bad_files_are_refused_whole_with_the_place(type_of, text, message):
    with pytest.raises(EngineError) as error:
        read_facts(text, "f.yaml", type_of)
    assert str(error.value).startswith(message)


@given(st.text(max_size=200))
def test_any_text_gives_facts_or_one_sentence(type_of, text):
    try:
        found = read_facts(text, "f.yaml", type_of)
    except EngineError as error:
        assert "\n" not in str(error)
    else:
        assert all(isinstance(f, (Fact, CannotTell)) for f in found)
