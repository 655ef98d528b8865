import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine import EngineError
from gpudoctor.engine.facts.factsfile import is_node_facts, read_any
from gpudoctor.engine.facts.nodefacts import NodeFactsReader


@pytest.fixture
def reader(type_of):
    return NodeFactsReader(type_of)


def text(**changed):
    capture = {
        "schema": "gpudoctor/facts/1",
        "host": "node1",
        "boot_id": "b-1",
        "taken": "2026-01-01T00:00:00+00:00",
        "facts": [
            {
                "name": "gpu.count",
                "value": 8,
                "from": [{"kind": "probe", "where": "nvidia-smi -L", "text": "GPU 7"}],
            },
            {"name": "torch.version", "value": "2.10"},
            {"name": "gpu.mig", "value": False, "from": []},
        ],
        "gaps": [{"fact": "pcie.acs_redirect", "reason": "needs root"}],
    }
    return json.dumps({**capture, **changed})


def test_a_capture_is_typed_and_keeps_its_origins(reader):
    capture = reader.read(text(), "node1.json")
    assert capture.facts == (("gpu.count", 8), ("gpu.mig", False), ("torch.version", "2.10"))
    assert capture.origins["gpu.count"][0] == ("probe", "node1 nvidia-smi -L", "GPU 7", "measured")
    assert capture.gaps == (("pcie.acs_redirect", "needs root"),)
    assert capture.whole_environment


def test_what_rules_concluded_on_the_node_is_left_out(reader):
    facts = [{"name": "variant.bare", "value": True, "from": [{"kind": "rule", "where": "x", "text": ""}]}]
    assert reader.read(text(facts=facts), "f").facts == ()


def test_two_sources_that_disagree_are_both_kept(reader):
    facts = [
        {"name": "gpu.count", "value": 7, "from": [{"where": "pci", "text": ""}]},
        {"name": "gpu.count", "value": 8, "from": [{"where": "nvml", "text": ""}]},
    ]
    capture = reader.read(text(facts=facts), "f")
    assert capture.facts == (("gpu.count", 8),)
    assert [(fact.value, fact.origin.where) for fact in capture.also] == [(7, "node1 pci")]


def test_a_captured_tree_is_named_after_its_file(reader):
    assert reader.read(text(host=""), "nodes/gpu7.json").host == "gpu7"


def test_equal_facts_of_two_nodes_are_one_object(reader):
    first, second = reader.read(text(), "a"), reader.read(text(host="node2"), "b")
    assert all(one is other for one, other in zip(first.facts, second.facts, strict=True))


def test_an_environment_that_could_not_be_read_is_not_taken_for_empty(reader):
    gaps = [{"fact": "env.NCCL_DEBUG", "reason": "permission denied"}]
    assert not reader.read(text(gaps=gaps), "f").whole_environment


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f: the file is empty: the probe wrote nothing"),
        (text()[:-30], "f:1: the file ends in the middle"),
        ("{]", "f:1: this is not JSON: Expecting property name"),
        ('{"schema": "gpudoctor/diagnosis/1"}', "f: this is no capture of a node"),
        (text(host="a; reboot"), 'f: "a; reboot" is not a host name'),
        (text(host=7), 'f: "host" must be a text'),
        (text(facts={}), 'f: "facts" and "gaps" must be lists'),
        (text(facts=[7]), 'f: every fact needs a "name" and a "value"'),
        (
            text(facts=[{"name": "gpu.cuont", "value": 1}]),
            'f: there is no fact "gpu.cuont"; did you mean gpu.count?',
        ),
        (text(facts=[{"name": "gpu.count", "value": None}]), "f: a fact has one value"),
        ("[" * 100_000, "f"),
    ],
)
def test_a_broken_capture_is_one_sentence_with_its_place(reader, content, message):
    with pytest.raises(EngineError) as error:
        reader.read(content, "f")
    assert str(error.value).startswith(message)


def test_no_terminal_escapes_come_through(reader):
    facts = [
        {"name": "gpu.model", "value": "\x1b]0;x\x07L40S", "from": [{"where": "\x1b[31m", "text": "\u202e"}]}
    ]
    capture = reader.read(text(facts=facts), "f")
    assert "\x1b" not in repr(capture)
    assert "\u202e" not in repr(capture)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["schema", "host", "facts", "gaps", "name", "value", "from"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_any_document_gives_a_capture_or_one_sentence(type_of, document):
    if isinstance(document, dict):
        document = {"host": "n", **document, "schema": "gpudoctor/facts/1"}
    try:
        NodeFactsReader(type_of).read(json.dumps(document), "f")
    except EngineError as error:
        assert "\n" not in str(error)


def test_nodes_of_a_yaml_file(reader, type_of):
    found = read_any(
        "launcher: ray\nnodes:\n  node1: {gpu.count: 8}\n  node2: {gpu.mig: {unknown: no permission}}\n",
        "f.yaml",
        lambda: reader,
        type_of,
    )
    assert [s.name for s in found.statements] == ["launcher"]
    assert [(c.host, c.facts, c.gaps) for c in found.nodes] == [
        ("node1", (("gpu.count", 8),), ()),
        ("node2", (), (("gpu.mig", "no permission"),)),
    ]
    assert found.nodes[0].origins["gpu.count"][0].where == "f.yaml:3"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nodes: 3\n", 'f:1: "nodes" maps names of nodes to their facts'),
        ("nodes:\n  n1: {gpu.cuont: 1}\n", 'f:2: there is no fact "gpu.cuont"; did you mean gpu.count?'),
        ("nodes:\n  n1: {gpu.count: 1}\n  n1: {gpu.count: 2}\n", 'f:3: "n1" is given twice'),
        ("nodes:\n  a b: {gpu.count: 1}\n", 'f:2: "a b" is not a host name'),
    ],
)
def test_bad_nodes_are_refused_with_the_place(reader, type_of, content, message):
    with pytest.raises(EngineError) as error:
        read_any(content, "f", lambda: reader, type_of)
    assert str(error.value) == message


def test_flat_json_is_a_facts_file(reader, type_of):
    assert not is_node_facts('{"gpu.count": 8}')
    assert read_any('{"gpu.count": 8}', "f", lambda: reader, type_of).statements[0].value == 8
