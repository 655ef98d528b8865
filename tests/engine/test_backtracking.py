"""Expressions that could take for ever are refused by their shape; the rest is fast on the worst lines."""

import re
import time

import pytest

from gpudoctor.engine.language.backtracking import problem
from gpudoctor.engine.language.expressions import EVERY, Chars, ExpressionError, Repeat, Sequence, parse
from gpudoctor.engine.language.matching import LINE, SENTENCE
from gpudoctor.engine.language.phrasebook import phrases
from gpudoctor.engine.language.phrases import wordings
from gpudoctor.probes.text import LONGEST


@pytest.mark.parametrize(
    "expression",
    [
        "zzlit (a|a)*$",
        ".*.*.*.*x$",
        "lit .*.*x",
        "(?:a{1,30}){1,30}b",
        "x(?:a{1,30}){1,30}b",
        "=+ +at ncclDev",
        "(?P<n>\\d+) ranks",
        "x(?:\\w+\\s?)+!",
        "x(?:a*)*b",
        "x(?:a|ab)*c",
        "x(?i:A|a)*c",
        "error.*in.*rank",
        "lit (?=.*.*x)",
        "x(\\w+)[a-z_]*\\d*\\1",
    ],
)
def test_what_could_take_for_ever_is_refused(expression):
    assert problem(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "rank.*failed",
        "^\\s*Traceback",
        "rank \\d+ of \\d+: [A-Z_]+=\\S+ ok",
        "(?:[\\w.-]{1,20} ){0,4}driver",
        "x(?:a|b|cd|ce)*f",
        "x(?:the |a |an )*gpu",
        "(?i)nccl.{0,80}timeout.{0,40}",
        "(?<![a-z0-9])tp ?[=:]? ?(?:[2-9]|1\\d)(?!\\d)",
        "a{,3}b{x}",
    ],
)
def test_what_cannot_is_not(expression):
    assert problem(expression) == ""


@pytest.mark.parametrize(
    "expression", ["(a", "a)", "*a", "a**", "a++", "(?>a)", "(?P=n)", "(?(1)a|b)", "[a", "a\\", "(?s)a", "^*"]
)
def test_what_is_no_expression_or_not_known_everywhere(expression):
    assert "no expression" in problem(expression)


def test_the_tree():
    assert parse("a.") == Sequence((Chars(1 << ord("a")), Chars(EVERY ^ 1 << 10)))
    assert parse("(?i:a)") == parse("[aA]") == parse("[A-Aa]")
    assert parse("[^\\W]") == parse("\\w")
    assert parse("[]x-]{2,}") == Repeat(Chars(sum(1 << ord(c) for c in "]x-")), 2, 1 << 30)
    with pytest.raises(ExpressionError):
        parse("a|*")


def test_lines_are_cut_to_what_the_rule_reckons_with():
    assert 2 * LONGEST <= LINE
    assert problem("x.{0,200}y.{0,200}z", SENTENCE) == ""
    assert problem("x.{0,200}y.{0,200}z", LINE)


def test_the_phrases_of_people():
    wrong = [
        (name, found) for name in phrases() for _, e in wordings(name) if (found := problem(e, SENTENCE))
    ]
    assert wrong == []


def test_every_expression_of_the_knowledge_base_is_fast_on_a_long_run_of_what_it_repeats(knowledge):
    """Not how fast, which depends on the machine: not for ever."""
    listed = {
        (expression, SENTENCE if signature.words else LINE)
        for found in knowledge.signatures().values()
        for signature in found
        for expression in (signature.pattern, signature.unless)
        if expression
    }
    assert len(listed) > 500
    started = time.process_time()
    for expression, longest in listed:
        compiled = re.compile(expression)
        for piece in ("a", " ", "=", "1", "a ", "1.", "/"):
            compiled.search((piece * longest)[:longest])
    assert time.process_time() - started < 120
