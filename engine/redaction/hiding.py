"""Secrets never leave the machine: their shapes are blotted out of whatever is shown, saved or captured.

Patterns of our own: the libraries for this bring an HTTP client and plug-ins, and look for what must not be committed;
here every line of a log passes. Every expression is bounded, so that the time is that of the text. What a name or a
known beginning betrays is hidden; a random word with nothing around it cannot be told from an id.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..patterns import lazy_pattern
from .blocks import blotted
from .commands import COMMANDS, MARKS
from .hints import may_hold, names_one
from .languages import TOLD, TOLD_IN_LETTERS
from .layouts import rearranged
from .marked import without
from .members import without_members
from .named import without_named
from .nested import without_nested
from .normal import other_forms
from .places import PLACES
from .scrambled import CANDIDATE, KEYS, PAIR, is_pair, is_scrambled, without_keys
from .shapes import KNOWN, PRIVATE, PRIVATE_MARKS, is_random
from .tables import CELLS
from .values import HIDDEN, is_hidden, tells

_REMEMBERED, _LONG = 400, 4000
"""Characters up to which a text is remembered: the same places and names come again and again, and a long line
for as long as the facts in it are taken."""
_PASSES, _AGAIN = 6, 16_000
"""So often at most; in a text longer than that only where something was laid bare, since one pass takes long."""
_ROUNDS = 3
"""So often are the other forms of a text looked at once more where one of them showed something."""
_LONGEST_NAME = 4000
"""Characters in which the beginning of a mangled name is looked for."""
_NAME_OF = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$"
_MANGLED = lazy_pattern(r"_{1,3}Z[A-Z\d]|_R[A-Z]|[A-Z]{0,3}St\d|Z{0,2}N[KR]?\d")
_PLACES = (*PLACES, *TOLD_IN_LETTERS)
_UNNAMED_PLACES = tuple(one for one in _PLACES if not may_hold(one[0]))
_UNNAMED_COMMANDS = tuple(one for one in COMMANDS if not may_hold(one[0]))
"""Those that may stand in a text without any word for a secret."""
_GLUED = lazy_pattern(r"(?:['\"]|:\d{1,7})\Z")
"""What a message puts behind what it quotes: a quotation mark, or the line of a file."""
_LAID_BARE = lazy_pattern(r"\[hidden\][^\s'\",)\]}]")


def redact(text: str) -> str:
    """The text without what looks like a secret."""
    if len(text) <= _REMEMBERED:
        return _remembered(text)
    return _recent(text) if len(text) <= _LONG else _redacted(text)


def _redacted(text: str, rounds: int = _ROUNDS) -> str:
    whole = text
    text = _hidden(text)
    if len(whole) <= _LONG and (glued := _GLUED.search(whole)):
        text = min(text, _hidden(whole[: glued.start()]) + glued[0], key=_left)
    before = text
    for form in other_forms(text):
        if "\n" in text:
            text = _lines_hidden(text, form)
        elif (hidden := _hidden(form)) != form:
            text = hidden
    # What one form has shown may have more of it in the next line, or in another form.
    return text if text == before or not rounds else _redacted(text, rounds - 1)


def _left(text: str) -> int:
    """How much of a text is shown."""
    return len(text.replace(HIDDEN, ""))


def _lines_hidden(text: str, form: str) -> str:
    """The text with those of its lines in another form in which that form shows a secret."""
    lines, others = text.split("\n"), form.split("\n")
    if len(lines) != len(others):
        return text
    for number, (line, other) in enumerate(zip(lines, others, strict=True)):
        if (
            line != other
            and (may_hold(other.lower()) or not other.isascii())
            and (hidden := _hidden(other)) != other
        ):
            lines[number] = hidden
    return "\n".join(lines)


def _hidden(text: str) -> str:
    """Until nothing more is found: what is hidden may leave a name at its side that was part of a word before."""
    for _ in range(_PASSES):
        once = _hidden_once(text)
        if once == text or (len(text) > _AGAIN and not _LAID_BARE.search(once)):
            return once
        text = once
    return text


def _hidden_once(text: str) -> str:
    if any(mark in text for mark in PRIVATE_MARKS):
        text = PRIVATE.sub(HIDDEN, text)
    lowered = text.lower()
    text = blotted(text, lowered)
    holds = may_hold(lowered)
    if holds and names_one(lowered):
        if "\n" in text or any(cell in text for cell in CELLS):
            text = rearranged(text)
        lowered = text.lower()
        text = without_nested(without_members(without_named(text, lowered)), lowered)
        lowered = text.lower()
    text = without(text, lowered, _PLACES if holds else _UNNAMED_PLACES, _hide)
    if not text.isascii():
        for told in TOLD:
            text = told.sub(_hide, text)
    if any(mark in lowered for mark in MARKS):
        text = without(text, lowered, COMMANDS if holds else _UNNAMED_COMMANDS, _hide_argument)
    if "keys" in lowered:
        text = KEYS.sub(without_keys, text)
    return PAIR.sub(_pair, CANDIDATE.sub(_scrambled, KNOWN.sub(_known, text)))


_remembered = lru_cache(maxsize=4096)(_redacted)
_recent = lru_cache(maxsize=32)(_redacted)


def _known(found: re.Match[str]) -> str:
    if found["maybe"] and not is_random(found["maybe"]):
        return found[0]
    return found[0] if (found["maybe"] or found["mixed"]) and _is_mangled(found) else HIDDEN


def _scrambled(found: re.Match[str]) -> str:
    return HIDDEN if is_scrambled(found[0]) and not _is_mangled(found) else found[0]


def _pair(found: re.Match[str]) -> str:
    return HIDDEN if is_pair(found[0]) else found[0]


def _is_mangled(found: re.Match[str]) -> bool:
    """Whether this is a piece of a name that a compiler made of a function: as mixed as a token, and in every stack."""
    before = found.string[max(0, found.start() - _LONGEST_NAME) : found.start()]
    word = before[len(before.rstrip(_NAME_OF)) :] + found[0][:8]
    return bool(_MANGLED.match(word))


def _hide(found: re.Match[str]) -> str:
    return found[0] if found[2].startswith(HIDDEN) else f"{found[1]}{HIDDEN}"


def _hide_argument(found: re.Match[str]) -> str:
    return f"{found[1]}{HIDDEN}" if tells(found[2]) and not is_hidden(found[2]) else found[0]
