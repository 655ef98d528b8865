"""The engine's one exception family; only ``cli`` turns it into words and an exit status."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 600
"""Characters of a sentence; what it quotes in the middle is left out beyond that."""


class EngineError(Exception):
    """Something that the caller gave is wrong; the message is one complete sentence.

    ``where`` is the place in the caller's input (``facts.yaml:7``), or empty.
    """

    def __init__(self, message: str, where: str = "") -> None:
        message = message.replace("\n", "\\n")  # one sentence on one line, whatever it quotes
        if len(message) > LONGEST:  # it may quote a value of any size
            message = f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"
        self.message = message
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)


class FactError(EngineError):
    """A fact has an unknown name, or a value that its type does not allow."""


class FactErrors(FactError):
    """Several things are wrong with one file: a line for each."""

    def __init__(self, errors: Sequence[FactError]) -> None:
        super().__init__(errors[0].message, errors[0].where)
        self.args = ("\n".join(str(error) for error in errors),)


class KnowledgeError(EngineError):
    """A file of a knowledge base cannot be read or breaks the format."""
