"""``phrasebook.txt`` and ``concepts.txt``, read at their first use: tables of words, which people edit as text."""

import os
from functools import lru_cache

from ..tuples import NamedTuple

_HERE = os.path.dirname(__file__)
PHRASES = os.path.join(_HERE, "phrasebook.txt")
CONCEPTS = os.path.join(_HERE, "concepts.txt")
_MANY = "MANY"


class Phrase(NamedTuple):
    """One thing that engineers say."""

    wordings: tuple[str, ...]
    deniable: bool
    """Whether it does not count behind a denial: "no hang", "does not hang", "不会卡住"."""


@lru_cache(maxsize=1)
def phrases() -> dict[str, Phrase]:
    """Every phrase by its name."""
    found = {}
    _, *sections = _text(PHRASES).split("\n[")
    for section in sections:
        head, *lines = section.splitlines()
        name, _, mark = head.partition("]")
        found[name] = Phrase(tuple(line for line in lines if line), mark.strip() == "deniable")
    (many,) = found.pop(_MANY).wordings
    return {
        name: phrase._replace(wordings=tuple(one.replace(_MANY, many) for one in phrase.wordings))
        for name, phrase in found.items()
    }


def concepts() -> dict[str, str]:
    """The words of every concept by its name, a line for each line of the file."""
    found: dict[str, str] = {}
    name = ""
    for line in _text(CONCEPTS).splitlines():
        if line.startswith(" "):
            found[name] += "\n" + line.strip()
        elif line and not line.startswith("#"):
            name, _, words = line.partition(": ")
            found[name] = words
    return found


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
