"""Text from logs is untrusted: decoded, stripped of terminal escapes and control characters, cut to size."""

from __future__ import annotations

from ..engine.characters import seen
from ..engine.patterns import lazy_pattern

LONGEST = 1500
"""A line is looked at no further than this many characters on either side of what was found."""

_ESCAPES = lazy_pattern(
    rb"\x1b(?:\[[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    rb"|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)?"  # titles, links
    rb"|[PX^_][^\x1b]{0,512}(?:\x1b\\)?|[@-Z\\-_])"
)


def strip_escapes(data: bytes) -> bytes:
    """Terminal escape sequences removed; line breaks stay where they are."""
    return _ESCAPES.sub(b"", data) if b"\x1b" in data else data


def clean(data: bytes) -> str:
    """One line as text that is safe to show: no escapes, no control characters, tabs kept."""
    if data.isascii() and (plain := data.decode("ascii")).isprintable():
        return plain
    return safe(strip_escapes(data).decode("utf-8", "replace"))


def safe(text: str) -> str:
    """Text without control characters, bidirectional overrides or zero-width characters."""
    return seen(text)


def on_one_line(text: str) -> str:
    """A name as it is safe to show: with a line break in it it would forge lines of its own."""
    return safe(text).replace("\n", "\\n").replace("\t", "\\t")


def decode(data: bytes) -> bytes:
    """Whatever a shell wrote, as UTF-8 bytes: PowerShell's redirection writes UTF-16 with a mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")
