"""Values that stand in another place than behind their name: in the next line, the next cell, below in a column.

Lines stay lines: as many come out as go in, so that a place in a text stays that place. Each line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..patterns import lazy_pattern
from .hints import may_hold
from .members import above_member, below_members
from .names import is_secret, is_weak
from .printed import below_printing
from .tables import RULE, below_heading, mark_of, name_in, without_cells
from .values import HIDDEN, covered, is_hidden, is_mixed, tells

_OPENER = lazy_pattern(
    r"(?:^|[\s'\"`*{(<,$:@?-])(-{0,2}[A-Za-z_][\w. -]{0,60}?|[A-Za-z_][\w.-]{0,99})['\"`*\])]{0,4}[ \t]{0,8}"
    r"(?P<sign>:=?|=>?|->|>|,)?[ \t]{0,8}(?:[!&][\w-]{1,30}[ ]{1,4}){0,2}"
    r"(?P<block>[|>][-+0-9]{0,2}|\[|\(|<<[-~]?['\"]?(?P<end>\w{1,20})['\"]?|'''|\"\"\"|\\)?"
    r"[ \t]{0,8}(?:[ ]#[^\n]{0,200})?\Z"
)
"""A name at the end of a line, with what says that the value comes in the next."""
_BLOCK = lazy_pattern(
    r"[\w'\"][ \t]{0,8}[:=][ \t]{0,8}(?:[!&][\w-]{1,30}[ ]{1,4}){0,2}[|>][-+0-9]{0,2}[ \t\r]{0,8}"
    r"(?:[ ]#[^\n]{0,200})?\Z"
)
_LAST = ":=>,|[(+-\\'\"0123456789"
"""Characters with which such a line may end; a comment or a name ends otherwise."""
_KEY = lazy_pattern(
    r"[ \t]{0,99}(?:-[ ]{1,3})?['\"]?[\w. /-]{1,99}['\"]?[ \t]{0,8}(?:[:=](?=\s|\Z)|=>|:=|=\S)"
)
_QUOTED = lazy_pattern(
    r"[ \t]{0,99}(?:[,:=]|-(?=[ ]))?[ \t]{0,8}[bru$]?(['\"])((?:(?!\1)[^\\]|\\.){1,4096})(?:\1|\Z)(?![ \t]{0,8}:(?!\d))"
)
_PLAIN = lazy_pattern(
    r"[ \t]{0,99}(?:[:=][ \t]{1,8}|-[ ]{1,4})?(?!-[ ])([^\s'\"{}\[\]<#][^\n]{0,400}?)[ \t\r,;]{0,8}\Z"
)
_XML = lazy_pattern(
    r"[ \t]{0,99}(?:<(?:value|string|plaintext)[^<>]{0,99}>)?[ \t]{0,8}([^\s<>][^<>]{0,400})", re.IGNORECASE
)
_PROMPT = lazy_pattern(r"(?i)(?:password|passphrase|passcode|\bpin)(?: (?:for|of)[ ]\S{1,80})?\s?:\s{0,4}\Z")
_ALONE = lazy_pattern(r"(?i)[ \t]{0,99}(?:password|passwd|passphrase)[ \t]{0,8}\Z")
_END = 160
"""Characters at the end of a line in which the name of what follows stands."""
_MOST_BELOW = 400


def rearranged(text: str) -> str:
    """The text without values that stand apart from their names."""
    lines = text.split("\n")
    last = len(lines) - 1
    done = members = 0  # lines before these were values, and members of what was named above
    for number, line in enumerate(lines):
        if number < done or not line or len(line) > 4000 or not may_hold(line.lower()):
            continue
        above_member(lines, number)
        if number < last and (below := below_printing(lines, number)) > number:
            done = below
            continue
        if (mark := mark_of(line)) and not _BLOCK.search(line[-_END:]):
            if number < last and (below := below_heading(lines, number, mark)) > number:
                done = below
                continue
            lines[number] = without_cells(line, mark)
            continue
        if number == last:
            continue
        if number >= members:
            members = below_members(lines, number)
        if (below := _below(lines, number)) > number or (below := below_heading(lines, number, "")) > number:
            done = below
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _below(lines: list[str], number: int) -> int:
    """Hide what stands below a name at the end of a line; the number of the line behind it, or ``number``."""
    line = lines[number].rstrip(" \t\r")
    if _ALONE.match(line):
        return _single(lines, number, anywhere="login" in "\n".join(lines[max(0, number - 4) : number]))
    if _PROMPT.search(line[-_END:]) and (below := _single(lines, number, anywhere=True)) > number:
        return below
    if line.lstrip()[:1] == "-" and (below := _argument(lines, number, line.strip())) > number:
        return below
    if not line or (line[-1] not in _LAST and "#" not in line and "<<" not in line):
        return number
    found = _OPENER.search(line[-_END:])
    if not found or not (found["sign"] or found["block"] or line[-1] in "'\""):
        return number
    name = found[1].strip()
    name = name_in(name) if " " in name else name
    name = name or found[1].split(" ")[-1]
    if not is_secret(name):
        return number
    block, sign = found["block"] or "", found["sign"] or ""
    if sign == "," and not (name == found[1] and line.lstrip(" \t([{")[1 : len(name) + 1] == name):
        return number  # the last word of a sentence in a list
    if block[:1] in ("|", ">") and sign in (":", "=", "=>", ""):
        return _indented(lines, number)
    if block.startswith("<<"):
        return _until(lines, number, lambda text: text.strip() == found["end"])
    if block in ("'''", '"""'):
        return _until(lines, number, lambda text: block in text)
    if block in ("[", "("):
        return _until(lines, number, lambda text: text.strip()[:1] in ("]", ")", "}"), quoted=True)
    if sign == ">":
        return _replaced(lines, number, _XML, 1, name) if "<" in line else number
    if block == "\\":
        return _next(lines, number, name, "\\")
    if not sign:  # "password"\n: "value"
        following = lines[number + 1].strip()
        if following in (":", "=", "=>") and number + 2 < len(lines):
            return _replaced(lines, number + 1, _QUOTED, 2, name) if lines[number + 2].strip() else number
        if following[:1] != ":":
            return number
    return _next(lines, number, name, sign)


