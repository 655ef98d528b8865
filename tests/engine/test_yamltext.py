import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.facts.yamltext import YamlError, read_yaml


def test_scalars_stay_text_and_know_their_lines():
    document = read_yaml("a: 6.10\nb:\n  - c: no\n    d: ~\n", "x.yaml")
    assert document.data == {"a": "6.10", "b": [{"c": "no", "d": None}]}
    assert document.line(("b", 0, "d")) == 4
    assert document.place("b", 0, "missing") == "x.yaml:3"


def test_a_head_begins_further_down():
    assert read_yaml("a: 1\n", "x.md", 2).line(("a",)) == 2


@pytest.mark.parametrize(
    "text",
    ["a: 1\na: 2\n", "? [1]\n: 2\n", "a: 'b\n", "\x00", "{" * 200, "a: &x [*x]\n"],
)
def test_refused_in_one_sentence(text):
    with pytest.raises(YamlError) as error:
        read_yaml(text, "x.yaml")
    assert str(error.value).startswith("x.yaml")
    assert "\n" not in str(error.value)


def test_many_aliases_do_not_explode():
    bomb = "a: &a [x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(9)
    )
    with pytest.raises(YamlError, match=r"too large|nested"):
        read_yaml(bomb, "x.yaml")


_KEYS = st.sampled_from(["gpu.vendor", "env.NCCL_DEBUG", "a", "null", "nodes", "- a", "é", "a b", ""])
_VALUES = st.sampled_from(
    [
        "amd",
        "6.10",
        "no",
        "null",
        "~",
        "",
        "a b",
        "a: b",
        "a #b",
        "a# b",
        "'q'",
        '"12.8"',
        '"null"',
        '"a b" ',
        "'a\"",
        "{x: y}",
        "&a b",
        "12:30",
        "1  2",
        "x\t",
    ]
)
_LINES = st.one_of(
    st.builds("{}: {}".format, _KEYS, _VALUES),
    st.sampled_from(["# said", "# \x07", "#é", "", "  ", "  more", "\ta: b", "a:b", "a:"]),
)


@given(st.lists(_LINES, max_size=6))
def test_a_plain_map_says_the_same_with_and_without_the_library(lines):
    """With a letter beyond ASCII in a remark at its end a text is read by the library."""
    plain = "\n".join(lines)
    try:
        expected = read_yaml(f"{plain}\n# é\n", "there")
    except YamlError:
        with pytest.raises(YamlError):
            read_yaml(plain, "there")
        return
    found = read_yaml(plain, "there")
    assert found.data == expected.data
    for path in ((), *((key,) for key in found.data or () if isinstance(found.data, dict))):
        assert found.line(path) == expected.line(path)
