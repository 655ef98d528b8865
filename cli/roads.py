"""The five roads on which people come to the knowledge base: each a complaint in everyday words."""

from __future__ import annotations

import re
from typing import NamedTuple


class Road(NamedTuple):
    """A way into the knowledge base for somebody who can only say what he sees."""

    id: str
    title: str
    lead: str
    words: re.Pattern[str]


def _words(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


ROADS = (
    Road(
        "hangs",
        "It hangs or times out",
        "The job starts and then nothing moves: no error, or only a timeout after half an hour.",
        _words(
            r"hang|\bstops?\b(?! with)|stall|never (?:ends|returns|finish)|\bwaits?\b|stuck|timed out|timeout"
        ),
    ),
    Road(
        "crashes",
        "It crashes or prints an error",
        "A process ends with an error, a signal, or an exception out of NCCL, CUDA or the framework.",
        _words(r"error|fail|crash|abort|killed|refuse|exception|segfault|fault|died|rejects?|assert|cannot"),
    ),
    Road(
        "slow",
        "It is slow",
        "Results are right, but the GPUs wait for each other, or data takes a long way round.",
        _words(
            r"\bslow|bandwidth|fall(?:s|ing)? back|fallback|takes long|throughput|performance|sockets although"
        ),
    ),
    Road(
        "wrong",
        "The results are wrong (NaN, zeros, garbage)",
        "No error, but garbage, NaN, or output that changes with the number of GPUs.",
        _words(
            r"garbage|\bnan\b|wrong (?:output|result|data|number|value|token)|corrupt|zeros|garbled|gibberish"
        ),
    ),
    Road(
        "not-seen",
        "A GPU is missing or not seen",
        "The framework, the container or the driver finds no GPU, fewer than there are, or the wrong ones.",
        _words(
            r"no gpus?\b|not visible|sees? (?:no|fewer)|fewer gpus|finds? no gpu|invalid device ordinal|is_available"
            r"|kfd|skipped a gpu|lost gpus|no devices?|gpus? (?:is|are) (?:missing|not)|cannot see"
        ),
    ),
)
