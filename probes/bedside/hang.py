"""Decides that a job hangs: nobody writes, nobody moves, and somebody waits. Time alone decides nothing.

To move is to come to another place in the program, or to show progress behind it (``stir``). To use the processor is
no movement.
"""

from __future__ import annotations

import re
import time
from collections import deque

from gpudoctor.engine.tuples import NamedTuple

from .look import Look, Member, waits
from .places import ANSWER, COLLECTIVE, DEVICE, IDLE, PATIENT, RETURNED

_DIGITS = re.compile(rb"\d+|0x[0-9a-f]+")
_SHAPES, _SHAPE = 256, 400
LOOKS = 3
"""Looks at which nobody may have moved."""
UNSEEN, AT_WORK = 4, 8
"""How many times longer it takes where somebody cannot be seen, or uses the processor or wakes up at one place; and
where a GPU may be at work."""


class Hang(NamedTuple):
    """Why a job is taken to hang, and for how many seconds nobody had moved."""

    why: str
    seconds: float


class Watch:
    """Hears of every look and every output, and says when it is a hang; once, until something moves again.

    A line that was written before, but for its numbers, is no sign of life: who waits and complains does not work.
    """

    def __init__(self, after: float, now: float | None = None) -> None:
        self._after = after
        self._wrote = self._new = self._moved = time.monotonic() if now is None else now
        self._looks = 0
        self._told = False
        self._shapes: deque[bytes] = deque(maxlen=_SHAPES)

    def wrote(self, data: bytes, now: float) -> None:
        """The job has written something."""
        self._wrote = now
        lines = data[-_SHAPE:].rstrip().rsplit(b"\n", 1)
        shape = _DIGITS.sub(b"0", lines[-1])
        if shape not in self._shapes:
            self._shapes.append(shape)
            self._new = now
            self._told = False

    @property
    def suspects(self) -> bool:
        """Whether nobody had moved at the last look."""
        return self._looks > 0

    def next_look(self, now: float) -> float:
        """Seconds until the next look: soon while nobody moves, seldom in a job that works on."""
        gap = max(1.0, self._after / 6)
        if self._told:
            return 4 * gap
        if self._looks or now - self._wrote > gap:
            return gap if self._looks or now - self._new < 2 * self._after else 2 * gap
        return gap if now - self._new < 2 * gap else max(6 * gap, 30.0)

    def saw(self, look: Look, now: float) -> Hang | None:
        """A look; the hang if it is one now and nobody was told of it."""
        if look.busy or any(member.moved for member in look.members) or not look.members:
            self._moved, self._looks = now, 0
            self._told = False
            return None
        self._looks += 1
        still = now - max(self._moved, self._new)
        factor, why = _reason(look)
        if self._told or not why or self._looks < LOOKS or still < self._after * factor:
            return None
        self._told = True
        return Hang(why, still)


def _reason(look: Look) -> tuple[int, str]:
    """How long it takes to be sure, as a factor, and why somebody is stuck; no words where nobody is."""
    ranks = look.ranks
    stuck = [member for member in ranks if member.state in "TD"]
    waiting = [member for member in ranks if waits(member)]
    workers = [member for member in look.members if member.is_worker and _stands(member)]
    if look.problem and not stuck:
        return AT_WORK, f"no process has done anything, and their stacks cannot be read ({look.problem})"
    if not (stuck or waiting) or (not stuck and _serves(ranks)):
        return 0, ""
    why = "nobody has written or moved"
    patient = any(member.place.doing in PATIENT for member in waiting)
    of_gpus = [member for member in waiting if member.gpu and member.place.doing not in PATIENT]
    if of_gpus and any(gauge.works for gauge in look.gauges):
        return 0, ""
    idle = bool(look.gauges)  # none of them computes
    if waiting and not stuck and not patient:
        return (UNSEEN if idle else AT_WORK), why
    unseen = look.world > len(ranks) + len(look.gone)
    asks = any(member.place.doing == ANSWER for member in waiting)
    stirs = any(member.stir and member.place.doing not in (DEVICE, COLLECTIVE) for member in ranks)
    if stirs or (asks and not workers) or (unseen and not (stuck or workers)):
        return UNSEEN, why
    return 1, why


def _serves(ranks: list[Member]) -> bool:
    """Whether they wait for work: all of them, or for what a server among them will send once somebody asks it."""
    idle = [member for member in ranks if member.place.doing == IDLE]
    # An actor of Ray that has returned sends nothing any more.
    return len(idle) == len(ranks) or any(member.place.call != RETURNED for member in idle)


def _stands(member: Member) -> bool:
    return not member.moved and member.state in "SDT"
