"""What could be answered to a question, as far as the rules can tell answers apart, and how likely it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .conditions import leaves
from .model import Cond, FactSpec
from .values import UNSET, Value

_MOST = 12
"""Answers weighed per question; further bounds of a version would hardly change the gain."""


def answers(spec: FactSpec, conditions: Iterable[Cond]) -> tuple[Value, ...]:
    """All values of a type, or one for each side of each bound that the conditions draw."""
    if spec.type == "bool":
        return (True, False)
    if spec.type == "choice":
        return spec.values
    found: dict[Value, None] = {}
    for condition in conditions:
        for leaf in leaves(condition):
            if leaf[1] == spec.name:
                for value in _samples(spec, leaf):
                    found[value] = None
    chosen = list(found)[: _MOST - 1]
    elsewhere = UNSET if spec.name.startswith("env.") else _ELSEWHERE.get(spec.type, "something else")
    return tuple(dict.fromkeys([*chosen, elsewhere]))


_ELSEWHERE: dict[str, Value] = {"int": 0, "version": "0.0.1"}
_BOUND = re.compile(r"\d[\w.]*")


def _samples(spec: FactSpec, leaf: Cond) -> Iterator[Value]:
    operator, argument = leaf[2], leaf[3]
    if operator in ("in", "contains"):
        yield from ((one.removesuffix(".*") for one in argument) if spec.type == "version" else argument)
    elif operator == "range":
        for bound in (found.rstrip(".") for found in _BOUND.findall(argument)):
            if spec.type == "int":
                yield from (int(float(bound)), int(float(bound)) + 1)
            else:
                yield from (bound, bound + ".1")
    elif operator == "set":
        yield "1"


def base_rates(spec: FactSpec, listed: tuple[Value, ...], read_before: bool) -> list[float]:
    """How likely each answer is where nothing special is the matter.

    ``read_before``: a log was read already, so that a sign which logs show would have been found there.
    """
    if spec.type != "bool":
        return [1 / len(listed)] * len(listed)
    if not spec.sign:
        yes = 0.3
    elif read_before and any(not signature.words for signature in spec.signatures):
        yes = 0.003
    else:
        yes = 0.08
    return [yes if answer else 1 - yes for answer in listed]
