"""The probes that keep a round waiting."""

from __future__ import annotations

import time
from typing import TextIO

from ..terminal import columns

_PATIENCE = 0.5  # seconds before anything is shown: most rounds are over sooner


class ProbeProgress:
    """Names on a terminal the probes that keep a round waiting, and nothing elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self._waiting: dict[str, None] = {}
        self._began = time.monotonic()
        self._drawn = False

    def __enter__(self) -> ProbeProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn and self._stream:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def __call__(self, name: str, state: str) -> None:
        """A probe has started, has ended or was given up."""
        if state == "started":
            self._waiting[name] = None
        else:
            self._waiting.pop(name, None)
        if self._stream and time.monotonic() - self._began > _PATIENCE and self._waiting:
            width = columns()
            line = f"waiting for {', '.join(self._waiting)}"
            self._stream.write("\r" + line[: max(width - 1, 10)] + "\x1b[K")
            self._stream.flush()
            self._drawn = True
