from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.cli.render.screen import Screen, columns, table, wrap


def test_chinese_takes_two_columns_and_wraps():
    text = "在启动Ray服务前必须设置环境变量,否则每个进程只能看到一块GPU。"
    lines = wrap(text, 20)
    assert all(columns(line) <= 20 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet="ab 中文,。-", max_size=80), st.integers(8, 40))
def test_wrapping_loses_nothing(text, width):
    joined = "".join(wrap(text, width))
    assert joined.replace(" ", "") == text.replace(" ", "")


def test_hanging_indent():
    screen = Screen(20)
    screen.paragraph("one two three four five", 2, first="- ")  # never narrower than 20
    assert screen.plain() == "  - one two three four\n    five\n"


def test_table():
    assert table([("a", "bbb", "c"), ("aaa", "b", "c")]) == ["a    bbb  c", "aaa  b    c"]
