"""Blocks that say of themselves that they hold secrets: keys whose beginning was cut off, Terraform's, Kubernetes'."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .values import HIDDEN, covered, is_hidden, tells

_END = lazy_pattern(
    r"-----?[ ]?END [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|AGE ENCRYPTED FILE|PGP MESSAGE)[ ]?-----?"
)
_BODY = lazy_pattern(r"[ \t>|]{0,40}[\w+/=-]{16,200}[ \t\r]{0,8}\Z")
_SENSITIVE = lazy_pattern(r"(?i)\bsensitive['\"]?[ \t]{0,40}[=:][ \t]{0,8}true\b")
_SET = lazy_pattern(
    r"(?i)(\b(?:value|default)['\"]?[ \t]{0,40}[=:][ \t]{0,8})(\"(?:[^\"\\\n]|\\.){1,2000}\"|[^\s\"{}\[\],]{1,400})"
)
_REACH = 2000
_KIND = lazy_pattern(r"\bkind\"?:[ ]{0,4}\"?(?:Secret|SealedSecret|SecretList)\b")
_DATA = lazy_pattern(r"(?m)^([ -]{0,99})\"?(?:stringData|data|binaryData)\"?:[ ]{0,4}\{?[ \t\r]{0,4}$")
_STRINGS = lazy_pattern(r"(?m)^([ -]{0,99})\"?stringData\"?:[ ]{0,4}\{?[ \t\r]{0,4}$")
_LISTED = lazy_pattern(
    r"(\bchpasswd:[^\n]{0,40}\n(?:[ \t]{1,40}\w{1,20}:[ \t]{0,4}(?:[|>][-+]?|[ ]\w{1,8})?[ \t\r]{0,4}\n){1,4})((?:[ \t]{1,40}(?:-[ ])?[\w.-]{1,40}:\S{1,200}[ \t\r]{0,8}(?:\n|\Z)){1,200})"
)
_USER = lazy_pattern(r"(?m)^([ \t]{1,40}(?:-[ ])?[\w.-]{1,40}:)(\S{1,200})")
_ENTRY = lazy_pattern(
    r"[ \t]{0,99}['\"]?[\w.-]{1,253}['\"]?:[ \t]{1,8}['\"]?([^\s'\"{}\[\]|>][^'\"\n]{0,8000}?)['\"]?,?[ \t\r]{0,8}\Z"
)


def blotted(text: str, lowered: str) -> str:
    """The text without what such blocks hold."""
    if "end " in lowered and "---" in lowered and _END.search(text):
        text = _without_bodies(text)
    if "sensitive" in lowered:
        text = _without_sensitive(text)
    if "stringdata" in lowered or ("kind" in lowered and "secret" in lowered):
        text = _without_data(text)
    if "chpasswd" in lowered and "\n" in lowered:
        text = _LISTED.sub(_without_passwords, text)
    return text


def _without_passwords(found: re.Match[str]) -> str:
    return found[1] + _USER.sub(lambda one: one[0] if is_hidden(one[2]) else f"{one[1]}{HIDDEN}", found[2])


def _without_bodies(text: str) -> str:
    """A key that ends here and began before the text does: what stands above its end."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "END " not in line or not _END.search(line):
            continue
        above = number - 1
        while above >= 0 and _BODY.match(lines[above]):
            lines[above] = HIDDEN
            above -= 1
    return "\n".join(lines)


def _without_sensitive(text: str) -> str:
    parts, done = [], 0
    for found in _SENSITIVE.finditer(text):
        begin = max(text.rfind("{", max(done, found.start() - _REACH), found.start()), done)
        end = text.find("}", found.end(), found.end() + _REACH)
        end = end if end >= 0 else min(len(text), found.end() + _REACH)
        if end <= done:
            continue
        parts += [text[done:begin], _SET.sub(_valueless, text[begin:end])]
        done = end
    return "".join((*parts, text[done:]))


def _valueless(found: re.Match[str]) -> str:
    value = found[2].strip('"')
    if not tells(value) or is_hidden(value):
        return found[0]
    quote = '"' if found[2].startswith('"') else ""
    return f"{found[1]}{quote}{HIDDEN}{quote}"


def _without_data(text: str) -> str:
    """The values in the data of a Secret; what is called stringData is one's always."""
    shape = _DATA if _KIND.search(text) else _STRINGS
    if not shape.search(text):
        return text
    lines, at = text.split("\n"), 0
    while at < len(lines):
        head = shape.match(lines[at])
        at += 1
        if not head:
            continue
        margin = len(head[1])
        while at < len(lines) and (
            not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip()) > margin
        ):
            entry = _ENTRY.match(lines[at])
            if entry and tells(entry[1]) and not is_hidden(entry[1]):
                lines[at] = covered(lines[at], entry, 1)
            at += 1
    return "\n".join(lines)
