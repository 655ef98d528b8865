"""Text from logs is untrusted: decoded, stripped of terminal escapes and control characters, cut to size."""

from __future__ import annotations

import re

LONGEST = 1500
"""A line is looked at no further than this many characters on either side of what was found."""

_ESCAPES = re.compile(
    rb"\x1b(?:\[[0-9;:<=>?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    rb"|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)?"  # titles, links
    rb"|[PX^_][^\x1b]{0,512}(?:\x1b\\)?|[@-Z\\-_])"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def strip_escapes(data: bytes) -> bytes:
    """Terminal escape sequences removed; line breaks stay where they are."""
    return _ESCAPES.sub(b"", data) if b"\x1b" in data else data


def clean(data: bytes) -> str:
    """One line as text that is safe to show: no escapes, no control characters, tabs kept."""
    return safe(strip_escapes(data).decode("utf-8", "replace"))


def safe(text: str) -> str:
    """Text without control characters, bidirectional overrides or zero-width characters."""
    return _CONTROL.sub("", text)


_SECRET = re.compile(
    r"(?i)(\b[\w-]{0,60}(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key)(?:[_-]?id)?['\"]?\s?[=:]\s?['\"]?"
    r"(?:bearer )?)([^\s'\",;&]{6,400})"
)
_LOGIN = re.compile(r"(://)[^\s/@:]{1,100}:[^\s/@]{1,200}@")


def hide_secrets(text: str) -> str:
    """Text without the values of tokens, keys and passwords, and without logins in addresses."""
    if "://" in text:
        text = _LOGIN.sub(r"\1...@", text)
    return _SECRET.sub(_hidden, text) if "=" in text or ":" in text else text


def _hidden(found: re.Match[str]) -> str:
    value = found[2]
    telling = any(c.isdigit() for c in value) and not value.isdigit()  # a key, not a word and not a count
    assigned = "=" in found[1] and not value.isdigit()
    return f"{found[1]}..." if telling or assigned else found[0]


def decode(data: bytes) -> bytes:
    """Whatever a shell wrote, as UTF-8 bytes: PowerShell's redirection writes UTF-16 with a mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")
