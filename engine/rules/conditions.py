"""Conditions over facts, in three values: true, false, and not known (Kleene's strong logic).

``parse`` makes one from a head; ``as_json`` and ``from_json`` are its form in a compiled knowledge base::

    ["is", FACT, OPERATOR, ARGUMENT]      a test of one fact
    ["all", [...]]  ["any", [...]]  ["not", ...]

Operators: ``in`` (one of the listed values), ``range`` (``>=2.10,<2.45``), ``known``, ``set``,
``unset``, ``contains`` (text, ignoring case), ``matches`` (an expression), ``items`` (a range for the
number of comma-separated items), and ``above``, ``below``, ``same`` (compared with another fact).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import EngineError
from ..facts import TypeOf, Value, VersionError, VersionRange, parse_value
from ..model import All, Condition, Either, FactSpec, Not, Test
from .predicates import OPERATORS, RANGE_START

Truth = bool | None

_GROUPS = ("all", "any", "not")


class ConditionError(EngineError):
    """A condition is written wrongly: unknown fact, matcher that the type does not have."""


def parse(raw: Any, type_of: TypeOf) -> Condition:
    """A condition as it stands in a head.

    ``raw`` is a mapping of facts to matchers (all of them must hold) or of ``all``, ``any``, ``not``;
    ``type_of`` gives the vocabulary entry of a fact name. Raises ConditionError.
    """
    if not isinstance(raw, Mapping) or not raw:
        raise ConditionError("a condition is a mapping such as {gpu.vendor: amd}")
    parts: list[Condition] = []
    for key, value in raw.items():
        if key in _GROUPS:
            parts.append(_group(key, value, type_of))
        else:
            parts.append(_leaf(type_of(key), key, value))
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _group(key: str, value: Any, type_of: TypeOf) -> Condition:
    if key == "not":
        return Not(parse(value, type_of))
    if isinstance(value, Mapping):
        value = [{name: matcher} for name, matcher in value.items()]
    if not isinstance(value, list) or not value:
        raise ConditionError(f'"{key}" takes a list of conditions')
    parts = tuple(parse(item, type_of) for item in value)
    if len(parts) == 1:
        return parts[0]
    return All(parts) if key == "all" else Either(parts)


def _leaf(spec: FactSpec, fact: str, matcher: Any) -> Test:
    if isinstance(matcher, Mapping):
        if len(matcher) != 1:
            raise ConditionError(f"{fact}: a matcher has exactly one operator")
        ((operator, argument),) = matcher.items()
        if operator not in OPERATORS or operator == "in":
            raise ConditionError(f'{fact}: there is no matcher "{operator}"')
        return _named(spec, fact, operator, argument)
    if isinstance(matcher, list):
        return Test(fact, "in", tuple(_value(spec, fact, item) for item in matcher))
    if matcher is None:
        raise ConditionError(f"{fact}: the value to compare with is missing")
    text = str(matcher)
    if spec.name.startswith("env.") and text in ("set", "unset"):
        return Test(fact, text)
    if spec.type in ("version", "int") and text.startswith(RANGE_START):
        return Test(fact, "range", _range(fact, text))
    if spec.type == "version" and text.endswith(".*"):
        return Test(fact, "range", _range(fact, "==" + text))
    return Test(fact, "in", (_value(spec, fact, text),))


def _named(spec: FactSpec, fact: str, operator: str, argument: Any) -> Test:
    if operator == "known":
        if argument not in ("true", True):
            raise ConditionError(f"{fact}: known takes true; use not around it for the contrary")
        return Test(fact, "known")
    if operator in ("set", "unset"):
        raise ConditionError(f"{fact}: write {fact}: {operator}")
    if operator == "contains":
        words = argument if isinstance(argument, list) else [argument]
        return Test(fact, "contains", tuple(str(word).lower() for word in words))
    if operator in ("range", "items"):
        return Test(fact, operator, _range(fact, str(argument)))
    return Test(fact, operator, str(argument))


def _value(spec: FactSpec, fact: str, text: Any) -> Value:
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


def as_json(condition: Condition) -> list[Any]:
    """The condition as plain JSON."""
    if isinstance(condition, Test):
        argument = condition.argument
        return [
            "is",
            condition.fact,
            condition.operator,
            list(argument) if isinstance(argument, tuple) else argument,
        ]
    if isinstance(condition, Not):
        return ["not", as_json(condition.part)]
    return [condition.kind, [as_json(part) for part in condition.parts]]


def from_json(data: list[Any]) -> Condition:
    """The condition out of plain JSON."""
    kind = data[0]
    if kind == "is":
        return test_from_json(data)
    if kind == "not":
        return Not(from_json(data[1]))
    parts = tuple([test_from_json(part) if part[0] == "is" else from_json(part) for part in data[1]])
    return All(parts) if kind == "all" else Either(parts)


def test_from_json(data: list[Any]) -> Test:
    """A single test out of plain JSON."""
    _, fact, operator, argument = data
    return Test(fact, operator, tuple(argument) if isinstance(argument, list) else argument)


def leaves(condition: Condition) -> list[Test]:
    """Every test of a fact inside the condition, in reading order."""
    if isinstance(condition, Test):
        return [condition]
    if isinstance(condition, Not):
        return leaves(condition.part)
    found: list[Test] = []
    for part in condition.parts:
        if isinstance(part, Test):
            found.append(part)
        else:
            found += leaves(part)
    return found


def facts_of(condition: Condition) -> list[str]:
    """Every fact that the condition reads, in reading order, with repetitions."""
    return [fact for test in leaves(condition) for fact in test.reads]


def evaluate(condition: Condition, truth: Callable[[Test], Truth]) -> Truth:
    """Kleene's strong three-valued evaluation; ``truth`` answers for a single test."""
    if isinstance(condition, Test):
        return truth(condition)
    if isinstance(condition, Not):
        inner = evaluate(condition.part, truth)
        return None if inner is None else not inner
    decided_by = isinstance(condition, Either)  # one true decides "any", one false decides "all"
    unknown = False
    for part in condition.parts:
        one = truth(part) if isinstance(part, Test) else evaluate(part, truth)
        if one is decided_by:
            return decided_by
        unknown = unknown or one is None
    return None if unknown else not decided_by


