"""What a person means who asks to have something explained: an id, an event, a variable, or an error line."""

from __future__ import annotations

import re

from ...engine import Knowledge
from ..errors import UsageError
from .entries import find
from .search import find_entries, signs_of

_EVENT = re.compile(r"(s?xid)[\s:#.]*(\d{1,5})", re.IGNORECASE)
_VARIABLE = re.compile(r"\$?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=.*)?")


def meant(knowledge: Knowledge, said: str) -> tuple[str, tuple[str, ...]]:
    """The id that is meant, and others that may be. Raises UsageError that suggests the nearest."""
    said = " ".join(said.split())
    for name in _spellings(said):
        if _is_known(knowledge, name):
            return name, ()
    if " " in said:
        # An error line: what it is a sign of, then what it may lead to.
        signs = [name for name in signs_of(knowledge, said) if _is_known(knowledge, name)]
        hits = list(dict.fromkeys([*signs, *(hit.id for hit in find_entries(knowledge, said)[:6])]))
        if hits:
            return hits[0], tuple(hits[1:5])
    find(knowledge, said)  # says what is near
    return said, ()


def _spellings(said: str) -> list[str]:
    found = [said, said.lower(), said.lower().replace(" ", "-"), f"symptom.{said.lower().replace(' ', '-')}"]
    if event := _EVENT.fullmatch(said):
        found.insert(0, f"{event[1].lower()}.{int(event[2])}")
    if variable := _VARIABLE.fullmatch(said):
        found.insert(0, f"env.{variable[1]}")
    return found


def _is_known(knowledge: Knowledge, name: str) -> bool:
    try:
        find(knowledge, name)
    except UsageError:
        return False
    return True
