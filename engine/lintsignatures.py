"""Linter: signatures that do not match their own examples, or that could take for ever."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from typing import Any

from .model import FactSpec, Signature

if sys.version_info >= (3, 11):
    from re import _constants as codes  # type: ignore[attr-defined, unused-ignore]
    from re import _parser as parser  # type: ignore[attr-defined, unused-ignore]
else:
    import sre_constants as codes
    import sre_parse as parser

_SLOW = 0.02
_LONG = 4096


def check(spec: FactSpec) -> Iterator[str]:
    """The signatures of one fact."""
    for number, signature in enumerate(spec.signatures, start=1):
        where = f"{spec.path}: signature {number}"
        yield from (f"{where}: {problem}" for problem in _check(signature))


def _check(signature: Signature) -> Iterator[str]:
    for expression in filter(None, (signature.pattern, signature.unless)):
        try:
            tree = parser.parse(expression)
        except re.error as error:
            yield f"{expression!r} is no expression: {error}"
            return
        problem = unbounded(tree) or _measured(expression)
        if problem:
            yield f"{expression!r} {problem}"
            return
    if not signature.matches:
        yield "it has no line that must match"
    for line in signature.matches:
        if not finds(signature, line):
            yield f"it does not match its own example {line!r}"
    for line in signature.rejects:
        if finds(signature, line):
            yield f"it matches {line!r}, which it must not"
    if signature.words and any(text != text.lower() for text in signature.literals):
        yield "the literals of words must be in lower case"


def finds(signature: Signature, line: str) -> bool:
    """Whether the signature matches the line, literal and all."""
    text = line.lower() if signature.words else line
    if not any(literal in text for literal in signature.literals):
        return False
    if signature.pattern and not re.search(signature.pattern, text):
        return False
    return not (signature.unless and re.search(signature.unless, text))


def unbounded(tree: Any) -> str:
    """A repetition inside a repetition, neither with a bound: the classic way to run for ever."""
    return _walk(tree, inside=False)


def _walk(tree: Any, inside: bool) -> str:
    for operator, argument in tree:
        if operator in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            _low, high, body = argument
            large = high == codes.MAXREPEAT or high > 50
            if large and inside:
                return "repeats a repetition without a bound, so a line could take for ever"
            found = _walk(body, inside or large)
        elif operator is codes.SUBPATTERN:
            found = _walk(argument[3], inside)
        elif operator is codes.BRANCH:
            found = next(filter(None, (_walk(branch, inside) for branch in argument[1])), "")
        elif operator in (codes.ASSERT, codes.ASSERT_NOT):
            found = _walk(argument[1], inside)
        else:
            found = ""
        if found:
            return found
    return ""


def _measured(expression: str) -> str:
    """Slow on a long line of the kind that makes it backtrack."""
    compiled = re.compile(expression)
    words = re.findall(r"[A-Za-z0-9_/]{2,}", expression)
    for piece in ("a", " ", "=", "1", *words[:6]):
        line = (piece + " ") * (_LONG // (len(piece) + 1))
        started = time.thread_time()  # not the clock on the wall: the machine may be busy
        compiled.search(line)
        if time.thread_time() - started > _SLOW:
            started = time.thread_time()  # once more: the first search may have met cold caches
            compiled.search(line)
            if time.thread_time() - started > _SLOW:
                return f"takes more than {_SLOW * 1000:.0f} ms on a line of {_LONG} characters"
    return ""
