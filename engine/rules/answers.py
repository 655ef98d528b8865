"""What could be answered to a question, as far as the rules can tell answers apart, and how likely it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..facts import UNSET, Value
from ..model import Condition, FactSpec, Test
from ..patterns import lazy_pattern
from .conditions import leaves

_MOST = 12
"""Answers weighed per question; further bounds of a version would hardly change the gain."""


def answers(spec: FactSpec, conditions: Iterable[Condition]) -> tuple[Value, ...]:
    """All values of a type, or one for each side of each bound that the conditions draw."""
    if spec.type == "bool":
        return (True, False)
    if spec.type == "choice":
        return spec.values
    found: dict[Value, None] = {}
    for condition in conditions:
        for test in leaves(condition):
            if test.fact == spec.name:
                for value in _samples(spec, test):
                    found[value] = None
    chosen = list(found)[: _MOST - 1]
    elsewhere = UNSET if spec.name.startswith("env.") else _ELSEWHERE.get(spec.type, "something else")
    return tuple(dict.fromkeys([*chosen, elsewhere]))


_ELSEWHERE: dict[str, Value] = {"int": 0, "version": "0.0.1"}
_BOUND = lazy_pattern(r"\d[\w.]*")


def _samples(spec: FactSpec, test: Test) -> Iterator[Value]:
    if test.operator in ("in", "contains"):
        for value in test.listed:
            yield str(value).removesuffix(".*") if spec.type == "version" else value
    elif test.operator == "range":
        for bound in (found.rstrip(".") for found in _BOUND.findall(test.text)):
            if spec.type == "int":
                yield from (int(float(bound)), int(float(bound)) + 1)
            else:
                yield from (bound, bound + ".1")
    elif test.operator == "set":
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
