"""A conversation that is ended from outside ends in good order: its answers are kept first."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

_ENDING = (signal.SIGHUP, signal.SIGTERM)


@contextlib.contextmanager
def kept(leave: Callable[[], None]) -> Iterator[None]:
    """``leave`` is called however the talk ends but by the person: a signal, a closed terminal, an error.

    A signal ends the program with 128 and its number, as it would have done.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)  # the one exception that event loops let pass

    before = {number: signal.getsignal(number) for number in _ENDING}
    for number in _ENDING:
        if before[number] != signal.SIG_IGN:  # nohup
            signal.signal(number, end)
    try:
        yield
    except BaseException:
        for number in _ENDING:
            signal.signal(number, signal.SIG_IGN)  # one more must not cut the saving short
        leave()
        raise
    finally:
        for number in _ENDING:
            signal.signal(number, before[number])
