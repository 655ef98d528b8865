"""Facts of nodes: what a probe found on one node, as one JSON document that travels.

``{"schema": "gpudoctor/facts/1", "host": NAME, "boot_id": ID, "taken": TIME,
"facts": [{"name": ..., "value": ..., "from": [{"kind", "where", "text"}]}],
"gaps": [{"fact": ..., "reason": ...}]}``. It is taken whole or not at all.
"""

import json
import os
from collections.abc import Iterable
from typing import Any

from ..characters import seen
from ..errors import EngineError, FactError
from ..patterns import lazy_pattern
from ..redaction import redact
from ..tuples import NamedTuple
from .hostlist import HOST
from .secrecy import shown
from .statements import PROBE, RULE, TRUSTS, UNCOUNTED, CannotTell, Fact, Origin, Statement, order
from .typeof import TypeOf
from .values import UNSET, Value, parse_value

SCHEMA = "gpudoctor/facts/1"
_WORD = lazy_pattern(r"[\w.+-]{0,40}\s*")
_LONGEST = 4096
_BESIDE = "not applicable"
"""What a fact that concerns nothing on the node has for a reason: no gap."""
_SHOWN = 300
_MOST_ORIGINS = 3

Pair = tuple[str, Value]
Gap = tuple[str, str]


class NodeFacts(NamedTuple):
    """The facts of one node. ``also``: what other sources on the node said instead; ``whole_environment``: a
    variable that is not among the facts is not set."""

    host: str
    boot_id: str
    taken: str
    where: str
    facts: tuple[Pair, ...]
    gaps: tuple[Gap, ...]
    origins: dict[str, tuple[Origin, ...]]
    whole_environment: bool
    also: tuple[Fact, ...] = ()


class NodeFactsReader:
    """Reads the facts of many nodes; equal facts are typed once and kept once."""

    def __init__(self, type_of: TypeOf) -> None:
        self._type_of = type_of
        self._pairs: dict[tuple[str, str, str], Pair] = {}

    def read(self, text: str, where: str) -> NodeFacts:
        """The facts of a node in a JSON text. Raises FactError with one sentence."""
        if not text.strip():
            raise FactError("the file is empty: the probe wrote nothing", where)
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated") or _WORD.fullmatch(text, error.pos)
            why = "the file ends in the middle" if cut else f"this is not JSON: {error.msg}"
            raise FactError(why, f"{where}:{error.lineno}") from None
        except (RecursionError, ValueError):
            raise FactError("this is not JSON that a probe writes", where) from None
        return self.take(data, where)

    def take(self, data: Any, where: str) -> NodeFacts:
        """The facts of a node in a document that was parsed already. Raises FactError."""
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise FactError(f"this is no capture of a node ({SCHEMA})", where)
        host, boot_id, taken = (_text(data.get(key), where, key) for key in ("host", "boot_id", "taken"))
        host = host or os.path.splitext(os.path.basename(where))[0]  # a captured tree does not know its name
        if not HOST.match(host):
            raise FactError(f'"{host[:60]}" is not a host name', where)
        entries, gaps = data.get("facts"), data.get("gaps", [])
        if not isinstance(entries, list) or not isinstance(gaps, list):
            raise FactError('"facts" and "gaps" must be lists', where)
        said: dict[str, list[tuple[tuple[Origin, ...], Value]]] = {}
        for entry in entries:
            name, value = self._fact(entry, where)
            sources = _origins(entry.get("from"), host, where)
            if sources is not None:  # what rules concluded on the node is concluded again here
                said.setdefault(name, []).append((sources, value))
        also: list[Fact] = []
        for name, values in said.items():
            spec = self._type_of(name)
            values.sort(key=lambda one: order(spec, Fact(spec.name, one[1], one[0][0])))
        for name, values in said.items():
            also += [Fact(name, value, sources[0]) for sources, value in values[1:]]
        found = {name: self._pair(name, values[0][1]) for name, values in said.items()}
        origins = {name: values[0][0] for name, values in said.items()}
        unknown = tuple(
            sorted({gap for e in gaps if not (gap := self._gap(e, where))[1].startswith(_BESIDE)})
        )
        return NodeFacts(
            host,
            boot_id,
            taken,
            where,
            tuple(sorted(found.values())),
            tuple(gap for gap in unknown if gap[0] not in found),
            origins,
            not any(name == "env" or name.startswith("env.") for name, _ in unknown),
            tuple(also),
        )

    def of(self, host: str, boot_id: str, said: Iterable[Statement]) -> NodeFacts:
        """A node that was just asked. Raises FactError."""
        if not HOST.match(host):
            raise FactError(f'"{_on_a_line(host)[:60]}" is not a host name')
        facts: dict[str, list[Fact]] = {}
        gaps: dict[str, str] = {}
        for one in said:
            if isinstance(one, CannotTell):
                gaps.setdefault(one.name, redact(one.reason))
            elif one.origin.trust not in UNCOUNTED:
                where = one.origin._replace(where=f"{host} {one.origin.where}")
                facts.setdefault(one.name, []).append(one._replace(origin=where))
        for name, found in facts.items():
            spec = self._type_of(name)
            found.sort(key=lambda fact: order(spec, fact))
        pairs = tuple(sorted(self._pair(name, found[0].value) for name, found in facts.items()))
        return NodeFacts(
            host,
            boot_id,
            "",
            host,
            pairs,
            tuple(sorted((name, why) for name, why in gaps.items() if name not in facts)),
            {name: (found[0].origin,) for name, found in facts.items()},
            not any(name.startswith("env.") for name in gaps),
            tuple(fact for found in facts.values() for fact in found[1:]),
        )

    def named(self, host: str, said: Iterable[Statement], where: str) -> NodeFacts:
        """A node of a facts file: what a person wrote of it. Raises FactError."""
        if not HOST.match(host):
            raise FactError(f'"{_on_a_line(host)[:60]}" is not a host name', where)
        listed = list(said)
        facts = [s for s in listed if isinstance(s, Fact)]
        pairs = tuple(sorted(self._pair(fact.name, fact.value) for fact in facts))
        gaps = tuple(sorted((s.name, redact(s.reason)) for s in listed if isinstance(s, CannotTell)))
        return NodeFacts(host, "", "", where, pairs, gaps, {f.name: (f.origin,) for f in facts}, False)

    def _fact(self, entry: Any, where: str) -> tuple[str, Value]:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise FactError('every fact needs a "name" and a "value"', where)
        name, raw = entry["name"], entry.get("value")
        key = (name, type(raw).__name__, str(raw))
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = self._pair(name, self._typed(name, raw, where))
        return pair

    def _typed(self, name: str, raw: Any, where: str) -> Value:
        if isinstance(raw, str):
            raw = _on_a_line(raw[:_LONGEST])
        try:
            return parse_value(self._type_of(name), raw)
        except EngineError as error:
            raise FactError(_on_a_line(error.message), where) from None

    def _pair(self, name: str, value: Value) -> Pair:
        key = (name, type(value).__name__, f"={value}")
        pair = self._pairs.get(key)
        if pair is None:
            pair = self._pairs[key] = (name, shown(name, value))
        return pair

    def unset(self, name: str) -> Pair:
        """The fact that a variable is not set."""
        return self._pair(name, UNSET)

    def _gap(self, entry: Any, where: str) -> Gap:
        if not isinstance(entry, dict):
            raise FactError('every gap needs a "fact" and a "reason"', where)
        return _text(entry.get("fact"), where, "fact"), redact(_text(entry.get("reason"), where, "reason"))[
            :_SHOWN
        ]


