import pytest

from gpudoctor.engine.rules.conditions import parse
from gpudoctor.engine.rules.predicates import Predicate


@pytest.mark.parametrize(
    ("raw", "values", "answer"),
    [
        ({"gpu.vendor": "amd"}, {}, None),
        ({"gpu.vendor": "amd"}, {"gpu.vendor": "nvidia"}, False),
        ({"gpu.mig": "true"}, {"gpu.mig": True}, True),
        ({"gpu.count": ">=8"}, {"gpu.count": 8}, True),
        ({"gpu.count": "8"}, {"gpu.count": 4}, False),
        ({"nccl.version": "<2.26.2"}, {"nccl.version": "22501"}, True),
        ({"rocm.version": "<=7.2.0"}, {"rocm.version": "6.3.42133-1b9c17779"}, True),
        ({"torch.version": "2.5"}, {"torch.version": "2.5.1"}, False),
        ({"gpu.model": {"contains": ["4090", "3090"]}}, {"gpu.model": "GeForce RTX 4090"}, True),
        ({"gpu.arch": {"matches": "^gfx12"}}, {"gpu.arch": "gfx1201"}, True),
        ({"env.A": "set"}, {"env.A": "set"}, True),
        ({"env.A": "1"}, {"env.A": "set"}, None),
        ({"env.A": "1"}, {"env.A": "unset"}, False),
        ({"env.A": "unset"}, {"env.A": "unset"}, True),
        ({"env.A": "unset"}, {"env.A": "1"}, False),
        ({"env.CUDA_VISIBLE_DEVICES": {"items": "<2"}}, {"env.CUDA_VISIBLE_DEVICES": "3"}, True),
        (
            {"cuda.version": {"above": "cuda.driver_max"}},
            {"cuda.version": "12.4", "cuda.driver_max": "12.2"},
            True,
        ),
        (
            {"cuda.version": {"above": "cuda.driver_max"}},
            {"cuda.version": "12.2", "cuda.driver_max": "12.2"},
            False,
        ),
        ({"cuda.version": {"above": "cuda.driver_max"}}, {"cuda.version": "12.4"}, None),
        ({"parallel.tensor": {"above": "gpu.count"}}, {"parallel.tensor": 4, "gpu.count": 2}, True),
        ({"iommu.mode": {"known": "true"}}, {}, None),
        ({"iommu.mode": {"known": "true"}}, {"iommu.mode": "off"}, True),
    ],
)
def test_tests_of_one_fact(knowledge, raw, values, answer):
    type_of = knowledge.vocabulary.spec
    test = parse(raw, type_of)
    assert Predicate(test, type_of(test.fact)).holds(values) is answer
