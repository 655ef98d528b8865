"""The rule engine against the reference matcher, on knowledge bases that nobody wrote."""

import pytest

from .differential import compare

pytest.importorskip("durable_rules_engine", reason="durable-rules is not installed here")

BATCH = 250


@pytest.mark.parametrize("batch", range(8))
def test_durable_concludes_what_the_reference_concludes(batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        assert compare(seed) == []


@pytest.mark.parametrize("seed", range(20))
def test_one_condition_under_three_hundred_rules(seed):
    assert compare(seed, steps=40, large=True) == []


def test_an_encoding_without_copies_of_tokens_is_caught():
    """256 users of one condition: durable-rules fires the wrong rules, and the test must see it."""
    found = (difference for seed in range(200) for difference in compare(seed, 40, large=True, per_token=256))
    assert next(found, None)
