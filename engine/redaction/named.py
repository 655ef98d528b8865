"""Names of secrets with the values that stand behind them, in whatever way names and values are written together."""

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .names import is_secret, is_weak
from .values import HIDDEN, is_hidden, tells

_TITLE = (
    r"(?i:(?:api|access|secret|private|account|auth|connection|license|shared|storage|encryption|master|session"
    r"|bearer)[ ])?"
)
_NAME = lazy_pattern(
    rf"(?<![\w.-])({_TITLE}-{{0,2}}\.?[A-Za-z_][\w.-]{{0,99}})"
    r"(\\{0,8}(?:['\"`]|&quot;)?(?:\[\w{1,20}\])?\]?[ \t\xa0]{0,8}"
    r"(?::[ ]{0,2}[&*]{0,2}(?:\'\w{1,9}[ ])?[A-Za-z][\w.\[\], |<>?]{0,40}[ ]=(?!=)|[a-z]{3,9}[ ]=(?!=)"
    r"|=>|[=!]~|[+?!]?={1,3}|\.(?=[ ]['\"])|:=?(?!:)|->|<-(?=[ ])|~(?=\w)"
    r"|[\u2192\uff1a\uff1d]|%3[DdAa]|\\u003[dD]|&#(?:61|58);)"
    r"[ \t\xa0]{0,8}(?:&quot;)?(?:[!&][\w-]{1,30}[ ]{1,4}|ConvertTo-SecureString[ ](?:-String[ ])?"
    r"|(?:new[ ])?[A-Z]\w{0,30}\([ ]?(?=\\{0,8}['\"]))?"
    r"(?:\{?\s{0,40}\\{0,8}['\"]?value\\{0,8}['\"]?[ ]{0,4}[:=][ ]{0,4})?"
    r"(?:[\[({](?!hidden\])[ \t]{0,4})?)"
)
"""A name with what is written between it and its value: ``X=``, ``"x": ``, ``x => [``."""
_FLAG = lazy_pattern(
    r"(?<![\w.-])(--?[A-Za-z][\w.-]{0,99})"
    r"((?:\\{0,8}['\"])?(?:[ \t]{1,8}|[ \t]{0,4},[ \t\n]{0,40}|\n[ \t]{0,40}-[ \t]{1,4}))"
)
"""An option with its value behind a blank, in a list of arguments or in the next line of one."""
_PAIR = lazy_pattern(
    r"(?i)(?<![\w.-])(?:name|key)\\{0,8}['\"]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,8}['\"]?([A-Za-z_][\w.-]{0,99})"
    r"(\\{0,8}['\"]?[ \t]{0,4},?\s{0,40}\\{0,8}['\"]?value\\{0,8}['\"]?[ \t]{0,4}[:=][ \t]{0,4})"
)
"""``{"name": "X", "value": ...}``, and the same in YAML and XML."""
_TUPLE = lazy_pattern(r"\([ ]?['\"]([A-Za-z_][\w.-]{0,99})(['\"][ ]?,[ ]?)(?=[^,()]{0,4096}\))")
_SET = lazy_pattern(
    r"(?:\bsetenv|\bset[ ]-[gxU]{1,3}|(?<!\S)/(?:change|whatif)"
    r"|\bconfig(?:ure)?(?:[ ]{1,2}(?:--)?(?:set|add|global|system|local|modify)){0,3})"
    r"[ ]{1,4}([A-Za-z_][\w.]{0,99})([ ]{1,4})"
)
"""As some shells and tools set variables, and as our own commands do."""
_COLUMN = lazy_pattern(
    r"([A-Z](?<![\w.-].)[A-Z0-9]{0,40}_[A-Z0-9_]{1,60})"
    r"(['\"`]{0,2}(?:[ ]{0,40}[|,\t][ \t]{0,8}|[ ]{1,40})['\"`]{0,2})(?=[^\s'\"`|,]{0,400}\d)"
)
"""The name of a variable and its value in a table, or side by side."""
_DECLARED = lazy_pattern(
    r"\b(?:variable|output)[ ]{1,4}\"([A-Za-z_][\w.-]{0,99})"
    r"(\"[ ]{0,4}\{[^{}]{0,1000}?\b(?:default|value)[ ]{0,40}=[ ]{0,8})"
)
"""As Terraform declares what it takes and gives."""
_KEYED = lazy_pattern(
    r"<(?:key|name|Key|Name|string)>([A-Za-z_][\w.-]{0,99})(</\w{1,10}>\s{0,80}<(?:string|value|Value|data)>)(?=[^<\n]{1,4096}</)"
)
_CALLED = lazy_pattern(
    r"(?<![\w-])([A-Za-z_][\w.]{0,99})(\([ ]?)(?=\\{0,8}['\"][^'\"\n]{1,400}['\"][ ]?[,)])"
)
"""``set_password("...")``."""
_BESIDE = lazy_pattern(
    r"(?<![\w.-])(?:(?:put|set|PUT|SET|HSET|hset|add|write)[ ]{1,3}['\"]?(?:[\w.:-]{0,60}/){0,6})?"
    r"([A-Za-z_][\w.-]{0,99})(['\"]?(?:[ \t]{1,4}|[ ]-[ ]|;)(?:(?:is|was|of|to|as)[ ])?['\"]?)"
    r"(?=[^\s'\"]{0,100}\d)(?=[^\s'\"]{0,100}[A-Za-z])(?!(?i:sha|md|aes|utf|base|des)-?\d)(?=[^\s'\":/(\[{<=]{6,400}(?:[\s'\"]|:\d{1,6}(?!\w)|\Z))"
)
"""A name and a word with digits at its side."""
_ELEMENT = lazy_pattern(r"<([A-Za-z_][\w.-]{0,99})(>)(?=[^<\n]{1,4096}</)")
_SHAPES = (
    ("value", _PAIR),
    ("(", _TUPLE),
    ("set", _SET),
    ("/", _SET),
    ("config", _SET),
    ("_", _COLUMN),
    ("<", _ELEMENT),
    ("</", _KEYED),
    ("(", _CALLED),
    ("", _BESIDE),
    ("variable", _DECLARED),
    ("output", _DECLARED),
    ("", _NAME),
    ("-", _FLAG),
)
"""A text without which a shape need not be looked for."""
_VALUE = lazy_pattern(
    r"[bBrRuUfF$@L]{0,2}(?P<quote>['\"`])(?:[^'\"`\\\n]|\\.|(?!(?P=quote))['\"`])*"
    r"|(?P<escaped>\\{1,8}['\"])[^\\'\"\n]*"
    r"|(?P<block>[|>][+-]?[ \t]*\n[ \t]*[^\n]*)"
    r"|(?P<plain>[^\s'\",;&()<>\[\]{}][^\s'\",;&()<>\]}]*)"
)
_PIN = lazy_pattern(r"(?=[A-Za-z]{0,40}\d)[\w!@#$%^&*+]{3,40}(?::\d{1,6})?\Z")
_REST = lazy_pattern(r"[^\n,;'\"]{0,90}")
_HEADER = lazy_pattern(r"[^\n'\"\\]*")
_SCHEME = lazy_pattern(r"(?i)(?:bearer|basic|token|digest|apikey|negotiate)(?:\\?[ \t]|\\?\r?\n[ \t]){1,8}")


