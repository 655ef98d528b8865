"""How many nodes of a cluster have answered."""

from __future__ import annotations

import time
from typing import TextIO

from ..terminal import columns

_PAUSE = 0.1


class NodeProgress:
    """How many nodes have answered: a bar on a terminal, and nothing elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._shown = 0.0

    def __enter__(self) -> NodeProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._stream:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def update(self, answered: int, asked: int) -> None:
        """So many of the nodes have answered, or were given up."""
        now = time.monotonic()
        if not self._stream or (now - self._shown < _PAUSE and answered < asked):
            return
        self._shown = now
        share = answered / max(asked, 1)
        line = (
            f"[{'#' * round(20 * share):<20}] {answered} of {asked} nodes" if asked else "connecting to Ray"
        )
        self._stream.write("\r" + line[: max(columns() - 1, 10)] + "\x1b[K")
        self._stream.flush()
