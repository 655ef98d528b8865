"""Secrets that stand in other lines than their names, in a text that is read line by line."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

from ..patterns import lazy_pattern
from .blocks import blotted
from .layouts import rearranged

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
_WORDS = (
    b"pass",
    b"pwd",
    b"secret",
    b"token",
    b"key",
    b"cred",
    b"psk",
    b"pin",
    b"phrase",
    b"sensitive",
    b"data",
    b"auth",
)
_MARKS = (b"stringData:", b"sensitive", b"chpasswd", b"PRIVATE KEY", b"PRIVATE KEY BLOCK")


def without_apart(data: bytes) -> bytes:
    """The text without them, in as many lines as before."""
    if not _may_hold(data):
        return data
    text = data.decode("utf-8", "surrogateescape")
    return rearranged(blotted(text, text.lower())).encode("utf-8", "surrogateescape")


_HEADS = lazy_pattern(
    rb"(?m)^[\w\"' .-]{1,40}(?:[,;\t|][\w\"' .-]{1,40}){1,20}(?=\r?$)|^[ \t]{0,40}['\"]?(?:[Vv]alue|VALUE)['\"]?[ ]?[:=]"
)
"""Heads of tables, and the second line of a pair of a name and a value."""


def _may_hold(data: bytes) -> bool:
    if any(mark in data for mark in _MARKS):
        return True
    for found in _HEADS.finditer(data):
        begin = data.rfind(b"\n", 0, max(0, found.start() - 1)) + 1
        if any(word in data[begin : found.end()].lower() for word in _WORDS):
            return True
    for end in _ENDS:
        at = data.find(end)
        while at >= 0:
            before = data[max(0, at - _BEFORE) : at].lower()
            if any(word in before[before.rfind(b"\n") + 1 :] for word in _WORDS):
                return True
            at = data.find(end, at + len(end))
    return False
