"""The expert system: facts, knowledge, rules, sessions. Reads no machine and prints nothing."""

from .errors import EngineError, FactError, KnowledgeError
from .facts import CannotTell, Fact, Origin
from .knowledge import Knowledge
from .session import Session

__all__ = [
    "CannotTell",
    "EngineError",
    "Fact",
    "FactError",
    "Knowledge",
    "KnowledgeError",
    "Origin",
    "Session",
]
