"""Other ways of writing the same text: wide letters, and characters written as their numbers.

Only the search for secrets looks at them; a text is shown in such a form where that form shows a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..characters import seen
from ..patterns import lazy_pattern

_BYTES = lazy_pattern(r"(?:%[0-9A-Fa-f]{2}){1,400}")
_UNITS = lazy_pattern(r"\\{1,4}(?:u\{?00|x|u00)([2-7][0-9A-Fa-f])\}?")
_NOUGHTS = lazy_pattern(r"\\(?:0(?![1-7])|x00|u0000|000)")
_ENTITIES = lazy_pattern(
    r"&(?:nbsp|#\d{1,6}|#[xX][0-9A-Fa-f]{1,5}|quot|apos|amp|colon|equals|num|excl|lt|gt);"
)
_QUOTES = str.maketrans(
    {
        **dict.fromkeys(
            "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u2018\u2019\u201a\u2039\u203a", '"'
        ),
        "\u2236": ":",
        "\ua789": ":",
        "\u02d0": ":",
        "\u2010": "-",
        "\u2011": "-",
    }
)
_TWICE = "%25"


def other_forms(text: str) -> list[str]:
    """The text as it reads where its characters are written otherwise; nothing for most texts."""
    found = []
    for may_be, form in _FORMS:
        if may_be(text) and (made := form(text)) != text:
            found.append(made)
    return found


def _narrow(text: str) -> str:
    import unicodedata

    return seen(unicodedata.normalize("NFKC", text)).translate(_QUOTES)


def _is_wide(text: str) -> bool:
    return not text.isascii()


def _from_address(text: str) -> str:
    """Percent signs decoded, up to twice, where what comes out can be seen."""
    if _TWICE in text:
        text = text.replace(_TWICE, "%")
    return _BYTES.sub(_decoded, text)


def _decoded(found: re.Match[str]) -> str:
    try:
        made = bytes.fromhex(found[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return found[0]
    return made if made.isprintable() else found[0]


def _from_numbers(text: str) -> str:
    return _UNITS.sub(lambda found: chr(int(found[1], 16)), _NOUGHTS.sub(" ", text))


def _from_entities(text: str) -> str:
    return _ENTITIES.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    import html  # its table of names takes longer to load than most texts to read

    made = html.unescape(found[0]).replace("\xa0", " ")
    return made if made.isprintable() else found[0]


_FORMS: tuple[tuple[Callable[[str], bool], Callable[[str], str]], ...] = (
    (_is_wide, _narrow),
    (lambda text: "%" in text, _from_address),
    (lambda text: "\\u" in text or "\\x" in text or "\\0" in text, _from_numbers),
    (lambda text: "&" in text and ";" in text, _from_entities),
)
