"""Secrets never leave the machine: one function through which everything passes that is shown, saved or captured."""

from .hiding import HIDDEN, redact
from .names import is_secret

__all__ = ["HIDDEN", "is_secret", "redact"]
