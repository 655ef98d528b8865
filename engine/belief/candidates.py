"""Which incidents are worth weighing: those of a sign that is there, those that fit, those that resemble."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..knowledge.concerns import Concerns
from ..knowledge.resemblance import Resembling

NEAREST = 20
"""So many resembling incidents are weighed."""
FITTING = 15
"""So many incidents are weighed because circumstances fit, where a road is known."""


def candidates(
    concerns: Concerns,
    signs: Iterable[str],
    circumstances: Iterable[str],
    roads: Collection[str],
    nearest: Sequence[Resembling],
) -> list[str]:
    """The incidents to weigh, each once, sorted."""
    found = {name for sign in signs for name in concerns.by_sign(sign)}
    on_road = {name for road in roads for name in concerns.by_road(road)}
    found.update(near.id for near in nearest[:NEAREST])
    fits: dict[str, float] = {}
    for fact in circumstances:
        bits = concerns.rarity(fact)
        for name in concerns.by_circumstance(fact):
            if name in on_road:
                fits[name] = fits.get(name, 0.0) + bits
    found.update(sorted(fits, key=lambda name: (-fits[name], name))[:FITTING])
    return sorted(found)
