"""What stands in a value's place and is none: placeholders, words for nothing, what was hidden already."""

from __future__ import annotations

import re

from ..patterns import lazy_pattern

HIDDEN = "[hidden]"
_HARMLESS = lazy_pattern(
    r"(?i)(?:true|false|none|null|nil|yes|no|on|off|set|unset|auto|required|missing|empty|invalid|str|string|int|bytes"
    r"|optional.{0,40}|\*+|x{3,}|\.{3}|<.{0,60}>?|\$\{?\w{1,100}\}?|\$\(.{0,200}|\{\{.{0,100}|-{0,2}|\d)\Z"
)


def tells(value: str) -> bool:
    """Whether a value may be a secret."""
    return bool(value.strip()) and not _HARMLESS.match(value.strip())


def is_hidden(value: str) -> bool:
    """Whether this was hidden already; quotes may be left around it."""
    return value.strip().lstrip("\"'`").startswith(HIDDEN)


def is_mixed(text: str) -> bool:
    """Whether a text has both letters and digits."""
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def covered(line: str, found: re.Match[str], group: int, begins: int = 0) -> str:
    """The line, which ``begins`` so far behind the place from which matches count, without what a group has taken."""
    return line[: found.start(group) - begins] + HIDDEN + line[found.end(group) - begins :]
