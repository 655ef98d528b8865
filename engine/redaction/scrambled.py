"""What a random generator makes, told from names and hexadecimal by how often the kind of character changes."""

from __future__ import annotations

import base64
import re

from ..patterns import lazy_pattern
from .values import HIDDEN

CANDIDATE = lazy_pattern(r"(?<![A-Za-z0-9])(?<!SHA\d\d\d[:-])(?<!sha\d\d\d[:-])[A-Za-z0-9]{24,4096}")
"""What might be random characters of both cases with digits. Fingerprints of keys are told to everybody."""
PAIR = lazy_pattern(
    r"(?<![\w+/.=-])(?:[A-Za-f][A-Za-z0-9+/]{3}){3,200}(?:[A-Za-f][A-Za-z0-9+/]{2}=|[A-Za-f][A-Za-z0-9+/]==)?(?![\w+/=.-])"
)
"""What might be the base64 of a user and a password: each letter begins with a bit that is 0."""
KEYS = lazy_pattern(r"(?i)(?<=keys)(['\"]?[ ]{0,4}[:=][ ]{0,4}\[)([^\[\]\n]{10,2000})(?=\])")
"""A list that is called keys, as those of a mapping are, too."""
_ITEM = lazy_pattern(r"(?<![\w.-])[\w-]{10,400}(?![\w.-])")
_LOGIN = lazy_pattern(rb"[\w.@+-]{1,64}:[!-~]{4,200}\Z")
_CASES = lazy_pattern(r"[a-z]+|[A-Z]+|\d+")
_WORDLIKE, _CHANGES = 4, 0.45
"""Letters in lower case that make a word, and how often random characters change between cases and digits."""


def is_scrambled(text: str) -> bool:
    """Whether this is what a random generator makes, and neither hexadecimal, nor names put together of words.

    Of 62 characters drawn at random, two in three neighbours are of different kinds. In names of classes and in
    mangled names of functions it is one in three, and most of their letters stand in words.
    """
    runs = _CASES.findall(text)
    if len(runs) - 1 < _CHANGES * (len(text) - 1):
        return False
    digits = sum(len(run) for run in runs if run.isdecimal())
    words = sum(len(run) for run in runs if run.islower() and len(run) >= _WORDLIKE)
    upper = sum(len(run) for run in runs if run.isupper())
    lower = len(text) - digits - upper
    return 3 <= digits <= len(text) // 2 and min(upper, lower) * 6 > len(text) and words * 3 < len(text)


def is_pair(text: str) -> bool:
    """Whether this is a user and a password, as headers carry them."""
    try:
        return bool(_LOGIN.match(base64.b64decode(text)))
    except ValueError:
        return False


def without_keys(found: re.Match[str]) -> str:
    """A list of keys without those that no mapping has: letters of both kinds among digits that stand apart."""
    return found[1] + _ITEM.sub(lambda item: HIDDEN if _is_key(item[0]) else item[0], found[2])


def _is_key(text: str) -> bool:
    runs = _CASES.findall(text)
    digits = sum(run.isdecimal() for run in runs)
    return (
        digits >= 2
        and len(runs) > len(text) // 2
        and any(map(str.isupper, text))
        and any(map(str.islower, text))
    )
