"""Who holds the interpreter's lock of a process from look to look, so that none of its other threads gets on."""

from __future__ import annotations

from gpudoctor.engine.tuples import NamedTuple

from .calls import COLLECTS
from .places import own_frames
from .stir import Sight

COLLECTION, CALL, THREAD = "collection", "call", "thread"
"""The garbage collection; a call of the thread that tells where the process stands; one of another thread."""


class Held(NamedTuple):
    """Who holds it, in one of the words above, and the line at which it is held."""

    by: str
    at: str


def held(before: Sight | None, now: Sight) -> Held:
    """Who has held it at both moments at the same place; empty where nobody has."""
    holder = now.holder
    if before is None or holder is None or holder != before.holder:
        return Held("", "")
    thread = next(thread for thread in now.stack.threads if thread.number == holder[0])
    inner = own_frames(thread.frames)[-1:] or thread.frames[:1]
    at = f"{inner[0].file.rpartition('/')[2]}:{inner[0].line}" if inner else ""
    if thread is not now.thread:
        return Held(THREAD, at)
    return Held(COLLECTION if now.place.call == COLLECTS else CALL, at)
