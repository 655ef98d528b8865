"""Errors of the command line: one sentence for a person, and the exit status that goes with it."""

from __future__ import annotations

OK, DIAGNOSED, USAGE, INSUFFICIENT, FAILED = 0, 1, 2, 3, 4
NOTHING = 1
"""A search that finds nothing, as grep has it."""


class UsageError(Exception):
    """Wrong usage or unreadable input: printed as one sentence, exit status 2."""

    def __init__(self, message: str) -> None:
        from ..engine.redaction import redact

        super().__init__(redact(message))  # it may quote a command line or a file
