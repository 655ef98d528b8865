"""Characters that no text needs and that a terminal or an eye takes for something else."""

from __future__ import annotations

import re

from .patterns import lazy_pattern

UNSEEN_CHARACTERS = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""Control characters but tabs and line breaks, bidirectional overrides, and all that Unicode tells a terminal to leave
out where it does not know it (Default_Ignorable_Code_Point): soft hyphens, zero-width characters, fillers, variation
selectors, tags. An expression."""
UNSEEN = lazy_pattern(UNSEEN_CHARACTERS)


def first_unseen(text: str) -> re.Match[str] | None:
    """The first of them in a text."""
    plain = text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()
    return None if plain else UNSEEN.search(text)


def seen(text: str) -> str:
    """The text without them."""
    return text if text.isascii() and text.isprintable() else UNSEEN.sub("", text)
