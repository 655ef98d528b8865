"""Phrases: how engineers say one thing, in English and Chinese, so that signatures are written from meaning.

A signature ``near: [hang, barrier]`` holds for a line in which a wording of both stands within one sentence, in
either order. A wording is an expression that begins with fixed text; that text is what is searched for.
"No hang", "does not hang", "不会卡住" are no hang: phrases that can be denied do not count behind a denial.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from ..model import Signature
from ..patterns import compiled, lazy_pattern
from . import phrasebook

WITHIN = 80
"""Characters, at most, between two phrases of one sentence."""
DENIALS = (
    "no ", "not ", "never ", "n't ", "nt ", "without ", "without a ", "without any ", "no longer ", "no more ",
    "not get ", "n't get ", "free of ", "不", "不会", "不再", "没有", "没", "无", "未",
)  # fmt: skip
SENTENCE_ENDS = lazy_pattern(r"[;!?。；！？]|\.(?=\s)")
MOST = 40
"""Places of one wording that are looked at in one line."""
Span = tuple[int, int]


def expand(signature: Signature) -> Signature:
    """The signature as it is matched: with the literals of its first phrase.

    Done when a knowledge base is compiled. Raises KeyError for a phrase that is not known.
    """
    if not signature.near:
        return signature
    literals = dict.fromkeys(fixed for fixed, _ in wordings(signature.near[0]))
    return signature._replace(literals=tuple(literals), words=True)


def holds(signature: Signature, line: str) -> bool:
    """Whether the phrases of ``near`` stand together in the line (lower case), and none of ``unless_near`` in it."""
    first, *rest = signature.near
    spans = places(first, line)
    if rest:
        others = places(rest[0], line) if spans else []
        if not any(_together(one, other, line) for one in spans for other in others):
            return False
    return bool(spans) and not any(places(name, line) for name in signature.unless_near)


def problem(signature: Signature) -> str:
    """What is wrong with the phrases of a signature, or nothing."""
    unknown = [name for name in (*signature.near, *signature.unless_near) if name not in phrasebook.phrases()]
    if unknown:
        return f'there is no phrase "{unknown[0]}"; known are {", ".join(phrasebook.phrases())}'
    if len(signature.near) not in (1, 2):
        return '"near" takes one or two phrases'
    if signature.literals or signature.pattern:
        return '"near" stands in place of "literal" and "pattern"'
    return ""


@lru_cache(maxsize=512)
def places(name: str, line: str) -> list[Span]:
    """Where a wording of the phrase stands in the line and is not denied."""
    deniable = phrasebook.phrases()[name].deniable
    found = []
    for fixed, expression in wordings(name):
        if fixed in line:
            for match in islice(compiled(expression).finditer(line), MOST):
                if not (deniable and line.endswith(DENIALS, 0, match.start())):
                    found.append(match.span())
    return found


def _together(one: Span, other: Span, line: str) -> bool:
    (_, end), (start, _) = sorted((one, other))
    return 0 <= start - end <= WITHIN and not SENTENCE_ENDS.search(line, end, start)


@lru_cache(maxsize=64)
def wordings(name: str) -> tuple[tuple[str, str], ...]:
    """Fixed text and expression of each wording.

    Words begin where no Latin letter stands before them; Chinese is written without spaces.
    """
    return tuple(
        (fixed, ("(?<![a-z0-9])" if expression[0].isascii() else "") + expression)
        for line in phrasebook.phrases()[name].wordings
        for told, _, expression in [line.rpartition(" => ")]
        for fixed in ([told] if told else _beginnings(expression))
    )


def _beginnings(expression: str) -> list[str]:
    """The fixed text with which a wording begins; of several beginnings each."""
    group = compiled(r"\(\?:([a-z |]+)\)(\??)").match(expression)
    if group and not group[2]:
        rest = _leading(expression[group.end() :])
        return [start + rest for start in group[1].split("|")]
    if group:  # an optional beginning: what follows it must be there
        return _beginnings(expression[group.end() :])
    return [_leading(expression)]


def _leading(expression: str) -> str:
    found = compiled(r"[^\\()\[\]{}?*+|.]*").match(expression)
    text = found[0] if found else ""
    return text[:-1] if expression[len(text) : len(text) + 1] in ("?", "*", "{") else text
