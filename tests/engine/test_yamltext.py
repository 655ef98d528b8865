import pytest

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
