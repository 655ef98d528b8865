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


_CONTROLS = bytes(c for c in range(32) if c not in b"\t\n\r\x1b") + b"\x7f"
_UNSEEN = lazy_pattern(
    rb"\xc2[\x80-\x9f\xad]|\xcd\x8f|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])"
    rb"|\xe2(?:\x80[\x8b-\x8f\xa8-\xae]|\x81[\xa0-\xaf])|\xe3\x85\xa4"
    rb"|\xef(?:\xb8[\x80-\x8f]|\xbb\xbf|\xbe\xa0|\xbf[\xb0-\xbb])"
    rb"|\xf0(?:\x9b\xb2[\xa0-\xa3]|\x9d\x85[\xb3-\xba])|\xf3\xa0[\x80-\xbf][\x80-\xbf]"
)
"""``engine.characters.UNSEEN`` beyond ASCII, in UTF-8."""


def visible(data: bytes) -> bytes:
    """What an eye sees of a text, before it is searched: nobody hides a line from us by what he puts into its words.

    Lines stay where they are, and so do carriage returns.
    """
    data = strip_escapes(data).translate(None, _CONTROLS)
    return data if data.isascii() else _UNSEEN.sub(b"", data)


def strip_escapes(data: bytes) -> bytes:
    """Terminal escape sequences removed; line breaks stay where they are."""
    return _ESCAPES.sub(b"", data) if b"\x1b" in data else data


def clean(data: bytes) -> str:
    """One line as text that is safe to show: no escapes, no control characters, tabs kept."""
    if data.isascii() and (plain := data.decode("ascii")).replace("\t", "").isprintable():
        return plain
    return safe(strip_escapes(data).decode("utf-8", "replace"))


def safe(text: str) -> str:
    """Text without control characters, bidirectional overrides or zero-width characters."""
    return seen(text)


def on_one_line(text: str) -> str:
    """A name as it is safe to show: with a line break in it it would forge lines of its own, and bytes that are no
    UTF-8 could not be written."""
    shown = safe(text).replace("\n", "\\n").replace("\t", "\\t")
    return shown if shown.isascii() else shown.encode("utf-8", "backslashreplace").decode()


def decode(data: bytes) -> bytes:
    """Whatever a shell wrote, as UTF-8 bytes: PowerShell's redirection writes UTF-16 with a mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")
