"""Expressions: compiled at their first use, and from the cache the same as anew."""

from __future__ import annotations

import marshal
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine.patterns import compiled, lazy_pattern

EXPRESSIONS = [
    (r"\bXid \(PCI:([0-9a-f:.]+)\): (?P<number>\d+)", 0),
    (r"(?i:nccl)|[\u4e00-\u9fff]+", 0),
    (r"(?<![\w-])(?P<a>x)(?P<b>y)?(?(b)z|w)", re.IGNORECASE | re.ASCII),
    (rb"\d+|0x[0-9a-f]+", re.MULTILINE),
    (r"^\s*#.*?$", re.MULTILINE | re.DOTALL),
]

SCRIPT = """
import re, sys
from gpudoctor.engine import patterns
for number in range(8):
    found = patterns.compiled(rf"(?P<word>cache{number}\\w+)|(\\d)", re.IGNORECASE)
    assert found.search(f"the CACHE{number}d one")["word"] == f"CACHE{number}d"
assert (patterns.learned() is None) is (sys.argv[1] == "second")  # eight at once would be worth keeping
from gpudoctor.cli.main import remember
remember()
"""


@pytest.mark.parametrize(("expression", "flags"), EXPRESSIONS)
def test_it_is_what_the_standard_library_makes(expression, flags):
    usual, ours = re.compile(expression, flags), compiled(expression, flags)
    assert ours == usual
    assert (ours.groups, ours.groupindex, ours.flags) == (usual.groups, usual.groupindex, usual.flags)
    assert repr(ours) == repr(usual)


@given(st.text("ab(|)*+?[]^$.\\d", max_size=12), st.text("abd1", max_size=12))
def test_any_expression_matches_as_usual(expression, text):
    try:
        usual = re.compile(expression)
    except re.error:
        with pytest.raises(re.error):
            compiled(expression)
        return
    assert [m.span() for m in compiled(expression).finditer(text)] == [m.span() for m in usual.finditer(text)]


def test_an_expression_that_is_none_fails_at_its_first_use():
    late = lazy_pattern("(")
    with pytest.raises(re.error):
        late.search("x")


def run(script: str, word: str, cache) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    subprocess.run([sys.executable, "-c", script, word], env=environment, check=True, timeout=60)


def test_a_second_run_compiles_nothing(tmp_path):
    run(SCRIPT, "first", tmp_path)
    (file,) = (tmp_path / "gpudoctor").glob("patterns-*")
    assert file.stat().st_mode & 0o777 == 0o600
    run(SCRIPT, "second", tmp_path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"i\x01\x00\x00\x00", b"\xdb\x00"])
def test_a_damaged_cache_is_passed_over(tmp_path, content):
    run(SCRIPT, "first", tmp_path)
    (file,) = (tmp_path / "gpudoctor").glob("patterns-*")
    file.write_bytes(content)
    run(SCRIPT, "first", tmp_path)


def test_wrong_code_in_the_cache_is_never_run(tmp_path):
    run(SCRIPT, "first", tmp_path)
    (file,) = (tmp_path / "gpudoctor").glob("patterns-*")
    codes = marshal.loads(file.read_bytes())
    assert len(codes) == 8
    file.write_bytes(marshal.dumps({key: (0, b"1234" * 9, 1, {}, (None,)) for key in codes}))
    run(SCRIPT, "second", tmp_path)


def test_a_cache_of_somebody_else_is_not_believed(tmp_path):
    run(SCRIPT, "first", tmp_path)
    (file,) = (tmp_path / "gpudoctor").glob("patterns-*")
    file.chmod(0o666)
    run(SCRIPT, "first", tmp_path)  # learns them anew
    file.chmod(0o600)
    run(SCRIPT, "second", tmp_path)
