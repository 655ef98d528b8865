"""Characters that no text needs and that a terminal or an eye takes for something else."""

from __future__ import annotations

from .patterns import lazy_pattern

UNSEEN_CHARACTERS = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Control characters but tabs and line breaks, bidirectional overrides, zero-width characters, tags: an expression."""
UNSEEN = lazy_pattern(UNSEEN_CHARACTERS)


def seen(text: str) -> str:
    """The text without them."""
    return UNSEEN.sub("", text)
