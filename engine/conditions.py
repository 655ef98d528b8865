"""Conditions over facts, in three values: true, false, and not known (Kleene's strong logic).

Canonical form, plain JSON so that a compiled knowledge base can hold it::

    ["is", FACT, OPERATOR, ARGUMENT]      a test of one fact
    ["all", [...]]  ["any", [...]]  ["not", ...]

Operators: ``in`` (one of the listed values), ``range`` (``>=2.10,<2.45``), ``known``, ``set``,
``unset``, ``contains`` (text, ignoring case), ``matches`` (an expression), ``items`` (a range for the
number of comma-separated items), and ``above``, ``below``, ``same`` (compared with another fact).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .errors import EngineError
from .facttypes import TypeOf
from .model import Cond, FactSpec
from .predicates import OPERATORS, RANGE_START
from .values import parse_value
from .versions import VersionError, VersionRange

Truth = bool | None

_GROUPS = ("all", "any", "not")


class ConditionError(EngineError):
    """A condition is written wrongly: unknown fact, matcher that the type does not have."""


def parse(raw: Any, type_of: TypeOf) -> Cond:
    """Canonical form of a condition as it stands in a head.

    ``raw`` is a mapping of facts to matchers (all of them must hold) or of ``all``, ``any``, ``not``;
    ``type_of`` gives the vocabulary entry of a fact name. Raises ConditionError.
    """
    if not isinstance(raw, Mapping) or not raw:
        raise ConditionError("a condition is a mapping such as {gpu.vendor: amd}")
    parts: list[Cond] = []
    for key, value in raw.items():
        if key in _GROUPS:
            parts.append(_group(key, value, type_of))
        else:
            parts.append(_leaf(type_of(key), key, value))
    return parts[0] if len(parts) == 1 else ["all", parts]


def _group(key: str, value: Any, type_of: TypeOf) -> Cond:
    if key == "not":
        return ["not", parse(value, type_of)]
    if isinstance(value, Mapping):
        value = [{name: matcher} for name, matcher in value.items()]
    if not isinstance(value, list) or not value:
        raise ConditionError(f'"{key}" takes a list of conditions')
    parts = [parse(item, type_of) for item in value]
    return parts[0] if len(parts) == 1 else [key, parts]


def _leaf(spec: FactSpec, fact: str, matcher: Any) -> Cond:
    if isinstance(matcher, Mapping):
        if len(matcher) != 1:
            raise ConditionError(f"{fact}: a matcher has exactly one operator")
        ((operator, argument),) = matcher.items()
        if operator not in OPERATORS or operator == "in":
            raise ConditionError(f'{fact}: there is no matcher "{operator}"')
        return _named(spec, fact, operator, argument)
    if isinstance(matcher, list):
        return ["is", fact, "in", [_value(spec, fact, item) for item in matcher]]
    if matcher is None:
        raise ConditionError(f"{fact}: the value to compare with is missing")
    text = str(matcher)
    if spec.name.startswith("env.") and text in ("set", "unset"):
        return ["is", fact, text, None]
    if spec.type in ("version", "int") and text.startswith(RANGE_START):
        return ["is", fact, "range", _range(fact, text)]
    if spec.type == "version" and text.endswith(".*"):
        return ["is", fact, "range", _range(fact, "==" + text)]
    return ["is", fact, "in", [_value(spec, fact, text)]]


def _named(spec: FactSpec, fact: str, operator: str, argument: Any) -> Cond:
    if operator == "known":
        if argument not in ("true", True):
            raise ConditionError(f"{fact}: known takes true; use not around it for the contrary")
        return ["is", fact, "known", None]
    if operator in ("set", "unset"):
        raise ConditionError(f"{fact}: write {fact}: {operator}")
    if operator == "contains":
        words = argument if isinstance(argument, list) else [argument]
        return ["is", fact, "contains", [str(word).lower() for word in words]]
    if operator in ("above", "below", "same"):
        return ["is", fact, operator, str(argument)]
    if operator in ("range", "items"):
        return ["is", fact, operator, _range(fact, str(argument))]
    return ["is", fact, operator, str(argument)]


def _value(spec: FactSpec, fact: str, text: Any) -> Any:
    try:
        return parse_value(spec, text)
    except EngineError as error:
        raise ConditionError(f"{fact}: {error.message}") from None


def _range(fact: str, text: str) -> str:
    try:
        VersionRange(text)
    except VersionError as error:
        raise ConditionError(f"{fact}: {error}") from None
    return text


def leaves(condition: Cond) -> Iterator[Cond]:
    """Every test of a fact inside the condition, in reading order."""
    kind = condition[0]
    if kind == "is":
        yield condition
    elif kind == "not":
        yield from leaves(condition[1])
    else:
        for part in condition[1]:
            yield from leaves(part)


def facts_of(condition: Cond) -> Iterator[str]:
    """Every fact that the condition reads, in reading order, with repetitions."""
    for leaf in leaves(condition):
        yield leaf[1]
        if leaf[2] in ("above", "below", "same"):
            yield leaf[3]


def evaluate(condition: Cond, truth: Callable[[Cond], Truth]) -> Truth:
    """Kleene's strong three-valued evaluation; ``truth`` answers for a single test."""
    kind = condition[0]
    if kind == "is":
        return truth(condition)
    if kind == "not":
        inner = evaluate(condition[1], truth)
        return None if inner is None else not inner
    decided_by = kind == "any"  # one true decides "any", one false decides "all"
    unknown = False
    for part in condition[1]:
        one = evaluate(part, truth)
        if one is decided_by:
            return decided_by
        unknown = unknown or one is None
    return None if unknown else not decided_by


def witnesses(condition: Cond, truth: Callable[[Cond], Truth], wanted: bool = True) -> list[Cond]:
    """The tests that make the condition ``wanted``: the facts under a conclusion.

    For an alternative the first branch that holds. Empty if the condition is not ``wanted``.
    """
    if evaluate(condition, truth) is not wanted:
        return []
    kind = condition[0]
    if kind == "is":
        return [condition]
    if kind == "not":
        return witnesses(condition[1], truth, not wanted)
    together = (kind == "all") is wanted
    found: list[Cond] = []
    for part in condition[1]:
        if evaluate(part, truth) is wanted:
            found += witnesses(part, truth, wanted)
            if not together:
                break
    return found


_WORDS = {
    "contains": "contains {}",
    "matches": "matches {}",
    "above": "is above {}",
    "below": "is below {}",
    "same": "is the same as {}",
    "items": "has {} items",
    "range": "{}",
}


def words(condition: Cond, negated: bool = False) -> str:
    """The condition in English: ``gpu.vendor is amd and rocm.version <7.2.1``."""
    kind = condition[0]
    if kind == "not":
        return words(condition[1], not negated)
    if kind != "is":
        joiner = " and " if (kind == "all") is not negated else " or "
        parts = [words(part, negated) for part in condition[1]]
        return joiner.join(f"({p})" if (" and " in p or " or " in p) and len(parts) > 1 else p for p in parts)
    _, fact, operator, argument = condition
    if operator in ("known", "set", "unset"):
        text = f"{fact} is {'not ' if negated else ''}{operator}"
    elif operator == "in":
        if len(argument) == 1 and isinstance(argument[0], bool):
            return f"{fact} is {'yes' if argument[0] is not negated else 'no'}"
        text = f"{fact} is {'not ' if negated else ''}{' or '.join(map(str, argument))}"
    else:
        shown = " or ".join(argument) if isinstance(argument, list) else argument
        text = f"{fact} {'not ' if negated else ''}{_WORDS[operator].format(shown)}"
    return text
