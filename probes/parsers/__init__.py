"""One module per tool: from its output to facts. Live probes and pasted reports use the same ones."""

from __future__ import annotations

from .base import Found, Parser
from .catalogue import PARSERS

__all__ = ["PARSERS", "Found", "Parser"]
