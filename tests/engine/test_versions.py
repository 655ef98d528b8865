import contextlib
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from gpudoctor.engine.facts.plainversion import version_of
from gpudoctor.engine.facts.versions import VersionError, VersionRange, compatible, parse_version


@pytest.mark.parametrize(
    ("fact", "text", "same_as"),
    [
        ("rocm.version", "6.3.42133-1b9c17779", "6.3"),
        ("rocm.version", "6.4.43482-0f2d60242", "6.4"),
        ("rocm.version", "6.4.0.0-47-73dae9c", "6.4.0"),
        ("rocm.version", "7.1+", "7.1"),
        ("torch.version", "2.7.0a0+git6c0e746", "2.7.0a0"),
        ("torch.version", "2.6.0.dev20241008+rocm6.2", "2.6.0.dev20241008"),
        ("driver.version", "550.54.15", "550.54.15"),
        ("driver.version", "570.124.06-p2p", "570.124.6"),
        ("nccl.version", "22005", "2.20.5"),
        ("nccl.version", "2708", "2.7.8"),
        ("nccl.version", "2.27.3+cuda12.8", "2.27.3"),
        ("rccl.version", "2.22.3-HEAD:271856d", "2.22.3"),
        ("cuda.version", "12060", "12.6"),
        ("vllm.version", "v0.8.4", "0.8.4"),
        ("vllm.version", "0.8.5.dev178+g3cde34a4a", "0.8.5.dev178"),
        ("llama_cpp.version", "b8487", "8487"),
        ("llama_cpp.version", "build 8487", "8487"),
        ("kernel.version", "5.14.0-427.42.1.el9_4", "5.14.0"),
        ("aws_ofi_nccl.version", "1.12.0-aws", "1.12.0"),
    ],
)
def test_vendor_spellings(fact, text, same_as):
    assert parse_version(text, fact) == parse_version(same_as)


@pytest.mark.parametrize("text", ["", "latest", "unknown", "-", "+"])
def test_what_is_no_version_is_refused(text):
    with pytest.raises(VersionError):
        parse_version(text)


@pytest.mark.parametrize(
    ("wanted", "version", "answer"),
    [
        (">=2.10,<2.45", "2.12.0", True),
        (">=2.10,<2.45", "2.9.3", False),
        (">=2.10,<2.45", "2.45.0", False),
        ("<2.26.2", "2.26", None),  # 2.26 may be 2.26.1 or 2.26.5
        (">=2.26.0", "2.26", True),
        ("<2.26.0", "2.26", False),
        ("==545.*", "545.29.06", True),
        ("==545.*", "545", True),
        ("==545.29.*", "545", None),
        ("!=545.*", "550.54.15", True),
        ("<2.6", "2.5.1", True),
        ("<=7.2.0", "7.2", None),
        ("<2.7", "2.7.0a0+git6c0e746", True),
        ("==2.13.0", "2.13.0+cu130", True),
    ],
)
def test_ranges_in_three_values(wanted, version, answer):
    assert VersionRange(wanted).holds(parse_version(version)) is answer


@pytest.mark.parametrize("text", ["2.10", ">=", ">=2.10,", "~=2.1", "<545.*"])
def test_bad_ranges_are_refused(text):
    with pytest.raises(VersionError):
        VersionRange(text)


def test_ranges_that_nothing_satisfies():
    assert VersionRange(">=3,<2").is_empty()
    assert VersionRange(">2,<2").is_empty()
    assert not VersionRange(">=2,<=2").is_empty()
    assert not VersionRange("==545.*,<545.30").is_empty()


def test_a_version_cut_short_is_compatible_with_the_whole():
    assert compatible(parse_version("545"), parse_version("545.29.06"))
    assert compatible(parse_version("7.2"), parse_version("7.2.0"))
    assert not compatible(parse_version("545"), parse_version("550.54.15"))
    assert not compatible(parse_version("2.1.1"), parse_version("2.1.2"))


releases = st.lists(st.integers(0, 30), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts)))


@given(releases, releases)
def test_at_least_and_less_than_exclude_each_other(version, bound):
    at_least = VersionRange(f">={bound}").holds(parse_version(version))
    less = VersionRange(f"<{bound}").holds(parse_version(version))
    assert (at_least is None) == (less is None)
    if at_least is not None:
        assert at_least is not less


@given(releases, releases)
def test_a_cut_version_is_never_surer_than_the_whole(version, bound):
    """Where the short form answers, every longer form answers the same."""
    short = VersionRange(f">={bound}").holds(parse_version(version))
    longer = VersionRange(f">={bound}").holds(parse_version(version + ".7"))
    assert short is None or longer is short


@given(st.text(max_size=40))
def test_any_text_is_a_version_or_refused(text):
    with contextlib.suppress(VersionError):
        parse_version(text)


RELEASES = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts)))
SUFFIXES = st.sampled_from(
    ["", "rc1", "a0", "-alpha.0", ".post1", ".post0", "b2.post1", ".dev3", "a0+git6c0e746", "+cu128"]
)


@given(RELEASES, RELEASES, SUFFIXES, SUFFIXES)
def test_versions_of_numbers_are_ordered_as_packaging_orders_them(one, two, after_one, after_two):
    ours = version_of(one + after_one), version_of(two + after_two)
    theirs = Version(one + after_one), Version(two + after_two)
    for compared in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        assert compared(*ours) == compared(*theirs)
    assert ours[0].release == theirs[0].release and ours[0].public == theirs[0].public
    assert ours[0].is_prerelease == theirs[0].is_prerelease and ours[0].local == theirs[0].local
    assert ours[0] != ours[1] or hash(ours[0]) == hash(ours[1])


def test_only_what_no_product_releases_is_read_by_packaging():
    assert repr(version_of("2.27.3")) == "<PlainVersion 2.27.3>"
    assert repr(version_of("1.0-alpha.1.post2")) == "<PlainVersion 1.0a1.post2>"
    assert isinstance(version_of("2.8.0.dev20241008"), Version)
    with pytest.raises(ValueError, match="latest"):
        version_of("latest")
