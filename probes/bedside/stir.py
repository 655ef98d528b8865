"""Whether a process has come further between two looks, and what it does where it has not.

Processor time is no progress: who spins in a synchronization uses all of it. Progress is another place in the
program, or something that shows in what is behind the place: data that comes or is written, memory that is touched
for the first time, the interpreter's lock given away and taken again, other threads of the process that compute.
"""

from __future__ import annotations

import os

from gpudoctor.engine.tuples import NamedTuple

from .places import DEVICE, IDLE, PATIENT, WORKER, Place, innermost_of, telling
from .processes import Process
from .stacks import Frame, Stack, Thread

SPINS, POLLS = "spins", "polls"
"""Uses the processor at one place; wakes up at one place again and again and goes back to sleep."""
_TICKS = os.sysconf("SC_CLK_TCK")
_FAULTS, _BYTES = 32, 1 << 20
_SHARE = 0.2
"""Of one processor: what other threads of a process must use to be at work."""
_ASLEEP = ("nanosleep", "futex")
"""Where the kernel lets a thread wait for nothing but time, or for another thread."""

Shape = tuple[tuple[str, int], ...]


class Sight(NamedTuple):
    """A process at one moment: ``at`` is a monotonic clock in seconds, ``gpu`` whether it has one open.

    ``below`` stands for the calls in libraries below the program (``processes.below_program``), 0 if nobody asked.
    """

    at: float
    process: Process
    stack: Stack
    place: Place
    gpu: bool
    below: int = 0

    @property
    def thread(self) -> Thread | None:
        """The thread that tells where it stands."""
        return telling(self.stack.threads)

    @property
    def position(self) -> Shape:
        """Where the thread stands; what happens inside of a call that waits is no place of its own."""
        thread = self.thread
        if thread is None:
            return ()
        frames = thread.frames
        if self.place.doing in PATIENT:
            frames = frames[innermost_of(frames) :]
            return ((frames[0].name, 0), *_shape(frames[1:])) if frames else ()
        return _shape(frames)

    @property
    def elsewhere(self) -> frozenset[tuple[int, Shape]]:
        """Where its other threads stand."""
        thread = self.thread
        return frozenset((t.number, _shape(t.frames)) for t in self.stack.threads if t is not thread)

    @property
    def holder(self) -> tuple[int, Shape] | None:
        """The thread that holds the interpreter's lock, and where."""
        held = next((t for t in self.stack.threads if t.gil), None)
        return (held.number, _shape(held.frames)) if held else None


def _shape(frames: tuple[Frame, ...]) -> Shape:
    return tuple((frame.name, frame.line) for frame in frames)


def stirred(before: Sight | None, now: Sight) -> tuple[bool, str]:
    """Whether it has come further, and ``SPINS``, ``POLLS`` or nothing where it has not."""
    process, place = now.process, now.place
    if before is None or before.process.started != process.started:
        return True, ""
    was = before.process
    if process.state in "TD":
        return False, ""
    if now.thread is not None and now.position != before.position:
        return True, ""
    if place.doing in PATIENT or place.doing == IDLE:
        return False, ""
    if place.doing == WORKER and now.thread and not _in_dataset(now.thread.frames):
        return False, ""  # it waits to be told what to load
    seconds = max(now.at - before.at, 0.001)
    own = (process.own_ticks - was.own_ticks) / (seconds * _TICKS)
    if place.doing == DEVICE:
        return False, SPINS if own > _SHARE else ""
    if now.thread is None:
        return worked(was, process), ""
    if _came_further(before, now, own, seconds):
        return True, ""
    if own > _SHARE:
        return False, SPINS
    woke = process.switches > was.switches + 1
    return False, POLLS if woke else SPINS if process.own_ticks > was.own_ticks + 1 else ""


def _came_further(before: Sight, now: Sight, own: float, seconds: float) -> bool:
    was, process = before.process, now.process
    if now.elsewhere != before.elsewhere:
        return True
    if process.moved_bytes > was.moved_bytes + _BYTES or process.faults > was.faults + _FAULTS:
        return True
    if process.switches > was.switches + 1 and _waits_for_data(process):
        return True
    if own > _SHARE and now.holder != before.holder:
        return True
    if _calls_below(before, now):
        return True
    others = (process.ticks - was.ticks) / (seconds * _TICKS) - own
    held = now.holder is not None and now.holder == before.holder
    # Threads of a GPU's libraries spin for it; who holds the interpreter's lock all the time is no helper.
    return others > _SHARE and not held and not now.gpu


def _calls_below(before: Sight, now: Sight) -> bool:
    """Whether it has run, slept never, kept no lock, and was in other calls of its libraries in the end.

    A call that keeps the lock may be one that does not end, and who sleeps and looks calls the same again.
    """
    was, process = before.process, now.process
    ran = process.own_ticks > was.own_ticks and process.switches <= was.switches + 1
    return ran and now.holder is None and now.below != before.below


def _waits_for_data(process: Process) -> bool:
    return bool(process.wchan) and not any(word in process.wchan for word in _ASLEEP)


def _in_dataset(frames: tuple[Frame, ...]) -> bool:
    return any(frame.file.endswith("torch/utils/data/_utils/fetch.py") for frame in frames)


def worked(was: Process, process: Process) -> bool:
    """Whether a process whose calls nobody can see has used the processor or woken up."""
    return (
        process.own_ticks > was.own_ticks
        or process.switches > was.switches + 1
        or process.ticks > was.ticks + 2
    )
