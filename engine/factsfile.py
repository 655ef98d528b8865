"""Facts files: a flat YAML map from fact names to values, taken whole or not at all.

A value may also be ``{unknown: REASON}`` for a fact that could not be established. Several nodes stand
under ``nodes: {NAME: {...}}``.
"""

from __future__ import annotations

from typing import Any

from .errors import EngineError, FactError
from .facts import FILE, CannotTell, Fact, Origin, Statement
from .facttypes import TypeOf
from .values import parse_value
from .yamltext import YamlError, read_yaml

UNKNOWN = "unknown"


def read_facts(text: str, where: str, type_of: TypeOf) -> list[Statement]:
    """The statements of a facts file. Raises FactError or YamlError with the place."""
    document = read_yaml(text, where)
    if document.data is None:
        raise FactError("the file holds no facts", where)
    if not isinstance(document.data, dict):
        raise FactError("a facts file maps fact names to values, as in gpu.vendor: amd", f"{where}:1")
    return [_statement(name, raw, document.place(name), type_of) for name, raw in document.data.items()]


def statements_from(facts: dict[str, Any], where: str, type_of: TypeOf) -> list[Statement]:
    """The statements of a mapping that was read already. Raises FactError."""
    return [_statement(name, raw, where, type_of) for name, raw in facts.items()]


def _statement(name: str, raw: Any, place: str, type_of: TypeOf) -> Statement:
    origin = Origin(FILE, place)
    try:
        spec = type_of(name)
        if isinstance(raw, dict) and list(raw) == [UNKNOWN]:
            return CannotTell(name, str(raw[UNKNOWN] or "not stated"), origin)
        if raw is None:
            return CannotTell(name, "left empty", origin)
        return Fact(name, parse_value(spec, raw), origin)
    except EngineError as error:
        raise FactError(error.message, place) from None


__all__ = ["UNKNOWN", "YamlError", "read_facts", "statements_from"]
