"""The five complaints with which people come to the knowledge base, in everyday words."""

from __future__ import annotations

import re

from gpudoctor.engine.tuples import NamedTuple

from ...engine.knowledge.roads import ROAD_WORDS


class Complaint(NamedTuple):
    """A way into the knowledge base for somebody who can only say what he sees."""

    id: str
    title: str
    lead: str
    words: re.Pattern[str]


ROAD_PAGES = {
    "hang": "hangs",
    "crash": "crashes",
    "slow": "slow",
    "wrong": "wrong",
    "missing": "not-seen",
}
"""The road by what a known issue does."""

COMPLAINTS = (
    Complaint(
        "hangs",
        "It hangs or times out",
        "The job starts and then nothing moves: no error, or only a timeout after half an hour.",
        ROAD_WORDS["hang"],
    ),
    Complaint(
        "crashes",
        "It crashes or prints an error",
        "A process ends with an error, a signal, or an exception out of NCCL, CUDA or the framework.",
        ROAD_WORDS["crash"],
    ),
    Complaint(
        "slow",
        "It is slow",
        "Results are right, but the GPUs wait for each other, or data takes a long way round.",
        ROAD_WORDS["slow"],
    ),
    Complaint(
        "wrong",
        "The results are wrong (NaN, zeros, garbage)",
        "No error, but garbage, NaN, or output that changes with the number of GPUs.",
        ROAD_WORDS["wrong"],
    ),
    Complaint(
        "not-seen",
        "A GPU is missing or not seen",
        "The framework, the container or the driver finds no GPU, fewer than there are, or the wrong ones.",
        ROAD_WORDS["missing"],
    ),
)
