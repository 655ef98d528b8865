"""Several values below one name: the entries of a section, a mapping, a list; and pairs of lines, a name, a value."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .names import is_many, is_secret, is_weak
from .values import HIDDEN, covered, is_hidden, is_mixed, tells

_SECTION = lazy_pattern(
    r"[ \t]{0,20}\[{1,2}['\"]?(?:[\w -]{1,40}\.){0,3}([A-Za-z_][\w -]{0,60})['\"]?\]{1,2}[ \t\r]{0,8}\Z"
)
_HEAD = lazy_pattern(
    r"[ \t]{0,99}(?:-[ ])?['\"]?(?:[\w-]{1,40}\.){0,3}([A-Za-z_][\w-]{0,60})['\"]?[ \t]{0,8}[:=][ \t]{0,8}\{?[ \t\r]{0,8}\Z"
)
_ENTRY = lazy_pattern(
    r"(?:-[ ]{1,3})?['\"]?([\w/@][\w. /@-]{0,59}?)['\"]?[ \t]{0,20}[:=][ \t]{0,20}(['\"]?)([^'\"\n#{}\[\]]{1,400}?)\2,?[ \t\r]{0,8}\Z"
)
_ITEM = lazy_pattern(r"[ \t]{0,99}-[ ]{1,4}(['\"]?)([^'\"\n#{}\[\]:]{1,400}?)['\"]?,?[ \t\r]{0,8}\Z")
_TOLD = frozenset(
    ("name", "file", "path", "type", "user", "username", "login", "host", "hostname", "url", "region", "external",
     "secretname", "mountpath", "project", "namespace", "driver", "mode", "description", "source", "target",
     "email", "account", "provider", "version", "kind", "endpoint")
)  # fmt: skip
_TOLD_ENDS = ("id", "arn", "variable", "name", "user", "host", "url", "path", "file", "type", "ref")
"""Keys of entries that are told."""
_NAMED = lazy_pattern(
    r"(?i)[ \t]{0,99}(?:-[ ]{1,3})?\{?[ ]?['\"]?(?:name|key)['\"]?[ ]{0,4}[:=][ ]{0,4}['\"]?([A-Za-z_][\w.-]{0,99})['\"]?,?[ \t\r]{0,8}\Z"
)
_VALUE = lazy_pattern(
    r"(?i)[ \t]{0,99}['\"]?value['\"]?[ ]{0,4}[:=][ ]{0,4}(['\"]?)([^\s'\"{}\[\]|>][^'\"\n]{0,2000}?)\1,?[ \t\r}]{0,8}\Z"
)
_ABOVE = lazy_pattern(
    r"[ \t]{0,99}(?:-[ ]{1,3}|\{[ ]?)['\"]?[vV]alue['\"]?[ ]{0,4}[:=][ ]{0,4}(['\"]?)([^\s'\"{}\[\]|>][^'\"\n]{0,2000}?)\1,?[ \t\r]{0,8}\Z"
)
"""A value that begins an entry, above its name."""
_BEGUN = lazy_pattern(
    r"(?:\A|[\s'\"{,])([A-Za-z_][\w.-]{0,60})['\"]?[ ]{0,4}[:=][ ]{0,4}(['\"])[^'\"\\\n]{1,100}\Z"
)
_BESIDE = lazy_pattern(
    r"(?<![\w.-])([A-Za-z_][\w-]{0,60})(?:['\"]?[ ]{0,4}[:=]|\])[ ]{1,4}([A-Za-z_][\w-]{0,40})(?:[ ]?[:=]|(?=[ ]['\"]))[ ]{0,4}['\"]?([^\s'\"{}\[\],;]{6,400})"
)
"""A mapping below a name, put on its line."""
_TURNED = lazy_pattern(
    r"([{,]\s{0,40}\\{0,8}['\"]?[vV]alue\\{0,8}['\"]?[ ]{0,4}[:=][ ]{0,4}\\{0,8}(['\"]?))([^\s'\"{}\[\],\\]{4,2000})\\{0,8}\2,\s{0,40}"
    r"\\{0,8}['\"]?(?:[nN]ame|[kK]ey)\\{0,8}['\"]?[ ]{0,4}[:=][ ]{0,4}\\{0,8}['\"]?([A-Za-z_][\w.-]{0,99})"
)
"""A value before its name."""
_END, _MOST, _MOST_LINES = 160, 200, 6


def below_members(lines: list[str], number: int) -> int:
    """Hide the values below a name of several secrets; the number of the line behind them."""
    line = lines[number]
    if line.rstrip(" \t\r,")[-1:] in ("]", ":", "=", "{"):
        if line.lstrip()[:1] == "[" and (section := _SECTION.match(line)):
            return _section(lines, number) if _names_many(section[1]) else number
        head = _HEAD.match(line)
        return _entries(lines, number, head[1]) if head and _names_many(head[1]) else number
    if (named := _NAMED.match(line)) and is_secret(named[1]):
        return _pair(lines, number, named[1])
    return _rest_of_quote(lines, number)


def above_member(lines: list[str], number: int) -> None:
    """Hide the value that begins an entry above its name."""
    named = _NAMED.match(lines[number])
    if not named or not number or not is_secret(named[1]):
        return
    above = _ABOVE.match(lines[number - 1])
    if not above or _indent(lines[number]) < _indent(lines[number - 1]):
        return
    if tells(above[2]) and not is_hidden(above[2]) and (is_mixed(above[2]) or not is_weak(named[1])):
        lines[number - 1] = covered(lines[number - 1], above, 2)


def without_members(text: str) -> str:
    """The text without the first value of a mapping that stands on the line of a name of several secrets."""
    return _TURNED.sub(_turned, _BESIDE.sub(_beside, text))


def _turned(found: re.Match[str]) -> str:
    name, value = found[4], found[3]
    if not is_secret(name) or not tells(value) or is_hidden(value) or (is_weak(name) and not is_mixed(value)):
        return found[0]
    return covered(found[0], found, 3, found.start())


def _beside(found: re.Match[str]) -> str:
    told = found[2].lower() in _TOLD or found[2].lower().endswith(_TOLD_ENDS)
    if told or not _names_many(found[1]) or not is_mixed(found[3]) or is_hidden(found[3]):
        return found[0]
    return covered(found[0], found, 3, found.start())


def _names_many(name: str) -> bool:
    return is_many(name) and is_secret(name)


def _section(lines: list[str], number: int) -> int:
    at = number + 1
    while at < len(lines) and at - number < _MOST and not lines[at].lstrip().startswith("["):
        _cover_entry(lines, at)
        at += 1
    return at


def _entries(lines: list[str], number: int, name: str) -> int:
    """Of a mapping or a list, whose items may stand as deep as its name."""
    margin, at = _indent(lines[number]), number + 1
    listed = not name.lower().endswith(("secrets", "credentials"))  # names of secrets are listed so
    while at < len(lines) and at - number < _MOST and lines[at].strip():
        deep, item = _indent(lines[at]), lines[at].lstrip().startswith("- ")
        if deep < margin or (deep == margin and not item):
            break
        found = _ITEM.match(lines[at]) if item else None
        if found is None:
            _cover_entry(lines, at)
        elif (
            listed
            and tells(found[2])
            and not is_hidden(found[2])
            and (is_mixed(found[2]) or not is_weak(name))
        ):
            lines[at] = covered(lines[at], found, 2)
        at += 1
    return at


def _cover_entry(lines: list[str], at: int) -> None:
    found = _ENTRY.match(lines[at], _indent(lines[at]))
    if not found or found[1].strip().lower() in _TOLD or found[1].rstrip().lower().endswith(_TOLD_ENDS):
        return
    value = found[3]
    if not tells(value) or is_hidden(value) or value.startswith(("/", "./", "~")) or " " in value.strip():
        return
    if is_mixed(value):
        lines[at] = covered(lines[at], found, 3)


def _pair(lines: list[str], number: int, name: str) -> int:
    found = _VALUE.match(lines[number + 1])
    if not found or not tells(found[2]) or is_hidden(found[2]) or (is_weak(name) and not is_mixed(found[2])):
        return number
    lines[number + 1] = covered(lines[number + 1], found, 2)
    return number + 2


def _rest_of_quote(lines: list[str], number: int) -> int:
    """What stands between a quotation mark behind a name and its other one some lines below."""
    found = _BEGUN.search(lines[number].rstrip("\r")[-_END:])
    if not found or not is_secret(found[1]) or is_weak(found[1]):
        return number
    line = lines[number].rstrip("\r")
    if line.count(found[2], 0, max(0, len(line) - _END) + found.start(2)) % 2:
        return number  # the quotation mark was the second of two
    for at in range(number + 1, min(len(lines), number + _MOST_LINES)):
        if found[2] in lines[at]:
            words = [line.strip() for line in lines[number + 1 : at]]
            words.append(lines[at][: lines[at].index(found[2])].strip())
            if any(" " in word for word in words):
                return number
            for one, word in enumerate(words, number + 1):
                _blot(lines, one, word)
            return at + 1
        if not lines[at].startswith((" ", "\t")):
            break
    return number


def _blot(lines: list[str], at: int, bare: str) -> None:
    if tells(bare) and not is_hidden(bare):
        lines[at] = lines[at].replace(bare, HIDDEN, 1)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
