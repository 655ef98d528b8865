"""Lines for a terminal: laid out in one place, painted with rich where there is colour, plain elsewhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

from ...engine.patterns import lazy_pattern
from ..language import ENGLISH, Language
from ..terminal import WIDTH, width_of

_WIDEST = 100
_LEADING = lazy_pattern(r"(?:-|\d+\.) ?")
"""A number or a dash, which does not stand on a line of its own."""
Span = tuple[str, str]
"""A piece of text and its style: a rich style such as ``bold red``, or empty."""


class Screen:
    """Lines under construction."""

    def __init__(self, width: int = WIDTH, language: Language = ENGLISH) -> None:
        self.width = width
        self.say = language.say
        self.lines: list[list[Span]] = []

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """A line as it is: commands and addresses are never wrapped."""
        self.lines.append([(" " * indent + text, style)])

    def spans(self, *spans: Span, indent: int = 0) -> None:
        """A line of differently styled pieces, wrapped if it is too long for the screen."""
        whole = "".join(text for text, _ in spans)
        if columns(whole) + indent <= self.width:
            self.lines.append([(" " * indent, ""), *spans])
            return
        *lead, (first, style) = spans[: 2 if _LEADING.fullmatch(spans[0][0]) else 1]
        rest = "".join(text for text, _ in spans[len(lead) + 1 :]).strip()
        mark = "".join(text for text, _ in lead)
        self.paragraph(first.rstrip(), indent, style, mark)
        if rest:
            self.paragraph(rest, indent + 4)

    def paragraph(self, text: str, indent: int = 0, style: str = "", first: str = "") -> None:
        """Text wrapped to the screen; ``first`` stands before it and later lines hang under it."""
        hang = indent + columns(first)
        pieces = wrap(text, max(20, self.width - hang)) or [""]
        self.lines.append([(" " * indent + first, ""), (pieces[0], style)])
        for piece in pieces[1:]:
            self.lines.append([(" " * hang + piece, style)])

    def clipped(self, label: str, text: str, tail: str = "", indent: int = 0, style: str = "") -> None:
        """One line, cut at the edge of the screen; ``tail`` stands behind what is left of the text."""
        room = self.width - indent - columns(label) - columns(tail)
        self.lines.append([(" " * indent + label, ""), (cut(text, max(room, 20)) + tail, style)])

    def heading(self, text: str) -> None:
        """A heading with an empty line above."""
        self.line()
        self.paragraph(text, 0, "bold")

    def plain(self) -> str:
        """The screen without colour."""
        return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in self.lines)


_NARROW = "\u0300"
"""The first character that may take no column, or two."""


def columns(text: str) -> int:
    """How many terminal columns a text takes; CJK characters take two."""
    if text.isascii() or max(text) < _NARROW:
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, width: int) -> str:
    """A text, or as much of it as fits with three dots behind it."""
    if columns(text) <= width:
        return text
    while text and columns(text) > width - 3:
        text = text[: max(len(text) - max(1, (columns(text) - width + 3) // 2), 0)]
    return text.rstrip() + "..."


def wrap(text: str, width: int) -> list[str]:
    """Break a text into lines of at most ``width`` columns where that is possible."""
    if columns(text) <= width:
        return [text.strip()] if text.strip() else []
    words = text.split()
    if text.isascii() and " ".join(words) == text.strip():
        return _filled(words, width)
    lines, current = [], ""
    for piece in re.findall(
        r"[^\S\n]+|[\u2e80-\u9fff\uf900-\uffef][,。、;:!?)】]?|[^\s\u2e80-\u9fff\uf900-\uffef]+", text
    ):
        if columns(current + piece) > width and current.strip():
            lines.append(current.rstrip())
            current = ""
        current = (current + piece) if current else piece.lstrip()
    return [*lines, current.rstrip()] if current.strip() else lines


def _filled(words: list[str], width: int) -> list[str]:
    lines: list[str] = []
    for word in _bound(words, width):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _bound(words: list[str], width: int) -> list[str]:
    """A number that ends a sentence stays by the word before it: alone on a line it looks like an item of a list."""
    bound: list[str] = []
    for word in words:
        if (
            word.endswith(".")
            and word[:-1].isdigit()
            and bound
            and not bound[-1].endswith(".")
            and len(bound[-1]) + 1 + len(word) <= width
        ):
            bound[-1] += f" {word}"
        else:
            bound.append(word)
    return bound


def terminal_width(stream: TextIO) -> int:
    """Columns to lay out for: the terminal's, within reason; 80 where there is none."""
    if not stream.isatty():
        return WIDTH
    try:
        number = stream.fileno()
    except OSError:
        return WIDTH
    return max(40, min(width_of(number), _WIDEST))


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to paint: ``--color``, then NO_COLOR, then whether this is a terminal."""
    if choice != "auto":
        return choice == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def paint(screen: Screen, stream: TextIO | None = None, color: bool = False) -> None:
    """Write the screen."""
    out = stream or sys.stdout
    if not color:
        out.write(screen.plain())
        return
    from rich.console import Console  # 30 ms, and only a terminal needs it
    from rich.text import Text

    console = Console(file=out, force_terminal=True, width=10_000, highlight=False, emoji=False, markup=False)
    for line in screen.lines:
        console.print(Text.assemble(*line), soft_wrap=True)


def table(rows: Iterable[tuple[str, ...]], gap: int = 2) -> list[str]:
    """Columns padded to equal width; the last one is left as it is."""
    listed = [tuple(row) for row in rows]
    if not listed:
        return []
    widths = [max(columns(row[i]) for row in listed) for i in range(len(listed[0]) - 1)]
    lines = []
    for row in listed:
        cells = [cell + " " * (width - columns(cell) + gap) for cell, width in zip(row, widths, strict=False)]
        lines.append("".join(cells) + row[-1])
    return lines
