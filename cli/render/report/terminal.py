"""The blocks of a report on a screen: indents, colours, lines that are wrapped."""

from __future__ import annotations

from collections.abc import Iterable

from ...language import ENGLISH, Language
from ..screen import Screen, columns
from .blocks import (
    ROOMY,
    TERMINAL,
    Block,
    Candidate,
    Clipped,
    Commands,
    Heading,
    Instruction,
    Item,
    Json,
    Line,
    Numbered,
    Paragraph,
    Report,
    Room,
    Section,
    Space,
    Span,
)
from .forms import BRIEF, FULL, blocks
from .remedies import remedies

_INDENTS = (0, 2, 5, 12)
_COMMANDS = (0, 2, 4, 10)
_TYPED = "green"
_GOOD_LINES = 32
COMMAND_BY = 15
"""The line by which the first command stands."""
_ROOMS = (
    ROOMY,
    Room(proofs=3, terse=True, cause=200, commands=8, verify=2, names=3, findings=2, signs=4, sources=3),
    Room(proofs=2, terse=True, cause=120, commands=7, verify=1, names=3, findings=1, signs=3, sources=2),
    Room(proofs=2, terse=True, cause=0, commands=5, verify=0, names=2, findings=1, signs=3, sources=2),
    Room(proofs=1, terse=True, cause=0, commands=4, verify=0, names=2, findings=1, signs=2, sources=2),
)
"""From the room that most diagnoses have down to that of the longest."""
_STANDING = 9
"""Columns of a standing, so that the ids under one another begin alike."""


def text_report(
    document: Json,
    width: int = 80,
    language: Language = ENGLISH,
    form: tuple[Section, ...] = FULL,
    room: Room = ROOMY,
) -> Screen:
    """Lay a diagnosis out."""
    screen = Screen(width, language)
    lay_out(screen, blocks(Report(document, language.say, room), form, TERMINAL))
    return screen


def brief_report(document: Json, width: int = 80, language: Language = ENGLISH) -> Screen:
    """Lay out what fits one screen: as much of it as leaves the first command in its upper part."""
    for room in _ROOMS:
        screen = text_report(document, width, language, BRIEF, room)
        if len(screen.lines) <= _GOOD_LINES and first_command(screen) <= COMMAND_BY:
            break
    return screen


def first_command(screen: Screen) -> int:
    """The number of the first line to type, from 1; 0 if there is none."""
    typed = (
        number
        for number, line in enumerate(screen.lines, start=1)
        if any(tone == _TYPED and text.strip() for text, tone in line)
    )
    return next(typed, 0)


def lay_out_remedies(screen: Screen, listed: list[Json]) -> list[tuple[int, str]]:
    """Lay remedies out that stand alone; the addresses that they cite, with their numbers."""
    report = Report({}, screen.say)
    lay_out(screen, (block for block in remedies(report, listed) if block.only in ("", TERMINAL)))
    return [(number, url) for url, number in report.citations.items()]


def lay_out(screen: Screen, listed: Iterable[Block]) -> None:
    """Put blocks on a screen."""
    for block in listed:
        if isinstance(block, Heading):
            screen.heading(block.text)
        elif isinstance(block, Space):
            screen.line()
        elif isinstance(block, Line):
            _line(screen, block)
        elif isinstance(block, Paragraph):
            label = " " * columns(block.label) if block.repeated else block.label
            screen.paragraph(_plain(block.spans), _INDENTS[block.depth], block.tone, label)
        elif isinstance(block, Clipped):
            indent = _INDENTS[block.depth]
            screen.clipped(block.label, _plain(block.spans), _plain(block.tail), indent, block.tone)
        elif isinstance(block, Item):
            _item(screen, block)
        elif isinstance(block, Numbered):
            title = (f"{block.number}. ", "bold"), (block.title.text, "bold")
            screen.spans(*title, (f"  [{block.kind}]", "cyan"), indent=2)
        elif isinstance(block, Instruction):
            screen.paragraph(block.text, 5, first=f"{block.number}) ")
        elif isinstance(block, Commands):
            for line in block.text.splitlines():
                screen.line(line, _TYPED, _COMMANDS[block.depth])
        elif isinstance(block, Candidate):
            _candidate(screen, block)


def _line(screen: Screen, block: Line) -> None:
    if block.wrap:
        screen.spans(*_toned(block.spans))
    else:
        screen.line(_plain(block.spans), block.spans[0].tone, _INDENTS[block.depth])


def _item(screen: Screen, block: Item) -> None:
    spans = _toned(block.spans)
    if any(tone for _, tone in spans):
        screen.spans((block.label, ""), *spans, indent=2)
    else:
        screen.paragraph(_plain(block.spans), 2, block.tone, block.label)
    for note in block.notes:
        if note.only in ("", TERMINAL):
            screen.paragraph(note.text, block.notes_indent, note.tone)


def _candidate(screen: Screen, block: Candidate) -> None:
    standing = block.standing.text.ljust(_STANDING) + " "
    screen.spans((standing, block.standing.tone), (block.incident.text, block.incident.tone), indent=2)
    screen.paragraph(block.title.text, 12)
    lay_out(screen, block.details)


def _plain(spans: tuple[Span, ...]) -> str:
    return "".join(span.text for span in spans if span.only in ("", TERMINAL))


def _toned(spans: tuple[Span, ...]) -> list[tuple[str, str]]:
    """Texts with their styles, neighbours of one style as one."""
    out: list[tuple[str, str]] = []
    for span in spans:
        if span.only not in ("", TERMINAL):
            continue
        if out and out[-1][1] == span.tone:
            out[-1] = (out[-1][0] + span.text, span.tone)
        else:
            out.append((span.text, span.tone))
    return out
