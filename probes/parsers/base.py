"""What a parser is: literals that call it, and a pure function from lines to findings."""

from collections.abc import Callable, Iterable

from gpudoctor.engine.tuples import NamedTuple

Lines = list[str]


class Found(NamedTuple):
    """A fact read from text: its name, its value as text, and the line (from 0) it stands on."""

    name: str
    value: str | int | bool
    line: int = 0


class Parser(NamedTuple):
    """``parse`` gets the line in which one of ``triggers`` stands, the ``before`` lines above it and up to
    ``after`` lines below, and the place of the line in that list. ``facts`` are those that it may find; ``event`` says
    that the line tells of an event: with a count of zero beside it there was none."""

    name: str
    triggers: tuple[str, ...]
    parse: Callable[[Lines, int], Iterable[Found]]
    before: int = 0
    after: int = 0
    facts: tuple[str, ...] = ()
    event: bool = False
