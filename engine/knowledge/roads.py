"""The five roads on which people come, and the symptoms that belong to each."""

from __future__ import annotations

import re

from ..model import ROADS, FactSpec

ROAD_WORDS = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in (
        (
            "hang",
            r"hang|\bstops?\b(?! with)|stall|never (?:ends|returns|finish)|\bwaits?\b|stuck|timed out|timeout",
        ),
        (
            "crash",
            r"error|fail|crash|abort|killed|refuse|exception|segfault|fault|died|rejects?|assert|cannot",
        ),
        (
            "slow",
            r"\bslow|bandwidth|fall(?:s|ing)? back|fallback|takes long|throughput|performance|sockets although",
        ),
        (
            "wrong",
            r"garbage|\bnan\b|wrong (?:output|result|data|number|value|token)|corrupt|zeros|garbled|gibberish",
        ),
        (
            "missing",
            r"no gpus?\b|not visible|sees? (?:no|fewer)|fewer gpus|finds? no gpu|invalid device ordinal|is_available"
            r"|kfd|skipped a gpu|lost gpus|no devices?|gpus? (?:is|are) (?:missing|not)|cannot see",
        ),
    )
}
"""Words of a title that tell the road, in the order of ``ROADS``."""


def road_fact(road: str) -> str:
    """The fact that says that somebody came by this road."""
    return f"road.{road}"


def road_facts() -> dict[str, FactSpec]:
    """The facts of the roads, for a knowledge base that has none of its own; symptoms conclude them."""
    return {road_fact(r): FactSpec(road_fact(r), "bool", f"It is of the kind: {r}", sign=True) for r in ROADS}
