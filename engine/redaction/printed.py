"""Commands that print a secret: what stands in the lines below them has no name at its side."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .names import is_secret
from .values import covered, is_hidden, tells

PRINTS = r"printenv|echo[ ]|cat[ ]|head[ ]|tail[ ]|less[ ]|more[ ]|tee[ ]|secrets?[ ]|secretsmanager|get-secret-value"
"""Words of such commands."""
_PRINTS = lazy_pattern(
    r"\bprintenv[ ]{1,4}([A-Za-z_]\w{0,99})[ \t\r]{0,4}\Z"
    r"|\becho[ ]{1,4}(?:-n[ ])?['\"]?\$\{?([A-Za-z_]\w{0,99})\}?['\"]?[ \t\r]{0,4}\Z"
    r"|\b(?:cat|head|tail|less|more|tee)(?:[ ]-\S{1,20}){0,4}[ ]{1,4}(\S{0,200}(?:token|key|secret|passwd|password|credentials?))(?:\.txt)?[ \t\r]{0,4}\Z"
)
"""A variable, or a file whose name says what is in it."""
_READS = lazy_pattern(
    r"\bsecrets?[ ](?:versions[ ]access|show|get-value|reveal|view)\b|\bget[ ]secrets?\b[^\n]{1,200}\bbase64[ ](?:-d|-D|--decode)\b"
    r"|\bget-secret-value\b|\bget-value-for-secret\b"
)
"""Calls of a store of secrets."""
_WORD = lazy_pattern(r"[ \t]{0,20}([^\s:'\"{}\[\]$#>][^\s'\"{}]{5,400})[ \t\r]{0,8}\Z")
_FIELD = lazy_pattern(
    r"[\s{,]{0,40}(?:['\"]\w{1,40}['\"]:[^\n{}]{0,200}?)??['\"](?:value|SecretString|secretString|payload)['\"]:[ ]?['\"]([^'\"\n]{1,4000})"
)
_PROSE = lazy_pattern(r"(?i)\w{1,20}:\Z|[a-z-]{1,40}\Z|(?:/|~/|\./)")
"""A single word of a message, and a path."""
_MOST = 15


def below_printing(lines: list[str], number: int) -> int:
    """Hide what a command prints that prints a secret; the number of the line behind it, or ``number``."""
    line = lines[number][-400:]
    found, reads = _PRINTS.search(line), _READS.search(line)
    if not (reads or (found and (found[3] or is_secret(found[1] or found[2])))):
        return number
    word = _WORD.match(lines[number + 1])
    if word and tells(word[1]) and not is_hidden(word[1]) and not _PROSE.match(word[1]):
        lines[number + 1] = covered(lines[number + 1], word, 1)
        return number + 2
    return _document(lines, number) if reads else number


def _document(lines: list[str], number: int) -> int:
    """Of a JSON document the fields that hold the secret."""
    behind = number
    for at in range(number + 1, min(len(lines), number + _MOST)):
        field: re.Match[str] | None = _FIELD.match(lines[at])
        if field and tells(field[1]) and not is_hidden(field[1]):
            lines[at] = covered(lines[at], field, 1)
            behind = at + 1
        if not lines[at].strip()[:1] or lines[at].strip()[:1] not in "{}\"'[],":
            break
    return behind
