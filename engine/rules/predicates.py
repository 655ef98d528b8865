"""Tests of a single fact, decided in typed Python before any rule engine sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..facts import SET, UNSET, Value, VersionRange, compatible, magnitude, parse_version
from ..model import FactSpec, Test
from ..patterns import compiled

OPERATORS = ("in", "range", "known", "set", "unset", "contains", "matches", "items", "above", "below", "same")
RANGE_START = (">", "<", "==", "!=")


class Predicate:
    """A ``Test``, prepared so that it is cheap to repeat."""

    def __init__(self, test: Test, spec: FactSpec) -> None:
        self.test = test
        self.fact, self.operator = test.fact, test.operator
        self._spec = spec
        self._is_env = spec.name.startswith("env.")
        self._made: Any = None

    @property
    def _prepared(self) -> Any:
        """The argument as ``holds`` needs it; made when the fact is known, which most are not in most runs.

        Kept by hand: ``cached_property`` takes a lock before Python 3.12.
        """
        if self._made is None:
            self._made = self._prepare()
        return self._made

    def _prepare(self) -> Any:
        if self.operator in ("range", "items"):
            return VersionRange(self.test.text)
        if self.operator == "matches":
            return compiled(self.test.text, re.IGNORECASE)
        return self._prepare_values()

    def _prepare_values(self) -> Any:
        if self._spec.type == "version":
            return [VersionRange(f"=={value}") for value in self.test.listed]
        return frozenset(str(value).lower() for value in self.test.listed)

    def holds(self, values: Mapping[str, Value]) -> bool | None:
        """True, False, or None if a fact that it reads is not known."""
        value = values.get(self.fact)
        if value is None:
            return None
        operator = self.operator
        if operator == "known":
            return True
        if operator in ("set", "unset"):
            return (value == UNSET) is (operator == "unset")
        if self._is_env and value in (SET, UNSET):
            return None if value == SET else False
        if operator == "in":
            return self._in(value)
        if operator == "range" and isinstance(value, int):
            holds: bool = self._prepared.holds_number(magnitude(self._spec, value))
            return holds
        if operator == "range":
            version = parse_version(str(value), self.fact)
            answer: bool | None = self._prepared.holds(version)
            return answer
        if operator in ("above", "below", "same"):
            return self._compare(value, values.get(self.test.text))
        text = str(value)
        if operator == "contains":
            lowered = text.lower()
            return any(str(word) in lowered for word in self.test.listed)
        if operator == "matches":
            return bool(self._prepared.search(text))
        count = len([item for item in text.split(",") if item.strip()])
        return count_holds(self._prepared, count)

    def _in(self, value: Value) -> bool | None:
        if self._spec.type == "text":
            return str(value).lower() in self._prepared
        if self._spec.type != "version":
            return value in self.test.listed  # a few values: looked through sooner than made a set
        version = parse_version(str(value), self.fact)
        answers = [wanted.holds(version) for wanted in self._prepared]
        if True in answers:
            return True
        return None if None in answers else False

    def _compare(self, value: Value, other: Value | None) -> bool | None:
        if other is None or other in (SET, UNSET):
            return None
        if self._spec.type == "version":
            first, second = parse_version(str(value), self.fact), parse_version(str(other), self.test.text)
            if compatible(first, second):
                return self.operator == "same"
            return {"above": first > second, "below": first < second, "same": False}[self.operator]
        if self.operator == "same":
            return value == other
        if isinstance(value, int) and isinstance(other, int):
            value = magnitude(self._spec, value)
            return value > other if self.operator == "above" else value < other
        return None


def count_holds(wanted: VersionRange, count: int) -> bool | None:
    """Whether a number of items lies in the range."""
    return wanted.holds(parse_version(str(count)))