_GUESSED = (_CALLED, _BESIDE)
_ASKS = lazy_pattern(
    r"(?i)(?:\w+\.)*_*(?:get|fetch|load|read|has|is|check|need|require|verify|hash|find|look|gen|make|create|delete|no|missing|ask|prompt|test)"
)
_PUTS = lazy_pattern(r"(?:\w{0,40}\.)*_*(?:set|with|use|put|add|save|login)[A-Z_]")
_OPENS = lazy_pattern(
    r"pass(?:w|p|c|_|-|\Z)|pwd|psk|[a-z][_-](?:token|key|secret|pat|pw)\Z|apikey|authtoken|bearer\Z"
)


def without_named(text: str, lowered: str) -> str:
    """The text without such values; ``lowered`` is the text in lower case."""
    for mark, shape in _SHAPES:
        if mark in lowered:
            text = _without(text, shape)
    return text


def _without(text: str, shape: re.Pattern[str]) -> str:
    """The text without the values of names that hold secrets."""
    parts, done, at = [], 0, 0
    while found := shape.search(text, at):
        at = found.end()
        if not is_secret(found[1]) or (shape in _GUESSED and not _is_plainly_secret(found[1], shape)):
            # What was taken for a value may itself be a name: {"env": "TOKEN=x"}.
            at = max(found.end(1), found.start() + 1)
            continue
        start, end = _value(text, found, shape)
        if end > start:
            parts += [text[done:start], HIDDEN]
            done = at = end
    return "".join((*parts, text[done:])) if parts else text


