"""Which sections a report has, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from . import brief, closing, evidence, leading
from .blocks import Block, Fold, Report, Section, Unfold
from .remedies import what_to_do


def _nodes(report: Report) -> list[Block]:
    if report.document.get("fleet") is None:
        return []
    from .nodes import nodes  # most reports are of one machine

    return nodes(report)


def _nodes_in_brief(report: Report) -> list[Block]:
    if report.document.get("fleet") is None:
        return []
    from .nodes import nodes_in_brief

    return nodes_in_brief(report)


_EVIDENCE: tuple[Section, ...] = (
    evidence.others,
    evidence.contradictions,
    evidence.ruled_out,
    evidence.meanings,
    evidence.unexplained,
    evidence.warnings,
)
_OPEN: tuple[Section, ...] = (evidence.doubts, evidence.gaps, evidence.next_questions)

FULL: tuple[Section, ...] = (
    leading.verdict,
    evidence.signs,
    _nodes,
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
    _nodes,
    *_EVIDENCE,
    *_OPEN,
    closing.sources,
    closing.facts,
    closing.footer,
)
"""For an issue tracker: with every fact, folded away."""


def _folded(report: Report) -> list[Block]:
    """All that the sections above did not show, folded away; nothing of it stands in both."""
    rest = [leading.why, what_to_do, *_EVIDENCE, *_OPEN, closing.sources, closing.facts, closing.footer]
    return [Fold("Everything else"), *(block for section in rest for block in section(report)), Unfold()]


BRIEF: tuple[Section, ...] = (
    brief.verdict,
    brief.signs,
    evidence.meanings_in_brief,
    _nodes_in_brief,
    brief.proofs,
    brief.next_step,
    evidence.values_in_brief,
    brief.otherwise,
    brief.candidates,
    brief.resembling,
    brief.findings,
    brief.gaps,
    brief.question,
    brief.sources,
    brief.footer,
)
"""What fits one screen, for a person at two in the morning."""

BRIEF_ISSUE: tuple[Section, ...] = (
    leading.verdict,
    evidence.signs,
    evidence.meanings_in_brief,
    _nodes_in_brief,
    brief.proofs,
    brief.next_step,
    evidence.values_in_brief,
    brief.otherwise,
    brief.resembling,
    brief.question,
    brief.sources,
    _folded,
)
"""The same for an issue tracker, with the rest folded away."""

CHAT: tuple[Section, ...] = (
    brief.verdict,
    brief.signs,
    _nodes_in_brief,
    brief.proofs,
    brief.candidates,
    brief.resembling,
    brief.findings,
)
"""In a conversation, where remedies come one at a time and the next question is asked anyway."""


def blocks(report: Report, form: tuple[Section, ...], style: str) -> Iterator[Block]:
    """The blocks of a form that a style shows."""
    for section in form:
        for block in section(report):
            if block.only in ("", style):
                yield block
