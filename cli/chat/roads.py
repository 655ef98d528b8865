"""The five roads on which people come, each with the symptoms that lie on it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...engine.model import FactSpec


class Road(NamedTuple):
    """A complaint in everyday words, and how its symptoms are known."""

    title: str
    words: re.Pattern[str]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ROADS = (
    Road(
        "it hangs or times out", _words(r"hang|stuck|stop|wait|timeout|timed? out|quiet|stall|idle|deadlock")
    ),
    Road(
        "it crashes or prints an error",
        _words(r"error|crash|fail|killed|died|fault|abort|refus|segment|oom"),
    ),
    Road("it is slow", _words(r"slow|bandwidth|throughput|latency|fallback|speed|throttl")),
    Road(
        "it computes garbage (NaN, zeros, wrong answers)",
        _words(r"nan|zero|garbage|corrupt|wrong|differ|loss"),
    ),
    Road(
        "GPUs are missing or not seen",
        _words(r"visible|not seen|missing|no gpu|device|permission|ordinal|kfd"),
    ),
)


def lies_on(road: Road, spec: FactSpec) -> bool:
    """Whether a symptom belongs to a road."""
    return spec.sign and spec.type == "bool" and bool(road.words.search(f"{spec.name} {spec.title}"))
