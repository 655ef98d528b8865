"""The expert system: facts, knowledge, rules, sessions. Reads no machine and prints nothing.

What is public is loaded when it is asked for: an audit does without sessions, and ``explain`` without both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnosis import Diagnosis
    from .errors import EngineError, FactError, KnowledgeError
    from .facts import CannotTell, Fact, Origin
    from .knowledge import Knowledge
    from .session import Session

_ROOMS = {
    "CannotTell": "facts",
    "Diagnosis": "diagnosis",
    "EngineError": "errors",
    "Fact": "facts",
    "FactError": "errors",
    "Knowledge": "knowledge",
    "KnowledgeError": "errors",
    "Origin": "facts",
    "Session": "session",
}

__all__ = [
    "CannotTell",
    "Diagnosis",
    "EngineError",
    "Fact",
    "FactError",
    "Knowledge",
    "KnowledgeError",
    "Origin",
    "Session",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)
