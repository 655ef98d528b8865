"""How many of many are done, on one line of a terminal that is written over; nothing where nobody looks."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TextIO, TypeVar

_PATIENCE = 0.5  # seconds before anything is shown
_BETWEEN = 0.2

_T = TypeVar("_T", covariant=True)


class _Counted(Iterable[_T], Sized, Protocol[_T]):
    """What can be gone through and counted."""


def counted(things: _Counted[_T], label: str, stream: TextIO) -> Iterator[_T]:
    """The things, one by one, while the terminal says how many of them are done."""
    live = stream.isatty()
    drawn = time.monotonic() + _PATIENCE - _BETWEEN
    shown = False
    try:
        for number, thing in enumerate(things):
            now = time.monotonic()
            if live and now - drawn > _BETWEEN:
                stream.write(f"\r{label}: {number} of {len(things)}\x1b[K")
                stream.flush()
                drawn, shown = now, True
            yield thing
    finally:
        if shown:
            stream.write("\r\x1b[K")
            stream.flush()
