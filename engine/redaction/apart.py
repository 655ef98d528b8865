"""Secrets that stand in other lines than their names, in a text that is read line by line."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

from ..patterns import lazy_pattern
from .blocks import blotted
from .layouts import rearranged
from .nested import SERVICES, without_nested
from .printed import PRINTS

_ENDS = (
    b":\n",
    b":\r\n",
    b": \n",
    b": |\n",
    b": >\n",
    b"|-\n",
    b">-\n",
    b"=\n",
    b"= \\\n",
    b'"\n',
    b"'''\n",
    b"|\n",
    b"[\n",
    b"(\n",
    b"{\n",
    b"]\n",
    b"\\\n",
    b"=>\n",
)
"""How a line ends of which the value comes in the next; most logs have few of them."""
_BEFORE = 100
_WORDS = lazy_pattern(rb"pass|pwd|secret|token|key|cred|psk|pin|phrase|sensitive|data|auth")
"""What the name of a secret has in it, in lower case."""
_SERVICES = tuple(name.encode() for name in SERVICES)
_NESTED = lazy_pattern(rb"\n[ \t]{0,60}(?:-[ ])?['\"]?(?:key|token|auth)['\"]?[ \t]{0,8}[:=]")
"""A key that may stand below the name of what it opens."""
_MARKS = (b"stringData:", b"sensitive", b"chpasswd", b"PRIVATE KEY", b"PRIVATE KEY BLOCK")


def without_apart(data: bytes) -> bytes:
    """The text without them, in as many lines as before."""
    if not _may_hold(data):
        return data
    text = data.decode("utf-8", "surrogateescape")
    text = rearranged(blotted(text, text.lower()))
    return without_nested(text, text.lower()).encode("utf-8", "surrogateescape")


_HEADS = lazy_pattern(
    rb"(?m)^[\w\"' .-]{1,40}(?:[,;\t|][\w\"' .-]{1,40}){1,20}(?=\r?$)|^[ \t]{0,40}(?:-[ ]{1,3}|\{[ ]?)?['\"]?(?:[Vv]alue|VALUE)['\"]?[ ]?[:=]"
)
"""Heads of tables, and the line of a value in a pair of a name and a value."""
_LISTED = lazy_pattern(
    rb"(?m)^[ \t]{0,40}-[ ]{1,3}['\"]?--?[\w.-]{0,60}(?:pass|pw|secret|token|key|auth)[\w.-]{0,60}['\"]?[ \t\r]{0,4}$"
)
"""An option in a list of arguments: its value is the next item."""


_PRINTING = lazy_pattern(rb"(?:%s)[^\n]{0,300}" % PRINTS.encode())


def _may_hold(data: bytes) -> bool:
    if any(mark in data for mark in _MARKS):
        return True
    if any(_WORDS.search(found[0].lower()) for found in _PRINTING.finditer(data)):
        return True
    if _LISTED.search(data):
        return True
    if _NESTED.search(data) and _names_service(data.lower()):
        return True
    for found in _HEADS.finditer(data):
        begin = data.rfind(b"\n", 0, max(0, found.start() - 1)) + 1
        line = data.find(b"\n", found.end()) + 1 or len(data)  # a value may stand above its name
        around = data[begin : found.end()] + data[line : line + _BEFORE].split(b"\n", 1)[0]
        if _WORDS.search(around.lower()):
            return True
    for end in _ENDS:
        at = data.find(end)
        while at >= 0:
            before = data[max(0, at - _BEFORE) : at].lower()
            if _WORDS.search(before, before.rfind(b"\n") + 1):
                return True
            at = data.find(end, at + len(end))
    return False


def _names_service(lowered: bytes) -> bool:
    return any(name in lowered for name in _SERVICES)
