import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.model import All, Either, Not, Test
from gpudoctor.engine.rules.conditions import (
    ConditionError,
    as_json,
    evaluate,
    facts_of,
    from_json,
    parse,
    witnesses,
    words,
)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    [
        ({"gpu.vendor": "amd"}, ["is", "gpu.vendor", "in", ["amd"]]),
        ({"ray.version": ">=2.10,<2.45"}, ["is", "ray.version", "range", ">=2.10,<2.45"]),
        ({"driver.version": "545.*"}, ["is", "driver.version", "range", "==545.*"]),
        ({"gpu.mig": {"known": "true"}}, ["is", "gpu.mig", "known", None]),
        ({"env.NCCL_DEBUG": "set"}, ["is", "env.NCCL_DEBUG", "set", None]),
        ({"gpu.model": {"contains": "RTX"}}, ["is", "gpu.model", "contains", ["rtx"]]),
        ({"cuda.version": {"above": "cuda.driver_max"}}, ["is", "cuda.version", "above", "cuda.driver_max"]),
        (
            {"not": {"launcher": ["ray", "vllm"]}},
            ["not", ["is", "launcher", "in", ["ray", "vllm"]]],
        ),
        (
            {"gpu.mig": "true", "any": {"gpu.count": "1", "gpu.vendor": "amd"}},
            [
                "all",
                [
                    ["is", "gpu.mig", "in", [True]],
                    ["any", [["is", "gpu.count", "in", [1]], ["is", "gpu.vendor", "in", ["amd"]]]],
                ],
            ],
        ),
    ],
)
def test_canonical_form(type_of, raw, canonical):
    condition = parse(raw, type_of)
    assert as_json(condition) == canonical
    assert from_json(json.loads(json.dumps(canonical))) == condition


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"gpu.vendr": "amd"}, 'there is no fact "gpu.vendr"'),
        ({"gpu.vendor": "nvida"}, "gpu.vendor must be"),
        ({"ray.version": ">=2..1"}, "not a version constraint"),
        ({"gpu.mig": {"around": "1"}}, 'no matcher "around"'),
        ({"all": []}, '"all" takes a list'),
        ("amd", "a condition is a mapping"),
        ({"gpu.count": None}, "value to compare with is missing"),
    ],
)
def test_wrong_conditions_are_refused(type_of, raw, message):
    with pytest.raises(Exception, match=message):
        parse(raw, type_of)


def test_the_error_type(type_of):
    with pytest.raises(ConditionError):
        parse({"gpu.mig": {"a": 1, "b": 2}}, type_of)


A, B, C = (Test(name, "in", (True,)) for name in "abc")
conditions = st.recursive(
    st.sampled_from([A, B, C]),
    lambda inner: st.one_of(
        inner.map(Not),
        st.builds(
            lambda kind, parts: kind(tuple(parts)),
            st.sampled_from([All, Either]),
            st.lists(inner, min_size=1, max_size=3),
        ),
    ),
    max_leaves=8,
)
truths = st.fixed_dictionaries({name: st.sampled_from([True, False, None]) for name in "abc"})


@given(conditions, truths)
def test_kleene_agrees_with_every_completion(condition, truth):
    """True or false only if every way to fill the unknowns in gives that answer."""
    answer = evaluate(condition, lambda leaf: truth[leaf.fact])
    unknown = [name for name, value in truth.items() if value is None]
    for bits in range(2 ** len(unknown)):
        full = {**truth, **{name: bool(bits >> i & 1) for i, name in enumerate(unknown)}}
        whole = evaluate(condition, lambda leaf, full=full: full[leaf.fact])
        assert whole is not None
        if answer is not None:
            assert whole is answer


@given(conditions, truths, st.booleans())
def test_witnesses_alone_are_enough(condition, truth, wanted):
    """The tests named under a conclusion carry it without any other."""
    answer = evaluate(condition, lambda leaf: truth[leaf.fact])
    found = witnesses(condition, lambda leaf: truth[leaf.fact], wanted)
    assert bool(found) is (answer is wanted)
    if found:
        named = {leaf.fact for leaf in found}
        only = {name: value if name in named else None for name, value in truth.items()}
        assert evaluate(condition, lambda leaf: only[leaf.fact]) is wanted


@given(conditions)
def test_every_condition_can_be_said_and_lists_its_facts(condition):
    assert words(condition)
    assert set(facts_of(condition)) <= {"a", "b", "c"}


def test_words():
    condition = All((A, Not(Either((B, Test("d", "range", ">=2"))))))
    assert words(condition) == "a is yes and (b is no and d not >=2)"


@given(conditions)
def test_the_form_in_the_index_loses_nothing(condition):
    assert from_json(json.loads(json.dumps(as_json(condition)))) == condition


def test_all_and_either_of_the_same_parts_are_two_conditions():
    assert All((A, B)) != Either((A, B))
    assert len({All((A,)), Either((A,)), Not(A), A}) == 4