def witnesses(condition: Condition, truth: Callable[[Test], Truth], wanted: bool = True) -> list[Test]:
    """The tests that make the condition ``wanted``: the facts under a conclusion.

    For an alternative the first branch that holds. Empty if the condition is not ``wanted``.
    """
    if evaluate(condition, truth) is not wanted:
        return []
    if isinstance(condition, Test):
        return [condition]
    if isinstance(condition, Not):
        return witnesses(condition.part, truth, not wanted)
    together = isinstance(condition, All) is wanted
    found: list[Test] = []
    for part in condition.parts:
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


def words(condition: Condition, negated: bool = False) -> str:
    """The condition in English: ``gpu.vendor is amd and rocm.version <7.2.1``."""
    if isinstance(condition, Not):
        return words(condition.part, not negated)
    if not isinstance(condition, Test):
        joiner = " and " if isinstance(condition, All) is not negated else " or "
        parts = [words(part, negated) for part in condition.parts]
        return joiner.join(f"({p})" if (" and " in p or " or " in p) and len(parts) > 1 else p for p in parts)
    fact, operator, listed = condition.fact, condition.operator, condition.listed
    if operator in ("known", "set", "unset"):
        text = f"{fact} is {'not ' if negated else ''}{operator}"
    elif operator == "in":
        if len(listed) == 1 and isinstance(listed[0], bool):
            return f"{fact} is {'yes' if listed[0] is not negated else 'no'}"
        text = f"{fact} is {'not ' if negated else ''}{' or '.join(map(str, listed))}"
    else:
        shown = " or ".join(map(str, listed)) or condition.text
        text = f"{fact} {'not ' if negated else ''}{_WORDS[operator].format(shown)}"
    return text
