"""What a random generator makes, told from names and hexadecimal by how often the kind of character changes."""

from __future__ import annotations

from ..patterns import lazy_pattern

CANDIDATE = lazy_pattern(r"(?<![A-Za-z0-9])(?<!SHA\d\d\d[:-])(?<!sha\d\d\d[:-])[A-Za-z0-9]{24,4096}")
"""What might be random characters of both cases with digits. Fingerprints of keys are told to everybody."""
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
