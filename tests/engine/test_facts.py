import itertools

import pytest

from gpudoctor.engine import CannotTell, Fact, FactError, Origin
from gpudoctor.engine.facts import ANSWER, FILE, PROBE, REPORT, FactStore
from gpudoctor.engine.model import FactSpec
from gpudoctor.engine.vocabulary import Vocabulary

SPECS = {
    "driver.version": FactSpec("driver.version", "version", "Driver"),
    "gpu.model": FactSpec("gpu.model", "text", "Model"),
    "gpu.count": FactSpec("gpu.count", "int", "Count"),
    "env.<NAME>": FactSpec("env.<NAME>", "text", "Variable"),
    "<package>.version": FactSpec("<package>.version", "version", "Version"),
}


@pytest.fixture
def store():
    return FactStore(Vocabulary(SPECS, SPECS.__getitem__).spec)


def said(name, value, kind, where=""):
    return Fact(name, value, Origin(kind, where))


def test_precedence_and_conflict(store):
    for fact in (
        said("gpu.count", 4, REPORT, "log:3"),
        said("gpu.count", 8, PROBE),
        said("gpu.count", 2, ANSWER),
    ):
        store.add(fact)
    settled = store.settle("gpu.count")
    assert settled.value == 2
    assert [c.value for c in settled.conflicts] == [8, 4]


def test_the_first_line_of_a_report_counts_and_the_order_of_arrival_does_not(store):
    lines = [said("gpu.count", n, REPORT, f"a.log:{line}") for n, line in ((8, 9), (4, 10), (2, 100))]
    for order in itertools.permutations(lines):
        fresh = FactStore(Vocabulary(SPECS, SPECS.__getitem__).spec)
        for fact in order:
            fresh.add(fact)
        assert fresh.settle("gpu.count").value == 8


def test_a_fuller_statement_that_agrees_is_kept(store):
    store.add(said("driver.version", "545", FILE))
    store.add(said("driver.version", "545.29.06", REPORT))
    settled = store.settle("driver.version")
    assert settled.value == "545.29.06"
    assert settled.conflicts == ()
    store.add(said("gpu.model", "RTX 4090", REPORT))
    store.add(said("gpu.model", "NVIDIA GeForce RTX 4090", PROBE))
    assert store.settle("gpu.model").value == "NVIDIA GeForce RTX 4090"


def test_set_to_an_unstated_value_agrees_with_a_value_but_not_with_unset(store):
    store.add(said("env.A", "set", FILE))
    store.add(said("env.A", "1", REPORT))
    assert store.settle("env.A").value == "1"
    store.add(said("env.B", "set", FILE))
    store.add(said("env.B", "unset", PROBE))
    assert store.settle("env.B").conflicts


def test_cannot_tell_is_not_no_and_gives_way_to_knowledge(store):
    store.add(CannotTell("gpu.count", "permission denied", Origin(PROBE)))
    assert store.settle("gpu.count").value is None
    assert store.settle("gpu.count").reason == "permission denied"
    store.add(said("gpu.count", 8, REPORT))
    assert store.settle("gpu.count").value == 8


def test_statements_can_be_taken_back(store):
    store.add(said("gpu.count", 8, REPORT))
    store.add(said("gpu.count", 2, ANSWER))
    assert store.drop("gpu.count", (ANSWER,))
    assert store.settle("gpu.count").value == 8
    assert not store.drop("gpu.count", (ANSWER,))
    assert store.drop("gpu.count")
    assert store.settle("gpu.count") is None


def test_families_of_facts_and_unknown_names(store):
    store.add(said("flash_attn.version", "2.6", FILE))
    assert store.settle("flash_attn.version").value == "2.6"
    with pytest.raises(FactError, match=r'there is no fact "gpu.cuont"; did you mean gpu.count\?'):
        store.add(said("gpu.cuont", 8, FILE))


def test_a_place_with_digits_that_are_no_number_has_an_order():
    assert Origin("report", "log².txt:9").order() < Origin("report", "log².txt:12").order()
    assert Origin("report", "²").order()[1]
