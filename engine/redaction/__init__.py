"""Secrets never leave the machine: one function through which everything passes that is shown, saved or captured."""

from .apart import without_apart
from .hiding import redact
from .names import is_secret
from .values import HIDDEN

__all__ = ["HIDDEN", "is_secret", "redact", "without_apart"]
