"""Names of secrets with the values that stand behind them, in whatever way names and values are written together."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .names import is_many, is_of_one_key, is_secret, is_weak
from .values import HIDDEN, is_hidden, is_mixed, tells

_TITLE = lazy_pattern(
    r"(?i)(?<![\w.-])(?:api|access|secret|private|account|auth|connection|license|shared|storage|encryption|master"
    r"|session|bearer|activation|product|client|signing)[ ]\Z"
)
_TITLED = ("key", "keys", "string", "signature")
"""What a word before makes the name of a secret of."""
_LONGEST_TITLE = 12
_NAME = lazy_pattern(
    r"(?<![\w.-])(-{0,2}\.?[A-Za-z_][\w.-]{0,99})"
    r"(\\{0,8}(?:['\"`]|&quot;|\*\*)?(?:\[['\"]?\w{0,20}['\"]?\])?\]?[ \t\xa0]{0,8}"
    r"(?::[ ]{0,2}[&*]{0,2}(?:\'\w{1,9}[ ])?[A-Za-z][\w.\[\], |<>?]{0,40}[ ]=(?!=)|[a-z]{3,9}[ ]=(?!=)"
    r"|=>|[=!]~|[+?!|]{0,2}={1,3}|\.(?=[ ]['\"])|\.{4,60}:?(?=[ ])|;s:\d{1,5}:(?=\\{0,4}\")|:=?(?!:)|->|<-(?=[ ])|~(?=\w)"
    r"|[\u2192\uff1a\uff1d]|%3[DdAa]|\\u003[dD]|&#(?:61|58);)"
    r"[ \t\xa0]{0,8}(?:&quot;|\*\*[ ]?)?(?:[!&][\w-]{1,30}[ ]{1,4}|ConvertTo-SecureString[ ](?:-String[ ])?"
    r"|(?:new[ ])?[A-Z][\w:]{0,40}\([ ]?(?=\\{0,8}['\"])|Some\()?"
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
    r"(?i)(?<![\w-])(?:name|key)\\{0,8}['\"]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,8}['\"]?([A-Za-z_][\w.-]{0,99})"
    r"(\\{0,8}['\"]?[ \t]{0,4},?\s{0,40}(?:--set(?:-string)?[ =]['\"]?)?(?:[\w\[\]]{1,30}\.){0,4}\\{0,8}['\"]?value\\{0,8}['\"]?[ \t]{0,4}[:=][ \t]{0,4})"
)
"""``{"name": "X", "value": ...}``, and the same in YAML and XML."""
_TUPLE = lazy_pattern(r"\([ ]?[bru]?['\"]([A-Za-z_][\w.-]{0,99})(['\"][ ]?,[ ]?)(?=[^,()]{0,4096}\))")
_SET = lazy_pattern(
    r"(?:set(?<!\w...)(?:env|x|[ ]-[gxUl]{1,3})|ENV(?<!\w...)|#[ ]?define|/(?<!\S.)(?:change|whatif)"
    r"|config(?<!\w......)(?:ure)?(?:[ ]{1,2}(?:--)?(?:set|add|global|system|local|modify)){0,3})"
    r"[ \t]{1,4}['\"]?([A-Za-z_][\w.-]{0,99})(['\"]?[ \t]{1,20})"
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
    r"([A-Za-z_][\w.-]{0,99})(['\"]?(?:[ \t]{1,4}|[ ]-[ ]|;)(?:(?:is|was|of|to|as|has been|set|changed|reset|now|lautet|ist|est|es|\xe8|\xe9):?[ ]){0,4}['\"]?)"
    r"(?=[^\s'\"]{0,100}\d)(?=[^\s'\"]{0,100}[A-Za-z])(?!(?i:sha|md|aes|utf|base|des)-?\d)(?=[^\s'\":/(\[{<=]{6,400}(?:[\s'\"]|:\d{1,6}(?!\w)|\Z))"
)
"""A name and a word with digits at its side."""
_ELEMENT = lazy_pattern(
    r"<(?:\w{1,20}:)?([A-Za-z_][\w.-]{0,99})((?:[ ][^<>\n]{0,200})?>(?:<!\[CDATA\[)?)(?=[^<\n]{1,4096}(?:</|\]\]>))"
)
_ATTRIBUTE = lazy_pattern(
    r"(?:key|name)=['\"]([A-Za-z_][\w.-]{0,99})(['\"][^<>\n]{0,80}>)(?=[^<\n]{1,4096}</)"
)
_SHOWN = lazy_pattern(
    r">[ ]{0,4}([A-Za-z_][\w. -]{0,60}?)([ ]{0,4}[:=]?[ ]{0,4}</\w{1,10}>\s{0,40}[:=]?[ ]?(?:<[A-Za-z][^<>\n]{0,80}>\s{0,20}){0,3})"
    r"(?=[^\s<])"
)
"""``<td>password</td><td>...``, ``<b>password:</b> ...``."""
_SHAPES = (
    ("value", _PAIR),
    ("(", _TUPLE),
    (("set", "env ", "define", "config", "/change ", "/whatif "), _SET),
    ("_", _COLUMN),
    ("<", _ELEMENT),
    ("</", _KEYED),
    ("</", _ATTRIBUTE),
    ("</", _SHOWN),
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
    r"|(?P<plain>[^\s'\",;&()<>\[\]{}][^\s'\",;&()<>\]}]{0,127})"
)
"""What is judged; a longer word is judged by its beginning, or one of nothing but names would be read for each name."""
_FURTHER = lazy_pattern(r"[^\s'\",;&()<>\]}]*")
_DIGIT = lazy_pattern(r"\d")
_PIN = lazy_pattern(r"(?=[A-Za-z]{0,40}\d)[\w!@#$%^&*+]{3,40}(?::\d{1,6})?\Z")
_REST = lazy_pattern(r"[^\n,;'\"]{0,90}")
_HEADER = lazy_pattern(r"[^\n'\"\\]*")
_SCHEME = lazy_pattern(r"(?i)(?:bearer|basic|token|digest|apikey|negotiate)(?:\\?[ \t]|\\?\r?\n[ \t]){1,8}")


_OPENED, _CLOSING = lazy_pattern(r"(?<!\w)([\[({])\s{0,8}\Z"), ("]", ")", "}")
_ITEMS = lazy_pattern(r"(?:[^()\[\]{}'\"]|'[^'\n]{0,200}'|\"[^\"\n]{0,200}\"){0,4000}")
_SHORTEST_ALONE, _ENDS = 8, ("", "\n", "\r", "'", '"', "}")
_OPENINGS = ("[", "(", "{")
_QUOTES = frozenset("'\"")
_BETWEEN_ITEMS = lazy_pattern(r"[\s,:'\"]{1,40}")
_LIST = lazy_pattern(r"(?:,[ ]?[^\s'\",;&()<>\[\]{}=:]{1,200}(?=[\s'\",;&()<>\[\]{}]|\Z)){1,50}")
_COMMAS = lazy_pattern(r"(?:,[^\s'\",;&()<>\[\]{}=:]{1,200}(?=[\s'\",;&()<>\[\]{}]|\Z)){1,50}")
_ARGUMENTS = lazy_pattern(
    r"(?:(?:,|[ ](?![-|&;<>\\]))[^\s'\",;&()<>\[\]{}=|]{1,200}(?=[\s'\",;&()<>\[\]{}|]|\Z)){1,50}"
)
"""What else belongs to a list of secrets: in brackets, behind commas, and as further arguments."""
_GUESSED = (_CALLED, _BESIDE)
_ASKS = lazy_pattern(
    r"(?i)(?:\w+\.)*_*(?:get|fetch|load|read|has|is|check|need|require|verify|hash|find|look|gen|make|create|delete|no|missing|ask|prompt|test)"
)
_PUTS = lazy_pattern(r"(?:\w{0,40}\.)*_*(?:set|with|use|put|add|save|login)[A-Z_]")
_MAKES = lazy_pattern(r"(?:\w{1,40}\.){0,4}(?:Auth\.|(?:[A-Z][a-z]{2,20}){1,4})(?:Auth|Token|Key)\Z")
_OPENS = lazy_pattern(
    r"pass(?:w|p|c|_|-|\Z)|pwd|psk|[a-z][_-](?:token|key|secret|pat|pw)\Z|apikey|authtoken|bearer\Z|\bpw\Z|[a-z][_-]pin\Z"
)


def without_named(text: str, lowered: str) -> str:
    """The text without such values; ``lowered`` is the text in lower case."""
    for mark, shape in _SHAPES:
        if mark in lowered if isinstance(mark, str) else any(one in lowered for one in mark):
            text = _without(text, shape)
    return text


def _without(text: str, shape: re.Pattern[str]) -> str:
    """The text without the values of names that hold secrets."""
    parts, done, at = [], 0, 0
    while found := shape.search(text, at):
        at = found.end()
        name = _titled(text, found) if shape is _NAME else found[1]
        if not is_secret(name) or (shape in _GUESSED and not _is_plainly_secret(name, shape)):
            # What was taken for a value may itself be a name: {"env": "TOKEN=x"}.
            at = max(found.end(1), found.start() + 1)
            continue
        start, end = _value(text, found, shape, name)
        if end > start:
            parts += [text[done:start], HIDDEN, "\n" * text.count("\n", start, end)]
            done = at = end
    return "".join((*parts, text[done:])) if parts else text


def _is_plainly_secret(name: str, shape: re.Pattern[str]) -> bool:
    """Whether a name can mean nothing but the secret itself: a word of a sentence, or of a function, may."""
    if shape is _CALLED:
        return not _ASKS.match(name) and (not is_weak(name) or bool(_PUTS.match(name) or _MAKES.match(name)))
    return bool(_OPENS.search(name.lower()))


def _titled(text: str, found: re.Match[str]) -> str:
    """A name with the word before it where both name a secret: "API key"."""
    name, start = found[1], found.start()
    if not name.lower().endswith(_TITLED) or text[start - 1 : start] != " ":
        return name
    title = _TITLE.search(text, max(0, start - _LONGEST_TITLE), start)
    return f"{title[0]}{name}" if title else name


def _value(text: str, found: re.Match[str], shape: re.Pattern[str], name: str) -> tuple[int, int]:
    """Where the value behind a secret name begins and ends; nothing where it is no secret."""
    between, at = found[2], found.end()
    words = name.lower().replace("-", "").replace("_", "").replace(" ", "")
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
    if (
        between.rstrip()[-1:] in _OPENINGS
        and (opened := _OPENED.search(between))
        and (end := _enclosed(text, at, name, opened[1]))
    ):
        return at, end
    value = _VALUE.match(text, at)
    if not value:
        return at, at
    if value["plain"] is None:
        opening = value["quote"] or value["escaped"] or ""
        start = text.index(opening, at) + len(opening) if opening else at
        if value["block"]:
            start = text.index("\n", at) + 1
        inner = text[start : value.end()]
        if not is_mixed(inner) and _is_doubtful(name, found, shape):
            return start, start
        return (start, value.end()) if tells(inner) and not is_hidden(inner) else (start, start)
    plain, end = value["plain"], value.end()
    is_flag = name.startswith("-")
    if plain.startswith("-") and shape is _FLAG and not _is_dashed(plain):
        return at, at  # the next option
    if not tells(plain) or is_hidden(plain) or (words == "pwd" and plain.startswith(("/", "~"))):
        return at, at
    if words.endswith("pin") and not _PIN.match(plain):
        return at, at  # pins of versions and of processors
    if (is_many(name) or is_flag) and (more := _list_of(name, is_flag).match(text, end)):
        plain, end = plain + more[0], more.end()
    if _is_doubtful(name, found, shape) and not is_mixed(plain):
        return at, at
    if is_weak(name):
        digits = _DIGIT.search(plain)
        if plain.isdecimal() or not (
            digits or "=" in between or is_flag or shape in (_SET, _PAIR) or _is_alone(text, at, end, name)
        ):
            return at, at  # language models count tokens, and errors speak of them
    further = _FURTHER.match(text, end)
    if further and further.end() > end:
        end = further.end()
        if (is_many(name) or is_flag) and (more := _list_of(name, is_flag).match(text, end)):
            end = more.end()
    if not is_weak(name) and not is_flag:  # a password may hold blanks
        rest = _REST.match(text, end)
        tail = rest[0] if rest else ""
        if tail.startswith(" ") and not re.search(r"[ ][-/]|=|\bport\b", tail) and len(tail) < 80:
            end += len(tail.rstrip())
    return at, end


def _is_alone(text: str, at: int, end: int, name: str) -> bool:
    """Whether a word behind such a name is all that stands there, as no word of a sentence does."""
    return end - at >= _SHORTEST_ALONE and text[end : end + 1] in _ENDS and is_of_one_key(name)


def _is_doubtful(name: str, found: re.Match[str], shape: re.Pattern[str]) -> bool:
    """Whether a word behind a name is more likely no secret: emphasis, an array or a name of C, a key of a mapping."""
    between = found[2]
    if "**" in between or between.startswith(("[]", "['", '["')):
        return "**" in between or is_weak(name)
    if found[0].startswith("#"):
        return is_weak(name)
    return shape is _CALLED and is_weak(name) and not _PUTS.match(name)


def _list_of(name: str, is_flag: bool) -> re.Pattern[str]:
    """What else may follow a first value."""
    if not is_flag:
        return _LIST
    return _ARGUMENTS if is_weak(name) and is_many(name) else _COMMAS


def _enclosed(text: str, at: int, name: str, opening: str) -> int:
    """Where a list or a mapping of several values ends that was opened before a place; 0 where there is none."""
    found = _ITEMS.match(text, at)
    if not found or text[found.end() : found.end() + 1] not in _CLOSING:
        return 0
    items = found[0]
    several = any(mark in items for mark in ",:\n") or (
        " " in items.strip() and not _QUOTES.intersection(items)
    )
    if not several or not tells(items) or (opening == "{" and not is_many(name)):
        return 0
    if not is_weak(name):
        return found.end()
    listed = is_many(name) or "'" in items or '"' in items
    return found.end() if listed and any(map(is_mixed, _BETWEEN_ITEMS.split(items))) else 0


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
