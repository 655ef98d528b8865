"""Warnings about environment variables: range, release, spelling, harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.consultation.advisories import distance, misspelling_of, warnings_of


@pytest.fixture(scope="module")
def knowledge():
    return Knowledge.load()


def warnings(knowledge, **facts):
    session = Session(knowledge)
    try:
        for name, value in facts.items():
            session.tell(name.replace("__", "."), value)
        return [(w.fact.removeprefix("env."), w.text) for w in warnings_of(session)]
    finally:
        session.close()


def test_value_outside_its_range(knowledge):
    [(name, text)] = warnings(knowledge, env__NCCL_IB_TIMEOUT="99")
    assert name == "NCCL_IB_TIMEOUT" and text == "outside the documented range, 0 to 31"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NCCL_IB_TIMEOUT", "22"),
        ("NCCL_IB_TIMEOUT", ""),
        ("NCCL_IB_TIMEOUT", "unset"),
        ("NCCL_IB_TIMEOUT", "set"),
        ("NCCL_P2P_LEVEL", "<LEVEL>"),
        ("NCCL_P2P_LEVEL", "YOUR_LEVEL"),
        ("NCCL_P2P_LEVEL", "${LEVEL}"),
        ("NCCL_SOCKET_IFNAME", "YOUR_IFACE"),
        ("NCCL_SOCKET_IFNAME", "<IFNAME>"),
        ("NCCL_SOCKET_IFNAME", "^lo,docker0"),
        ("CUDA_DEVICE_ORDER", "PCI_BUS_ID"),
    ],
)
def test_values_that_are_right_empty_or_placeholders(knowledge, name, value):
    assert warnings(knowledge, **{f"env__{name}": value}) == []


def test_a_word_in_capitals_is_judged_unless_it_is_a_placeholder(knowledge):
    [(_, text)] = warnings(knowledge, env__NCCL_P2P_LEVEL="NODE")
    assert "outside" in text


def test_small_letters_where_capitals_are_read(knowledge):
    [(_, text)] = warnings(knowledge, env__NCCL_P2P_LEVEL="pxb")
    assert text.endswith("; did you mean PXB?") and "/" not in text


def test_a_form_is_not_shown_as_an_expression(knowledge):
    [(_, text)] = warnings(knowledge, env__GLOO_SOCKET_IFNAME="10.3.0.7")
    assert text.startswith("not of the documented form")
    [(_, text)] = warnings(knowledge, env__NCCL_BUFFSIZE="8M")
    assert text == "outside the documented range, 1024 or more"


def test_a_name_that_the_installed_release_no_longer_reads(knowledge):
    [(_, text)] = warnings(knowledge, env__VLLM_ATTENTION_BACKEND="FLASH_ATTN", vllm__version="0.17.1")
    assert text == (
        "not read any more since vllm 0.15.0, and vllm 0.17.1 is installed; "
        "--attention-backend has taken its place"
    )


@pytest.mark.parametrize("version", ["0.13.0", "0.14.1", None])
def test_an_older_or_unknown_release_gives_no_warning(knowledge, version):
    facts = {"env__VLLM_ATTENTION_BACKEND": "FLASH_ATTN"}
    if version:
        facts["vllm__version"] = version
    assert warnings(knowledge, **facts) == []


def test_a_version_cut_short_is_not_known_to_be_later(knowledge):
    assert warnings(knowledge, env__NCCL_SHM_USE_CUDA_MEMCPY="1", nccl__version="2.30") == []
    [(_, text)] = warnings(knowledge, env__NCCL_SHM_USE_CUDA_MEMCPY="1", nccl__version="2.30.7")
    assert "not read any more" in text


def test_an_alias_is_renamed_and_still_read(knowledge):
    [(_, text)] = warnings(knowledge, env__NCCL_BLOCKING_WAIT="0", torch__version="2.6.0+cu124")
    assert text.startswith("renamed to TORCH_NCCL_BLOCKING_WAIT in torch 2.2") and "still read" in text


def test_a_name_that_the_installed_release_does_not_read_yet(knowledge):
    [(_, text)] = warnings(knowledge, env__NCCL_LAUNCH_ORDER_IMPLICIT="1", nccl__version="2.21.5")
    assert text == "read from nccl 2.26 on, and nccl 2.21.5 is installed"
    assert warnings(knowledge, env__NCCL_LAUNCH_ORDER_IMPLICIT="1", nccl__version="2.26.2") == []


def test_the_loaded_nccl_counts_before_the_installed_one(knowledge):
    facts = {"env__NCCL_LAUNCH_ORDER_IMPLICIT": "1", "nccl__version": "2.26.2"}
    assert len(warnings(knowledge, nccl__loaded_version="2.21.5", **facts)) == 1


def test_rccl_has_the_numbers_of_nccl(knowledge):
    [(_, text)] = warnings(knowledge, env__NCCL_LAUNCH_ORDER_IMPLICIT="1", rccl__version="2.20.5")
    assert text == "read from nccl 2.26 on, and rccl 2.20.5 is installed"


def test_harm(knowledge):
    [(name, text)] = warnings(knowledge, env__CUDA_LAUNCH_BLOCKING="1")
    assert name == "CUDA_LAUNCH_BLOCKING" and "finding faults" in text
    assert warnings(knowledge, env__CUDA_LAUNCH_BLOCKING="0") == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("NCCL_P2P_DISALBE", "NCCL_P2P_DISABLE"),
        ("NCCL_DISABLE_P2P", "NCCL_P2P_DISABLE"),
        ("NCCL_P2P_DISABLED", "NCCL_P2P_DISABLE"),
        ("NCLL_DEBUG", "NCCL_DEBUG"),
        ("NCCL_SOCKET_IF_NAME", "NCCL_SOCKET_IFNAME"),
        ("NCCL_IB_HCAS", "NCCL_IB_HCA"),
        ("CUDA_VISIBLE_DEVICE", "CUDA_VISIBLE_DEVICES"),
        ("VLLM_SKIP_P2P_CHEK", "VLLM_SKIP_P2P_CHECK"),
    ],
)
def test_misspelt(knowledge, name, meant):
    [(fact, text)] = warnings(knowledge, **{f"env__{name}": "1"})
    assert fact == name and meant in text


@pytest.mark.parametrize(
    "name",  # all of them are read by some library and are not in the vocabulary
    [
        "NCCL_GIN_ENABLE",
        "NCCL_NVTX_DISABLE",
        "NCCL_P2P_NVL_CHUNKSIZE",
        "NCCL_PAT_ENABLE",
        "CUDA_HOME",
        "HOME",
    ],
)
def test_other_variables_are_left_alone(knowledge, name):
    assert f"env.{name}" not in knowledge.vocabulary.names
    assert warnings(knowledge, **{f"env__{name}": "1"}) == []


def test_min_and_max_and_numbers_are_no_slips():
    assert misspelling_of("NCCL_MAX_CTAS", ["NCCL_MIN_CTAS"]) == ""
    assert misspelling_of("VLLM_V0_USE_CACHE", ["VLLM_V1_USE_CACHE"]) == ""
    assert misspelling_of("NCCL_IB_HCA_LIST", ["NCCL_IB_HCA"]) == ""


def test_known_names_are_never_slips_of_each_other(knowledge):
    known = [n for n in knowledge.vocabulary.names if n.startswith("env.")]
    session = Session(knowledge)
    for name in known:
        session.tell(name, "set")
    found = warnings_of(session)
    session.close()
    assert len(known) > 200 and found == []


@given(st.text("ABC_", max_size=12), st.text("ABC_", max_size=12))
def test_distance_is_symmetric_and_bounded(one, other):
    assert distance(one, other, 99) == distance(other, one, 99)
    assert abs(len(one) - len(other)) <= distance(one, other, 99) <= max(len(one), len(other))
    assert (distance(one, other, 99) == 0) == (one == other)
    for limit in (1, 2, 3):
        assert distance(one, other, limit) == min(limit, distance(one, other, 99))


def test_warnings_stand_in_the_document_and_change_no_standing(knowledge):
    session = Session(knowledge)
    session.tell("env.NCCL_IB_TIMEOUT", "99")
    document = session.diagnosis().to_dict()
    session.close()
    assert [w["fact"] for w in document["warnings"]] == ["env.NCCL_IB_TIMEOUT"]
    assert set(document["warnings"][0]) == {"fact", "value", "text"}
