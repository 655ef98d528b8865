"""The engine's one exception family; only ``cli`` turns it into words and an exit status."""

from __future__ import annotations


class EngineError(Exception):
    """Something that the caller gave is wrong; the message is one complete sentence.

    ``where`` is the place in the caller's input (``facts.yaml:7``), or empty.
    """

    def __init__(self, message: str, where: str = "") -> None:
        self.message = message
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)


class FactError(EngineError):
    """A fact has an unknown name, or a value that its type does not allow."""


class KnowledgeError(EngineError):
    """A file of a knowledge base cannot be read or breaks the format."""
