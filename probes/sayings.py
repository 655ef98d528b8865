"""What people say in sentences of their own, read by its likeness to the wordings in the pages of the facts."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.knowledge.wordings import Wordings
from ..engine.language.prose import sentences
from ..engine.language.sentences import readings
from ..engine.language.stance import ABOVE, of_block
from .findings import Findings


def read_sayings(lines: Sequence[str], wordings: Wordings, findings: Findings) -> None:
    """Read the sentences of a short text. Lines in which a program's sign was found are the program's."""
    for number, text in sentences(lines):
        if findings.is_printed(number + 1) or not of_block(lines[max(0, number - ABOVE) : number]).is_here:
            continue
        for reading in readings(text, wordings.find, wordings.tables):
            if reading.is_sure:
                findings.likened(reading.fact, number + 1, text)
            else:
                findings.doubted(reading.fact, number + 1, text)
