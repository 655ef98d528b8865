"""Pairs of GPUs: every one once, disjoint at a time; what the failing ones have in common."""

from __future__ import annotations

from itertools import combinations

import pytest

from gpudoctor.probes.collective.pairs import Pairs, rounds


@pytest.mark.parametrize("count", range(2, 17))
def test_every_pair_once_and_disjoint_in_a_round(count):
    devices = [10 + n for n in range(count)]
    every = list(rounds(devices))
    assert len(every) == count - 1 + count % 2
    assert sorted(pair for found in every for pair in found) == sorted(combinations(devices, 2))
    for found in every:
        taken = [gpu for pair in found for gpu in pair]
        assert len(taken) == len(set(taken))


def _pairs(count, failing, untested=0):
    every = set(combinations(range(count), 2))
    return Pairs(tuple(sorted(failing)), tuple(sorted(every - set(failing))), untested)


@pytest.mark.parametrize(
    ("pairs", "kind"),
    [
        (_pairs(4, []), "none"),
        (_pairs(4, [(1, 3)]), "one_pair"),
        (_pairs(4, [(0, 2), (1, 2), (2, 3)]), "one_gpu"),
        (_pairs(4, [(0, 2), (1, 2)]), "several"),  # GPU 2 works with GPU 3
        (_pairs(4, [(0, 1), (2, 3)]), "several"),
        (_pairs(3, [(0, 1), (0, 2), (1, 2)]), "all"),
        (_pairs(4, [], untested=2), ""),
        (_pairs(4, [(1, 3)], untested=1), ""),
    ],
)
def test_kind(pairs, kind):
    assert pairs.kind() == kind
