"""Records to plain JSON and back, for the compiled index."""

from __future__ import annotations

from typing import Any

from ..model import (
    Affected,
    All,
    Applies,
    Derivation,
    Either,
    EnvVar,
    Evidence,
    FactSpec,
    Incident,
    Lookalike,
    Not,
    Pitfall,
    Product,
    Release,
    Remedy,
    Signature,
    Source,
    Step,
    Test,
)
from ..rules import as_json, from_json


def freeze(record: FactSpec | Incident | Remedy | Product | Pitfall) -> dict[str, Any]:
    """A record as JSON; empty entries are left out. Records inside of it are lists: there are many of them."""
    return {
        key: _plain(value)
        for key, value in record._asdict().items()
        if value not in ((), "", None, {}, False)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, (Test, All, Either, Not)):
        return as_json(value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def fact_spec(data: dict[str, Any]) -> FactSpec:
    """A vocabulary entry from the index."""
    data = dict(data)
    for key in ("values", "worst_first", "said", "implies", "trouble"):
        if key in data:
            data[key] = tuple(data[key])
    if "derived" in data:
        data["derived"] = tuple(
            Derivation(value, from_json(when), *rest) for value, when, *rest in data["derived"]
        )
    if "signatures" in data:
        data["signatures"] = tuple(map(signature, data["signatures"]))
    data["sources"] = _sources(data)
    if "env" in data:
        allowed, default, since, until, role, renamed, alias, hurts = data["env"]
        harms = tuple((value, why) for value, why in hurts)
        data["env"] = EnvVar(tuple(allowed), default, since, until, role, renamed, alias, harms)
    return FactSpec(**data)


def signature(data: list[Any]) -> Signature:
    """A signature from the index."""
    literals, pattern, unless, words, near, unless_near, value, matches, rejects, needs, unless_needs = data
    return Signature(
        tuple(literals),
        pattern,
        unless,
        words,
        tuple(near),
        tuple(unless_near),
        value,
        tuple(matches),
        tuple(rejects),
        tuple(map(tuple, needs)),
        tuple(map(tuple, unless_needs)),
    )


def pack(one: Signature) -> list[Any]:
    """A signature as it is matched, without its examples: short, since all of them are read for a report."""
    from ..language.required import required

    packed = [one.literals, one.pattern, one.unless, int(one.words), one.near, one.unless_near, one.value]
    return [*packed, required(one.pattern), required(one.unless)]


def unpack(data: list[Any]) -> Signature:
    """A signature as it is matched."""
    literals, pattern, unless, words, near, unless_near, value, needs, unless_needs = data
    return Signature(
        tuple(literals),
        pattern,
        unless,
        bool(words),
        tuple(near),
        tuple(unless_near),
        value,
        needs=tuple(map(tuple, needs)),
        unless_needs=tuple(map(tuple, unless_needs)),
    )


def incident(data: dict[str, Any]) -> Incident:
    """An incident from the index."""
    data = dict(data)
    for key in ("vendors", "explains", "remedies", "aliases", "cited"):
        data[key] = tuple(data.get(key, ()))
    for key in ("requires", "confirms", "excludes"):
        data[key] = tuple(map(from_json, data.get(key, ())))
    data["suggests"] = tuple(Evidence(weight, from_json(when)) for weight, when in data.get("suggests", ()))
    data["lookalikes"] = tuple(Lookalike(name, tuple(by)) for name, by in data.get("lookalikes", ()))
    data["affects"] = tuple(Affected(*one) for one in data.get("affects", ()))
    data["sources"] = _sources(data)
    return Incident(**data)


def remedy(data: dict[str, Any]) -> Remedy:
    """A remedy from the index."""
    data = dict(data)
    for key in ("needs", "unsets"):
        data[key] = tuple(data.get(key, ()))
    data["after"] = tuple(map(from_json, data.get("after", ())))
    for key in ("versions", "sets"):
        data[key] = tuple((name, text) for name, text in data.get(key, ()))
    data["applies"] = tuple(Applies(from_json(when), why) for when, why in data.get("applies", ()))
    data["steps"] = {name: _steps(found) for name, found in data.get("steps", {}).items()}
    data["verify"], data["undo"] = _steps(data.get("verify", ())), _steps(data.get("undo", ()))
    data["sources"] = _sources(data)
    return Remedy(**data)


def pitfall(data: dict[str, Any]) -> Pitfall:
    """A pitfall from the index."""
    data = dict(data)
    data["when"] = from_json(data["when"])
    for key in ("at", "remedies"):
        data[key] = tuple(data.get(key, ()))
    data["fix"] = tuple((kind, text) for kind, text in data.get("fix", ()))
    data["sources"] = _sources(data)
    return Pitfall(**data)


def product(data: dict[str, Any]) -> Product:
    """A product from the index."""
    data = dict(data)
    data["packages"] = tuple(data.get("packages", ()))
    data["releases"] = tuple(Release(*one) for one in data.get("releases", ()))
    data["find"] = _steps(data.get("find", ()))
    data["sources"] = _sources(data)
    return Product(**data)


def _steps(data: Any) -> tuple[Step, ...]:
    return tuple(Step(text, tuple(commands)) for text, commands in data)


def _sources(data: dict[str, Any]) -> tuple[Source, ...]:
    return tuple(Source(*one) for one in data.get("sources", ()))
