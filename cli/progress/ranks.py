"""The stage of each rank on standard error, on one line that is written over; nothing where there is no terminal."""

from __future__ import annotations

from types import TracebackType
from typing import Any, TextIO


class StageLine:
    """Shows what the ranks say of themselves."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._stages: dict[int, str] = {}
        self._variant = ""

    def announce(self, text: str) -> None:
        """What will be done, before it is done."""
        self._stream.write(f"gpudoctor: {text}\n")
        self._stream.flush()

    def update(self, variant: str, rank: int, event: dict[str, Any]) -> None:
        """A line of a rank."""
        if variant != self._variant:
            self._variant, self._stages = variant, {}
        self._stages[rank] = str(event.get("op") or event["stage"])
        if self._live:
            ranks = " ".join(f"{number}:{stage}" for number, stage in sorted(self._stages.items()))
            self._stream.write(f"\r\x1b[K{variant}: {ranks}"[:100])
            self._stream.flush()

    def __enter__(self) -> StageLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live and self._variant:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
