"""Which pair of GPUs fails: every pair alone, disjoint pairs at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gpudoctor.engine.tuples import NamedTuple

Pair = tuple[int, int]


def rounds(devices: Sequence[int]) -> Iterator[list[Pair]]:
    """Every pair once, in rounds of disjoint pairs (a round-robin tournament): 8 GPUs, 7 rounds of 4."""
    ring: list[int | None] = list(devices)
    if len(ring) % 2:
        ring.append(None)
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        paired = zip(ring[:half], reversed(ring[half:]), strict=True)
        yield [(min(a, b), max(a, b)) for a, b in paired if a is not None and b is not None]
        ring = [ring[0], ring[-1], *ring[1:-1]]


class Pairs(NamedTuple):
    """What the pairs came to; ``untested`` are those for which no time was left."""

    failing: tuple[Pair, ...]
    passing: tuple[Pair, ...]
    untested: int = 0

    def kind(self) -> str:
        """As the fact ``collective.pairs`` has it; empty where it cannot be said."""
        if not self.failing:
            return "" if self.untested else "none"
        if self.untested:
            return ""
        if not self.passing:
            return "all"
        if len(self.failing) == 1:
            return "one_pair"
        return "one_gpu" if self.common_gpu() is not None else "several"

    def common_gpu(self) -> int | None:
        """The GPU that takes part in every failing pair, if there is exactly one and it fails with all."""
        if len(self.failing) < 2:
            return None
        counts = Counter(gpu for pair in self.failing for gpu in pair)
        gpu, often = counts.most_common(1)[0]
        if often == len(self.failing) and not any(gpu in pair for pair in self.passing):
            return gpu
        return None
