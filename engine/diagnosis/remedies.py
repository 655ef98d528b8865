"""A remedy as it applies to this machine: the steps for its runtime, or why it does not apply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..consultation import Consultation
from ..model import Remedy, Source, Step
from ..rules import evaluate


def in_order(session: Consultation, names: Iterable[str]) -> list[str]:
    """The remedies in the order of the page, but what only finds out what is known already at the end."""
    return sorted(names, key=lambda name: is_told(session, session.knowledge.remedy(name)))


def is_told(session: Consultation, found: Remedy) -> bool:
    """Whether a test would only tell what is known: everything that holds after it holds now."""
    return (
        found.kind == "test"
        and bool(found.after)
        and all(evaluate(condition, session.truth) for condition in found.after)
    )


def remedy_part(session: Consultation, name: str) -> dict[str, Any]:
    """A remedy as it applies to this machine: the steps for its runtime, or why it does not apply."""
    found = session.knowledge.remedy(name)
    hindrances = [found.applies[i].why for i in session.hindrances(name)]
    already = [f"{n} is already {v} here" for n, v in found.sets if session.value(f"env.{n}") == v]
    if found.sets and len(already) == len(found.sets) and "install" not in found.needs:
        hindrances += already
    chosen = steps_here(session, found)
    return {
        "id": found.id,
        "title": found.title,
        "kind": found.kind,
        "applies": not hindrances,
        "why_not": "; ".join(hindrances),
        "steps": [{"text": s.text, "commands": list(s.commands), "variant": v} for v, s in chosen],
        "verify": [_step_text(s) for s in found.verify],
        "undo": [_step_text(s) for s in found.undo],
        "risk": found.risk,
        "cost": found.cost,
        "danger": found.danger,
        "needs": list(found.needs),
        "sets": dict(found.sets),
        "limits": found.limits,
        "sources": [source_part(s) for s in found.sources],
    }


def steps_here(session: Consultation, found: Remedy) -> list[tuple[str, Step]]:
    """The common steps, then the variants that fit this runtime; without a fitting one, the plainest."""
    steps = [("", step) for step in found.steps.get("", ())]
    named = [name for name in found.steps if name]
    fitting = [name for name in named if session.value(f"variant.{name}") is True]
    if not fitting:
        open_ones = [name for name in named if session.value(f"variant.{name}") is not False]
        fitting = open_ones if len(open_ones) == 1 or "bare" not in open_ones else ["bare"]
    for name in fitting:
        steps += [(name, step) for step in found.steps[name]]
    return steps


def _step_text(step: Step) -> str:
    return "\n".join([step.text, *step.commands]).strip()


def source_part(source: Source) -> dict[str, Any]:
    """A citation as it stands in the JSON."""
    return {"url": source.url, "kind": source.kind, "date": source.date, "supports": source.supports}
