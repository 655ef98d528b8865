"""What the session needs of a rule engine, whichever one does the work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..errors import EngineError
from ..facts import Value
from .program import Conclusion


class MatcherError(EngineError):
    """The rule engine could not be loaded, or failed."""


class Matcher(Protocol):
    """Keeps what follows from the facts told so far, while facts come and go."""

    name: str

    def assign(self, fact: str, value: Value | None) -> None:
        """The fact has this value now; None: it is not known any more."""

    def value(self, fact: str) -> Value | None:
        """The value told, or else derived by a rule."""

    def values(self) -> Mapping[str, Value]:
        """Every fact that is known, told or derived."""

    def derivation(self, fact: str) -> tuple[Value, int] | None:
        """What only a rule establishes of a fact: the value and the number of the derivation."""

    def derived(self) -> Mapping[str, tuple[Value, int]]:
        """Facts that only rules establish: the value and the number of the derivation."""

    def conclusions(self) -> frozenset[Conclusion]:
        """Everything concluded, apart from derived values; complete for incidents worth considering."""

    def close(self) -> None:
        """Free what the engine holds."""
