"""Facts files: a flat YAML map from fact names to values, taken whole or not at all.

A value may also be ``{unknown: REASON}`` for a fact that could not be established. Several nodes stand
under ``nodes: {NAME: {...}}``; what stands beside holds for all of them. What a probe wrote on a node (see
``capture``) is a facts file as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import EngineError, FactError, FactErrors
from ..tuples import NamedTuple
from .statements import FILE, CannotTell, Fact, Origin, Statement
from .typeof import TypeOf
from .values import parse_value
from .yamltext import Document, YamlError, read_yaml

if TYPE_CHECKING:
    from .nodefacts import NodeFacts, NodeFactsReader

UNKNOWN = "unknown"
NODES = "nodes"


class FactsFile(NamedTuple):
    """What one file says: of the whole job, and of nodes."""

    statements: list[Statement]
    nodes: list[NodeFacts]


def read_any(text: str, where: str, reader: Callable[[], NodeFactsReader], type_of: TypeOf) -> FactsFile:
    """A facts file of any kind; ``reader`` is asked for where it is of nodes. Raises FactError or YamlError."""
    if is_node_facts(text) or (where.endswith(".json") and not text.strip()):
        return FactsFile([], [reader().read(text, where)])
    document = read_yaml(text, where)
    if not isinstance(document.data, dict) or NODES not in document.data:
        return FactsFile(_statements(document, type_of), [])
    written = document.data.pop(NODES)
    if not isinstance(written, dict) or not all(isinstance(facts, dict) for facts in written.values()):
        raise FactError('"nodes" maps names of nodes to their facts', document.place(NODES))
    nodes = []
    for host, facts in written.items():
        said = _all([(name, raw, document.place(NODES, host, name)) for name, raw in facts.items()], type_of)
        nodes.append(reader().named(host, said, document.place(NODES, host)))
    return FactsFile(_statements(document, type_of) if document.data else [], nodes)


def is_node_facts(text: str) -> bool:
    """Whether a text is, or begins as, the JSON of a probe."""
    start = text.lstrip()[:200]
    return start.startswith("{") and "schema" in start


def read_facts(text: str, where: str, type_of: TypeOf) -> list[Statement]:
    """The statements of a facts file. Raises FactError or YamlError with the place."""
    return _statements(read_yaml(text, where), type_of)


def _statements(document: Document, type_of: TypeOf) -> list[Statement]:
    where = document.where
    if document.data is None:
        raise FactError("the file holds no facts", where)
    if not isinstance(document.data, dict):
        raise FactError("a facts file maps fact names to values, as in gpu.vendor: amd", f"{where}:1")
    return _all([(name, raw, document.place(name)) for name, raw in document.data.items()], type_of)


def _all(said: list[tuple[str, Any, str]], type_of: TypeOf) -> list[Statement]:
    """Every statement; what is wrong with them in one error, a line for each."""
    found, wrong = [], []
    for name, raw, place in said:
        try:
            found.append(_statement(name, raw, place, type_of))
        except FactError as error:
            wrong.append(error)
            if len(wrong) == FactErrors.MOST:
                break
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise FactErrors(wrong)
    return found


def statements_from(facts: dict[str, Any], where: str, type_of: TypeOf) -> list[Statement]:
    """The statements of a mapping that was read already. Raises FactError."""
    return [_statement(name, raw, where, type_of) for name, raw in facts.items()]


def _statement(name: str, raw: Any, place: str, type_of: TypeOf) -> Statement:
    origin = Origin(FILE, place)
    if isinstance(raw, dict) and raw and list(raw) != [UNKNOWN]:
        inside = next(iter(raw))
        raise FactError(
            f'facts are flat: write "{name}.{inside}: ..." instead of {inside} below {name}', place
        )
    try:
        spec = type_of(name)
        if isinstance(raw, dict) and list(raw) == [UNKNOWN]:
            return CannotTell(name, str(raw[UNKNOWN] or "not stated"), origin)
        if raw is None:
            return CannotTell(name, "left empty", origin)
        return Fact(name, parse_value(spec, raw), origin)
    except EngineError as error:
        raise FactError(error.message, place) from None


__all__ = ["UNKNOWN", "FactsFile", "YamlError", "is_node_facts", "read_any", "read_facts", "statements_from"]