def _is_plainly_secret(name: str, shape: re.Pattern[str]) -> bool:
    """Whether a name can mean nothing but the secret itself: a word of a sentence, or of a function, may."""
    if shape is _CALLED:
        return not _ASKS.match(name) and (not is_weak(name) or bool(_PUTS.match(name)))
    return bool(_OPENS.search(name.lower()))


def _value(text: str, found: re.Match[str], shape: re.Pattern[str]) -> tuple[int, int]:
    """Where the value behind a secret name begins and ends; nothing where it is no secret."""
    name, between, at = found[1], found[2], found.end()
    words = re.sub(r"[-_ ]", "", name.lower())
    if text.startswith(HIDDEN, at):
        return at, at
    if words.endswith(("authorization", "cookie")):  # everything to the end of the header
        scheme = _SCHEME.match(text, _open(text, at))
        start = scheme.end() if scheme else _open(text, at)
        header = _HEADER.match(text, start)
        end = header.end() if header else start
        return (
            (start, end) if not text.startswith(HIDDEN, start) and tells(text[start:end]) else (start, start)
        )
    value = _VALUE.match(text, at)
    if not value:
        return at, at
    if value["plain"] is None:
        opening = value["quote"] or value["escaped"] or ""
        start = text.index(opening, at) + len(opening) if opening else at
        if value["block"]:
            start = text.index("\n", at) + 1
        inner = text[start : value.end()]
        return (start, value.end()) if tells(inner) and not is_hidden(inner) else (start, start)
    plain, end = value["plain"], value.end()
    is_flag = name.startswith("-")
    if plain.startswith("-") and shape is _FLAG and not _is_dashed(plain):
        return at, at  # the next option
    if not tells(plain) or is_hidden(plain) or (words == "pwd" and plain.startswith(("/", "~"))):
        return at, at
    if words.endswith("pin") and not _PIN.match(plain):
        return at, at  # pins of versions and of processors
    if is_weak(name):
        digits = any(c.isdecimal() for c in plain)
        if plain.isdecimal() or not (digits or "=" in between or is_flag or shape is _SET):
            return at, at  # language models count tokens, and errors speak of them
    elif not is_flag:  # a password may hold blanks
        rest = _REST.match(text, end)
        more = rest[0] if rest else ""
        if more.startswith(" ") and not re.search(r"[ ][-/]|=|\bport\b", more) and len(more) < 80:
            end += len(more.rstrip())
    return at, end


def _is_dashed(value: str) -> bool:
    """Whether a word that begins like an option is a secret, as one of 64 characters may begin."""
    digits, upper = any(map(str.isdigit, value)), any(map(str.isupper, value))
    if "=" in value.rstrip("=") or not (digits or upper):
        return False
    if value.startswith("--"):
        return len(value) >= 16 and digits and upper
    return len(value) >= 10 and not value.startswith(("-D", "-X", "-W"))


def _open(text: str, at: int) -> int:
    opening = lazy_pattern(r"\\{0,8}['\"]").match(text, at)
    return opening.end() if opening else at