def _argument(lines: list[str], number: int, line: str) -> int:
    """The value of an option that stands alone: the next line, or the next item of a list of arguments."""
    option = line.removeprefix("- ").strip("'\"")
    if option[:1] != "-" or " " in option or "=" in option or not is_secret(option):
        return number
    following = lines[number + 1].strip()
    if following[:1] != "-":
        return _single(lines, number, anywhere=True)
    if not (line.startswith("- ") and following.startswith("- ")) or following[2:].lstrip(" '\"")[:1] == "-":
        return number
    below = _replaced(lines, number, _QUOTED, 2, option)
    return below if below > number else _replaced(lines, number, _PLAIN, 1, option)


def _next(lines: list[str], number: int, name: str, sign: str) -> int:
    """One value in the next line that is not empty."""
    at = number + 1
    while at < len(lines) - 1 and at - number < 3 and not lines[at].strip():
        at += 1
    if (below := _replaced(lines, at - 1, _QUOTED, 2, name)) > at - 1:
        return below
    following = lines[at].rstrip("\r")
    deeper = (
        _indent(following) > _indent(lines[number])
        or sign in ("=", "\\")
        or following.lstrip().startswith(":")
    )
    if sign == "," or not deeper or _KEY.match(following):
        return number
    if following.lstrip().startswith("- ") and name.lower().endswith(("secrets", "credentials")):
        return number  # names of secrets are listed so
    if " " in following.strip(" \t:=-,") and is_weak(name):
        return number
    below = _replaced(lines, at - 1, _PLAIN, 1, name)
    if below <= at - 1:
        return number
    while (
        following.lstrip().startswith("- ") and below < len(lines) and lines[below].lstrip().startswith("- ")
    ):
        if (further := _replaced(lines, below - 1, _PLAIN, 1, name)) <= below - 1:
            break
        below = further
    return below


def _replaced(lines: list[str], number: int, shape: re.Pattern[str], group: int, name: str) -> int:
    at = number + 1
    found = shape.match(lines[at].rstrip("\r")) if at < len(lines) else None
    if not found:
        return number
    value = found[group]
    if not tells(value) or is_hidden(value):
        return number
    if is_weak(name) and not (is_mixed(value) or (len(value) >= 12 and shape is _QUOTED)):
        return number
    lines[at] = covered(lines[at], found, group)
    return at + 1


def _single(lines: list[str], number: int, anywhere: bool) -> int:
    """One word in the next line, where a name stands alone or a program asks for it."""
    following = lines[number + 1].rstrip("\r")
    word = following.strip()
    if len(word.split()) != 1 or not tells(word) or is_hidden(word) or word[-1:] in ":{[" or RULE.match(word):
        return number
    if not anywhere and _indent(following) <= _indent(lines[number]):
        return number
    lines[number + 1] = following.replace(word, HIDDEN)
    return number + 2


def _indented(lines: list[str], number: int) -> int:
    """Everything that is indented deeper than the name."""
    margin = _indent(lines[number])
    at = number + 1
    while at < len(lines) and at - number <= _MOST_BELOW:
        if lines[at].strip():
            if _indent(lines[at]) <= margin:
                break
            _blot(lines, at)
        at += 1
    return at


def _until(lines: list[str], number: int, ends: Callable[[str], bool], quoted: bool = False) -> int:
    """Everything up to an end that is named."""
    at = number + 1
    while at < len(lines) and at - number <= _MOST_BELOW and not ends(lines[at]):
        if quoted:
            found = _QUOTED.match(lines[at].rstrip("\r"))
            if not found:
                return at
            if tells(found[2]) and not is_hidden(found[2]):
                lines[at] = covered(lines[at], found, 2)
        elif lines[at].strip():
            _blot(lines, at)
        at += 1
    return at


def _blot(lines: list[str], at: int) -> None:
    bare = lines[at].strip()
    if tells(bare) and not is_hidden(bare):
        lines[at] = lines[at].replace(bare, HIDDEN)
