"""What a section is made of, whatever it will look like: headings, paragraphs, items, commands, tables."""

from collections.abc import Callable
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ..words import show

Json = dict[str, Any]

TERMINAL, MARKDOWN = "terminal", "markdown"
"""Values of ``only``: what one style alone shows, such as the standing in colour or the table of facts."""

PLAIN, NAME, VALUE, QUOTED, STRONG, STRESSED, LINK, ADDRESS = (
    "plain", "name", "value", "quoted", "strong", "stressed", "link", "address"
)  # fmt: skip
"""What a span is: words, a name to copy, a fact's value, text of somebody's log, words with weight, a
page with a title, or an address as it is."""

BODY, INNER, DEEP = 1, 2, 3
"""How far a block stands inside of its section; 0 is the edge."""


class Span(NamedTuple):
    """Some words of a line. ``tone`` is a style of the terminal, ``target`` the page of a link."""

    text: str
    role: str = PLAIN
    tone: str = ""
    target: str = ""
    only: str = ""


class Heading(NamedTuple):
    """The title of a section; ``brief`` is what Markdown calls it, if not the same."""

    text: str
    brief: str = ""
    only: str = ""


class Line(NamedTuple):
    """Spans on one line of their own at the edge: addresses are not wrapped, ``wrap`` wraps the others."""

    spans: tuple[Span, ...]
    depth: int = 0
    wrap: bool = False
    only: str = ""


class Title(NamedTuple):
    """What the whole is called."""

    text: str
    only: str = MARKDOWN


class Space(NamedTuple):
    """An empty line where a terminal needs one; Markdown has its own."""

    only: str = TERMINAL


class Paragraph(NamedTuple):
    """Text under a label, which may be empty. A repeated label is not said again where the eye sees it above."""

    spans: tuple[Span, ...]
    label: str = ""
    tone: str = ""
    depth: int = BODY
    repeated: bool = False
    only: str = ""


class Clipped(NamedTuple):
    """One line whatever it holds: a terminal cuts it at its edge, but not its tail; Markdown shows all of it."""

    spans: tuple[Span, ...]
    label: str = ""
    tone: str = ""
    depth: int = BODY
    tail: tuple[Span, ...] = ()
    only: str = ""


class Fold(NamedTuple):
    """What follows up to an ``Unfold`` lies folded under a title where that is possible."""

    title: str
    only: str = MARKDOWN


class Unfold(NamedTuple):
    """The end of a fold."""

    only: str = MARKDOWN


class Item(NamedTuple):
    """One of a list, with notes below it. ``label`` stands for the dash."""

    spans: tuple[Span, ...]
    notes: tuple[Span, ...] = ()
    label: str = "- "
    tone: str = ""
    notes_indent: int = 4
    only: str = ""


class Numbered(NamedTuple):
    """A thing to do: its number, title and what kind it is."""

    number: int
    title: Span
    kind: str
    only: str = ""


class Instruction(NamedTuple):
    """One step of a numbered thing to do."""

    number: int
    text: str
    only: str = ""


class Commands(NamedTuple):
    """Lines to type; ``of_step`` where they belong to the step above."""

    text: str
    depth: int = DEEP
    of_step: bool = False
    only: str = ""


class Candidate(NamedTuple):
    """An incident on one line, with what is known and open of it below."""

    standing: Span
    incident: Span
    title: Span
    hosts: str
    details: tuple[Paragraph, ...]
    only: str = ""


class Table(NamedTuple):
    """Rows under a title, folded away where that is possible."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Span, ...], ...]
    only: str = MARKDOWN


Block = (
    Heading | Line | Title | Space | Paragraph | Clipped | Fold | Unfold | Item | Numbered | Instruction | Commands
    | Candidate | Table
)  # fmt: skip


class Room(NamedTuple):
    """How much a report for one screen may say of each thing.

    ``cause`` is in characters, ``commands`` and ``verify`` in lines of commands, the others count entries. With
    ``terse`` a proof has one line and a step one sentence.
    """

    proofs: int = 3
    terse: bool = False
    cause: int = 260
    commands: int = 8
    verify: int = 2
    names: int = 4
    findings: int = 2
    signs: int = 5
    sources: int = 4


ROOMY = Room()


class Report:
    """A diagnosis with what sections need to speak of it: a language, one number for each cited address, the room
    that there is, and what stands above already."""

    def __init__(self, document: Json, say: Callable[[str], str], room: Room = ROOMY) -> None:
        self.document = document
        self.say = say
        self.room = room
        self.citations: dict[str, int] = {}
        self.shown: set[tuple[str, ...]] = set()

    @property
    def leading(self) -> Json | None:
        """The incident that leads, if one does."""
        incidents = self.document["incidents"]
        return incidents[0] if incidents and incidents[0]["standing"] != "possible" else None

    @property
    def others(self) -> list[Json]:
        """The incidents that do not lead."""
        return list(self.document["incidents"][1 if self.leading else 0 :])

    def cite(self, url: str) -> int:
        """The number of an address, which is that of its first mention."""
        return self.citations.setdefault(url, len(self.citations) + 1)


Section = Callable[[Report], list[Block]]


def text(words: str, tone: str = "") -> tuple[Span, ...]:
    """Plain words as spans."""
    return (Span(words, tone=tone),)


def equals(reason: Json, tone: str = "") -> tuple[Span, ...]:
    """``fact = value``."""
    return (
        Span(reason["fact"], NAME, tone),
        Span(" = ", tone=tone),
        Span(show(reason["value"]), VALUE, tone),
    )


def joined(groups: list[tuple[Span, ...]], between: str = ", ") -> tuple[Span, ...]:
    """Groups of spans in one line."""
    out: list[Span] = []
    for number, group in enumerate(groups):
        out += [Span(between), *group] if number else group
    return tuple(out)
