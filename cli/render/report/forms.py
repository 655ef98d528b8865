"""Which sections a report has, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from . import closing, evidence, leading
from .blocks import Block, Report, Section
from .nodes import nodes
from .remedies import what_to_do

_EVIDENCE: tuple[Section, ...] = (
    evidence.others,
    evidence.contradictions,
    evidence.ruled_out,
    evidence.unexplained,
    evidence.warnings,
)
_OPEN: tuple[Section, ...] = (evidence.doubts, evidence.gaps, evidence.next_questions)

FULL: tuple[Section, ...] = (
    leading.verdict,
    evidence.signs,
    nodes,
    leading.cause,
    leading.why,
    what_to_do,
    *_EVIDENCE,
    *_OPEN,
    closing.sources,
    closing.footer,
)
"""Everything, for a person who reads from the top."""

ISSUE: tuple[Section, ...] = (
    leading.verdict,
    evidence.signs,
    leading.why,
    what_to_do,
    nodes,
    *_EVIDENCE,
    *_OPEN,
    closing.sources,
    closing.facts,
    closing.footer,
)
"""For an issue tracker: with every fact, folded away."""

CHAT: tuple[Section, ...] = (leading.verdict, evidence.signs, nodes, leading.cause, leading.why, *_EVIDENCE)
"""In a conversation, where remedies come one at a time and the next question is asked anyway."""


def blocks(report: Report, form: tuple[Section, ...], style: str) -> Iterator[Block]:
    """The blocks of a form that a style shows."""
    for section in form:
        for block in section(report):
            if block.only in ("", style):
                yield block
