"""Which incidents are worth weighing: those of a sign that is there, those that fit, those that resemble."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import nlargest

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
    found.update(near.id for near in nearest[:NEAREST])
    on_road = {number for road in roads for number in concerns.on_road(road)}
    fits: dict[int, float] = {}
    for fact in circumstances:
        bits = concerns.rarity(fact)
        for number in on_road.intersection(concerns.fitting(fact)):
            fits[number] = fits.get(number, 0.0) + bits
    least = min(nlargest(FITTING, fits.values()), default=0.0)
    best = [(-bits, concerns.named(number)) for number, bits in fits.items() if bits >= least]
    found.update(name for _, name in sorted(best)[:FITTING])
    return sorted(found)
