"""Linter: signatures that do not match their own examples, or that could take for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...language.backtracking import problem
from ...language.matching import LINE, SENTENCE, read
from ...model import FactSpec, Signature


def check(spec: FactSpec) -> Iterator[str]:
    """The signatures of one fact."""
    for number, signature in enumerate(spec.signatures, start=1):
        where = f"{spec.path}: signature {number}"
        yield from (f"{where}: {problem}" for problem in _check(signature))


def _check(signature: Signature) -> Iterator[str]:
    for expression in filter(None, (signature.pattern, signature.unless)):
        try:
            re.compile(expression)
        except re.error as error:
            yield f"{expression!r} is no expression: {error}"
            return
        if wrong := problem(expression, SENTENCE if signature.words else LINE):
            yield f"{expression!r} {wrong}"
            return
    if not signature.matches:
        yield "it has no line that must match"
    for line in signature.matches:
        if read(signature, line) is None:
            yield f"it does not match its own example {line!r}"
    for line in signature.rejects:
        if read(signature, line) is not None:
            yield f"it matches {line!r}, which it must not"
    if signature.words and any(text != text.lower() for text in signature.literals):
        yield "the literals of words must be in lower case"
