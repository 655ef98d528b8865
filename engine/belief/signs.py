"""How well incidents fit the signs in a piece of text, by their own rules and nothing else.

For search by an error message, in the terminal and on the site: a diagnosis needs a session, this needs a
line. Only the signs that were found are known; every other fact is unknown, so a rule that also wants a
circumstance counts in part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log2
from typing import Any

from ..model import Condition, Incident, Test
from ..rules import evaluate, leaves
from ..rules.scale import PROOF_BITS, WEIGHTS

PARTLY = 0.3
"""What a rule is worth of which one test holds and others are not known."""
MORE = 0.15
"""What each further rule of the same incident adds, of its own worth."""

Weighted = list[tuple[float, Condition]]


def weighted_rules(incident: Incident) -> Weighted:
    """The proofs and the evidence of an incident, each with its weight in bits."""
    return [(WEIGHTS.get(c.weight, PROOF_BITS), c.when) for c in incident.conditions("confirms", "suggests")]


def sign_scores(rules: Mapping[str, Weighted], signs: Mapping[str, Any]) -> dict[str, float]:
    """A score for each incident of which a sign was found; a sign of many incidents counts less."""
    if not signs:
        return {}
    spread = dict.fromkeys(signs, 0)
    touched: dict[str, set[str]] = {}
    for name, weighted in rules.items():
        found = {test.fact for _, when in weighted for test in leaves(when) if test.fact in signs}
        touched[name] = found
        for sign in found:
            spread[sign] += 1
    scores = {}
    for name, found in touched.items():
        worth = [
            w for w in (_worth(bits, when, signs, spread, len(rules)) for bits, when in rules[name]) if w
        ]
        if found and worth:
            best = max(worth)
            scores[name] = best + MORE * (sum(worth) - best)
    return scores


def _worth(
    bits: float, when: Condition, signs: Mapping[str, Any], spread: Mapping[str, int], every: int
) -> float:
    truth = evaluate(when, lambda test: holds(test, signs))
    if truth is False:
        return 0.0
    counts = [spread[test.fact] for test in leaves(when) if holds(test, signs)]
    if not counts:
        return 0.0
    return (bits if truth else bits * PARTLY) * log2(1 + every / min(counts))


def holds(test: Test, signs: Mapping[str, Any]) -> bool | None:
    """Whether a test holds of the signs; None if it reads something else or compares in another way."""
    if test.fact not in signs:
        return None
    if test.operator == "known":
        return True
    return signs[test.fact] in test.listed if test.operator == "in" else None


def rules_by_id(incidents: Iterable[Incident]) -> dict[str, Weighted]:
    """The weighted rules of many incidents."""
    return {incident.id: weighted_rules(incident) for incident in incidents}
