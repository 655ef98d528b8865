"""Records to plain JSON and back, for the compiled index."""

from __future__ import annotations

from typing import Any

from .model import (
    Applies,
    Derivation,
    EnvVar,
    Evidence,
    FactSpec,
    Incident,
    Lookalike,
    Remedy,
    Signature,
    Source,
    Step,
)


def freeze(record: FactSpec | Incident | Remedy) -> dict[str, Any]:
    """A record as JSON; empty entries are left out."""
    return {
        key: _plain(value)
        for key, value in record._asdict().items()
        if value not in ((), "", None, {}, False)
    }


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {key: _plain(inner) for key, inner in value._asdict().items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def fact_spec(data: dict[str, Any]) -> FactSpec:
    """A vocabulary entry from the index."""
    data = dict(data)
    data["values"] = tuple(data.get("values", ()))
    data["derived"] = tuple(Derivation(**d) for d in data.get("derived", ()))
    data["signatures"] = tuple(signature(s) for s in data.get("signatures", ()))
    data["sources"] = _sources(data)
    if data.get("env"):
        env = data["env"]
        lists = {"allowed": tuple(env["allowed"]), "hurts": tuple((v, why) for v, why in env["hurts"])}
        data["env"] = EnvVar(**{**env, **lists})
    return FactSpec(**data)


def signature(data: dict[str, Any]) -> Signature:
    """A signature from the index."""
    tuples = {key: tuple(data.get(key, ())) for key in ("literals", "matches", "rejects")}
    return Signature(**{**data, **tuples})


def incident(data: dict[str, Any]) -> Incident:
    """An incident from the index."""
    data = dict(data)
    for key in ("vendors", "requires", "confirms", "excludes", "explains", "remedies", "aliases"):
        data[key] = tuple(data.get(key, ()))
    data["suggests"] = tuple(Evidence(**e) for e in data.get("suggests", ()))
    data["lookalikes"] = tuple(Lookalike(x["id"], tuple(x["by"])) for x in data.get("lookalikes", ()))
    data["sources"] = _sources(data)
    return Incident(**data)


def remedy(data: dict[str, Any]) -> Remedy:
    """A remedy from the index."""
    data = dict(data)
    for key in ("needs", "unsets", "after"):
        data[key] = tuple(data.get(key, ()))
    for key in ("versions", "sets"):
        data[key] = tuple((name, text) for name, text in data.get(key, ()))
    data["applies"] = tuple(Applies(**a) for a in data.get("applies", ()))
    data["steps"] = {name: _steps(found) for name, found in data.get("steps", {}).items()}
    data["verify"], data["undo"] = _steps(data.get("verify", ())), _steps(data.get("undo", ()))
    data["sources"] = _sources(data)
    return Remedy(**data)


def _steps(data: Any) -> tuple[Step, ...]:
    return tuple(Step(s["text"], tuple(s["commands"])) for s in data)


def _sources(data: dict[str, Any]) -> tuple[Source, ...]:
    return tuple(Source(**s) for s in data.get("sources", ()))