def _on_a_line(text: str) -> str:
    """Without what nobody sees; a blank for tabs and line breaks, so that no name of a secret grows into its value."""
    if "\n" in text or "\t" in text:
        text = redact(seen(text))  # in one line no column and no next line tells a secret any more
    return seen(text.replace("\t", " ").replace("\n", " "))


def _text(raw: Any, where: str, key: str) -> str:
    if raw is not None and not isinstance(raw, str):
        raise FactError(f'"{key}" must be a text', where)
    return _on_a_line((raw or "")[:_LONGEST]).strip()


def _origins(raw: Any, host: str, where: str) -> tuple[Origin, ...] | None:
    """Where a fact came from, with the node in front; None if a rule concluded it."""
    if not isinstance(raw, list) or not raw:
        return (Origin(PROBE, where),)
    found = []
    for entry in raw[:_MOST_ORIGINS]:
        if not isinstance(entry, dict):
            raise FactError('"from" must be a list of origins', where)
        if entry.get("kind") == RULE:
            return None
        place = _text(entry.get("where"), where, "where")[:_SHOWN]
        text = _text(entry.get("text"), where, "text")[:_SHOWN]
        trust = entry.get("trust")
        found.append(Origin(PROBE, f"{host} {place}".strip(), text, trust if trust in TRUSTS else ""))
    return tuple(found)


def said_by(node: NodeFacts) -> list[Statement]:
    """The statements of a node that stands alone: its facts are those of the machine."""
    place = Origin(PROBE, node.where)
    found: list[Statement] = []
    for name, value in node.facts:
        found += [Fact(name, value, origin) for origin in node.origins.get(name, (place,))]
    found += node.also
    return [*found, *(CannotTell(name, reason, place) for name, reason in node.gaps)]
