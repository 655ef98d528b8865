"""The engine's one exception family; only ``cli`` turns it into words and an exit status."""

from __future__ import annotations

from collections.abc import Sequence

from .characters import seen
from .redaction import redact

LONGEST = 600
"""Characters of a sentence; what it quotes in the middle is left out beyond that."""


class EngineError(Exception):
    """Something that the caller gave is wrong; the message is one complete sentence.

    ``where`` is the place in the caller's input (``facts.yaml:7``), or empty.
    """

    def __init__(self, message: str, where: str = "") -> None:
        message, where = redact(seen(message)), redact(seen(where))  # both may quote anything
        where = where.replace("\n", "\\n")
        message = message.replace("\n", "\\n")  # one sentence on one line, whatever it quotes
        if len(message) > LONGEST:  # it may quote a value of any size
            message = f"{message[: LONGEST // 2]} ... {message[-LONGEST // 2 :]}"
        self.message = message
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)


class FactError(EngineError):
    """A fact has an unknown name, or a value that its type does not allow."""


class FactErrors(FactError):
    """Several things are wrong with one file: a line for each. Whoever reads the file stops at ``MOST``."""

    MOST = 20

    def __init__(self, errors: Sequence[FactError]) -> None:
        super().__init__(errors[0].message, errors[0].where)
        lines = [str(error) for error in errors]
        if len(errors) >= self.MOST:
            lines.append("what comes after that was not looked at")
        self.args = ("\n".join(lines),)


class KnowledgeError(EngineError):
    """A file of a knowledge base cannot be read or breaks the format."""
