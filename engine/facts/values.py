"""The types of facts: text from a file, a person or a log becomes a typed value, or an error."""

from __future__ import annotations

import re
from typing import Any

from ..errors import FactError
from ..model import FactSpec
from ..patterns import lazy_pattern
from .versions import VersionError, parse_version

Value = bool | int | str

SET, UNSET = "set", "unset"
"""Values of ``env.*`` facts: set to a value that nobody stated; known not to be set."""

_TRUE = frozenset(("true", "yes", "y", "on", "1"))
_FALSE = frozenset(("false", "no", "n", "off", "0"))
_SIZE = lazy_pattern(r"(-?\d{1,20}(?:\.\d{1,20})?)\s{0,9}([kmgtp]?)(i?b?)\Z", re.IGNORECASE)
_UNLIMITED = -1
_NO_LIMIT = 1 << 62
"""Limits from here on are the kernel's way to say unlimited (RLIM_INFINITY, the page counter of a cgroup)."""


def parse_value(spec: FactSpec, raw: Any) -> Value:
    """Type ``raw`` by the vocabulary.

    Versions and texts stay text. Sizes (``unit: bytes``) may be written ``64M`` or ``1GiB``,
    limits may be ``unlimited`` (-1). Raises FactError with a sentence that says what is allowed.
    """
    text = _as_text(raw)
    if spec.type in ("int", "version"):
        text = ascii_digits(text)
    if spec.type == "bool":
        return _bool(spec, text)
    if spec.type == "int":
        return _int(spec, text)
    if spec.type == "choice":
        return _choice(spec, text)
    if spec.type == "version":
        try:
            parse_version(text, spec.name)
        except VersionError:
            raise FactError(f'{spec.name} must be a version such as 2.21.5, not "{text}"') from None
        return text
    if not text and not spec.name.startswith("env."):
        raise FactError(f"{spec.name} must not be empty")
    return text


def ascii_digits(text: str) -> str:
    """The text with digits of every script as 0 to 9: full-width ones come with Chinese keyboards."""
    if text.isascii():
        return text
    return "".join(str(int(c)) if c.isdecimal() else c for c in text)


def _as_text(raw: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, (int, float, str)):
        return str(raw).strip()
    raise FactError(f"a fact has one value, not a {'list' if isinstance(raw, list) else 'mapping'}")


def _bool(spec: FactSpec, text: str) -> bool:
    word = text.lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise FactError(f'{spec.name} must be true or false, not "{text}"')


def _int(spec: FactSpec, text: str) -> int:
    if text.lower() == "unlimited":
        return _UNLIMITED
    found = _SIZE.match(text)
    if not found or ((found[2] or found[3] or "." in found[1]) and spec.unit != "bytes"):
        wanted = "a size in bytes such as 67108864 or 64M" if spec.unit == "bytes" else "a whole number"
        raise FactError(f'{spec.name} must be {wanted}, not "{text}"')
    factor = 1024 ** " kmgtp".index(found[2].lower() or " ")
    number = int(float(found[1]) * factor) if factor > 1 or "." in found[1] else int(found[1])
    return _UNLIMITED if spec.name.startswith("limit.") and number >= _NO_LIMIT else number


def magnitude(spec: FactSpec, value: int) -> int:
    """The number to compare: an unlimited limit is larger than any."""
    return _NO_LIMIT if value == _UNLIMITED and spec.name.startswith("limit.") else value


def _choice(spec: FactSpec, text: str) -> str:
    word = text.lower()
    for value in spec.values:
        if word == value.lower():
            return value
    allowed = spec.values
    listed = ", ".join(allowed[:-1]) + f" or {allowed[-1]}" if len(allowed) > 1 else allowed[0]
    raise FactError(f'{spec.name} must be {listed}, not "{text}"')


def show_value(spec: FactSpec, value: Value) -> str:
    """The value as a person would write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and spec.unit == "bytes":
        return show_bytes(value)
    return str(value)


def show_bytes(value: int) -> str:
    """``67108864`` as ``64 MiB``; -1 as ``unlimited``."""
    if value == _UNLIMITED:
        return "unlimited"
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"
