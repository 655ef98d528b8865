import itertools

import pytest

from gpudoctor.engine import CannotTell, Fact, FactError, Origin
from gpudoctor.engine.facts.statements import (
    ANSWER,
    ELSEWHERE,
    FILE,
    PRECEDENCE,
    PROBE,
    READ,
    REPORT,
    TRUSTS,
    FactStore,
)
from gpudoctor.engine.facts.vocabulary import Vocabulary
from gpudoctor.engine.model import FactSpec

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


FOLDED = {
    "pcie.acs_redirect": FactSpec("pcie.acs_redirect", "bool", "ACS", keep="any"),
    "rdma.port_state": FactSpec(
        "rdma.port_state",
        "choice",
        "State",
        ("active", "init", "down"),
        keep="worst",
        worst_first=("down", "init", "active"),
    ),
    "limit.nofile": FactSpec("limit.nofile", "int", "Files", keep="worst", worst_first=("lowest",)),
    "gpu.ecc_uncorrected": FactSpec(
        "gpu.ecc_uncorrected", "int", "ECC", keep="worst", worst_first=("highest",)
    ),
    "p2p.driver_reports": FactSpec(
        "p2p.driver_reports", "bool", "P2P", keep="worst", worst_first=("false", "true")
    ),
}


@pytest.mark.parametrize(
    ("name", "values", "counts"),
    [
        ("pcie.acs_redirect", (False, True, False), True),
        ("rdma.port_state", ("active", "down", "init"), "down"),
        ("limit.nofile", (-1, 1024, 65536), 1024),
        ("gpu.ecc_uncorrected", (0, 12, 3), 12),
        ("p2p.driver_reports", (True, False), False),
    ],
)
@pytest.mark.parametrize("kind", [REPORT, PROBE])
def test_places_of_one_source_make_one_value_without_a_contradiction(name, values, counts, kind):
    for order in itertools.permutations(values):
        store = FactStore(Vocabulary(FOLDED, FOLDED.__getitem__).spec)
        for line, value in enumerate(order):
            where = f"a.log:{line + 9}" if kind == REPORT else f"rdma: /sys/{line}"
            store.add(said(name, value, kind, where))
        settled = store.settle(name)
        assert settled.value == counts
        assert settled.conflicts == ()
        assert len(settled.origins) == 1


def test_sources_that_differ_are_a_contradiction_even_of_a_folded_fact():
    store = FactStore(Vocabulary(FOLDED, FOLDED.__getitem__).spec)
    for where, value in (("a.log:1", "active"), ("a.log:2", "down"), ("b.log:1", "active")):
        store.add(said("rdma.port_state", value, REPORT, where))
    settled = store.settle("rdma.port_state")
    assert settled.value == "down"
    assert [(c.value, c.origin.where) for c in settled.conflicts] == [("active", "b.log:1")]
    store.add(said("rdma.port_state", "init", PROBE, "rdma: /sys/a"))
    settled = store.settle("rdma.port_state")
    assert settled.value == "init"
    assert [c.value for c in settled.conflicts] == ["down", "active"]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_flood_of_values_is_weighed_in_bounded_time_and_the_first_counts(store, backwards):
    import time

    facts = [said("env.A", f"/x/{n}", REPORT, f"a.log:{n}") for n in range(5000)]
    began = time.monotonic()
    for fact in reversed(facts) if backwards else facts:
        store.add(fact)
        store.settle("env.A")
    assert time.monotonic() - began < 10  # quadratic: minutes
    assert store.settle("env.A").value == "/x/0"
    store.remove(facts[0])
    assert store.settle("env.A").value == "/x/1"
    assert len(list(store.statements())) == 4999


def test_trust_follows_from_the_kind_of_source():
    usual = [Origin(kind).trust for kind in PRECEDENCE]
    assert usual == ["said", "measured", "measured", "printed", "measured"]
    read = Origin(REPORT, "log:3", "it hangs", READ)
    assert (read.trust, read.is_usual, read._replace(trust="printed").is_usual) == ("read", False, True)
    assert [Origin(REPORT, "x", "", trust).to_dict()["trust"] for trust in TRUSTS] == list(TRUSTS)


def test_what_a_log_prints_comes_before_what_was_read_from_a_sentence(store):
    store.add(Fact("gpu.count", 4, Origin(REPORT, "log:3", "", READ)))
    store.add(Fact("gpu.count", 8, Origin(REPORT, "log:9")))
    settled = store.settle("gpu.count")
    assert (settled.value, settled.trust, [c.value for c in settled.conflicts]) == (8, "printed", [4])


def test_what_is_told_of_another_machine_is_no_fact_of_this_one(store):
    store.add(Fact("gpu.count", 4, Origin(REPORT, "log:3", "", ELSEWHERE)))
    assert store.settle("gpu.count") is None
    assert not store.speaks_of("gpu.count")
    assert len(list(store.statements())) == 1
