"""How the engine asks for the type of a fact, without knowing where the vocabulary comes from."""

from __future__ import annotations

from collections.abc import Callable

from ..model import FactSpec

TypeOf = Callable[[str], FactSpec]
"""Gives the vocabulary entry for a fact name; raises FactError for an unknown one."""
