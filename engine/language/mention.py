"""What a person says beside a message, in the same line: ``no {} this sprint``, ``it says "{}" again``.

A message has words of its own before and behind those by which a signature knows it. They are not the person's: the
sample lines of the signature tell which they may be, and the class of the error or the label of the log where it
begins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from .cues import PERSON

Samples = Callable[[], tuple[str, ...]]
"""The sample lines of the signatures of a line, when they are asked for."""
_TOKEN = lazy_pattern(
    r"[A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]+(?:['’./=-][A-Za-z0-9_\u00c0-\u024f\u0370-\u052f]+)*|\w|\S"
)
_PLAIN = lazy_pattern(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*\Z|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A word of a language, or a letter of one that has no blanks; names of variables and paths are none."""
_LONGEST = 300
"""Characters on either side that are looked at."""
_FIELD = lazy_pattern(
    r"(?i)(?:[\"']?\b\w{0,30}(?:msg|message|error|err|log|reason|stderr|stdout|output|detail|details|text|event|cause|stack)"
    r"\b[\"']?\s?[=:]\s?|^\s{0,40}[\w.]{0,60}(?:Error|Exception)\()[\"'`]$",
)
"""A field of a structured log, whose value stands in quotation marks."""
_QUOTES = (('"', '"'), ("`", "`"), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"))
_CALL = lazy_pattern(
    r"\b(?!\w{0,60}(?:Error|Exception|Warning)\()[a-zA-Z_]\w{0,60}\(\s?$|^\s{0,40}[a-z]{2,20}_[a-z_]{2,40} $"
)
"""A call, or the function of a shell, whose argument follows."""
_ASSIGNED = lazy_pattern(r"^\s{1,40}[\w-]{1,40}\s?[=:]\s?[rbf]?$|.{0,80}\s//[/!]?<?\s{0,4}$")
"""A value in a program or in a file of settings, or a comment behind one."""
_WORD_BEFORE = lazy_pattern(r"(?:^|[\s'’])[^\W\d_]{2,20} [^\W\d_]{2,12}\s$")
_OPENS, _CLOSES = "\"'`“‘「『«„", "\"'`”’」』»“"
_FEW_BEFORE, _FEW_BEHIND = 2, 3
_FEW_LETTERS, _FEW_JOINING = 5, 4
_FIELDS = 2
"""Fields of a log, or a comparison in source code."""
_BEYOND = lazy_pattern(r"[^\W\x00-\x7f]")
_WORDS = """
a an the of to in on at for with from by as if when while that which who whose what how why whether and or but
so than then is are was were be been has have had do does did can could will would should may might must not
no any some all this these those its it there here about into over under after before since until only also
just even never always der die das den dem ein eine einen und oder wenn ist sind war hat haben mit von zu bei
wie wann nicht kein keine jemand ich mir uns es er sie man aus auf bitte wir le la les un une des et ou si est
dans pour avec que qui el los las una y en para con por che il di
"""
_JOINING = frozenset(_WORDS.split())
"""Words that join those of a sentence."""
_BULLETS = " \t-*•"


class Beside(NamedTuple):
    """What stands beside a message in its line: the text before and behind it, and whether that is a sentence."""

    head: str
    tail: str
    is_sentence: bool


def beside(head: str, tail: str, samples: Samples) -> Beside:
    """What is left of the text before and behind the words of a message without the rest of the message."""
    head, tail = _before(head[-_LONGEST:], ()), _behind(tail[:_LONGEST], ())
    if not _is_sentence(head, tail):
        return Beside(head, tail, False)
    known = _known(samples())
    head, tail = _before(head, known), _behind(tail, known)
    return Beside(head, tail, _is_sentence(head, tail))


def _is_sentence(head: str, tail: str) -> bool:
    """Whether so much stands beside a message that it is part of a sentence; a label before it is none."""
    if head.count("=") >= _FIELDS:
        return False
    if _says(head, _FEW_BEFORE):
        return True
    return bool(head.strip(_BULLETS)) and (_says(tail, _FEW_BEHIND) or is_amid(head, tail))


def is_amid(head: str, tail: str) -> bool:
    """Whether a sentence goes on behind a message that stands in it."""
    return _has_words(head) and _has_words(tail) and _says(f"{head} {tail}", _FEW_BEHIND)


def _has_words(text: str) -> bool:
    return any(_PLAIN.match(word) for word in _TOKEN.findall(text))


def is_cited(head: str, tail: str) -> bool:
    """Whether the words of a message stand in quotation marks behind those of a person, or in source code.

    Programs quote, too, mostly behind a colon, an equals sign, or a bracket.
    """
    place = _cited_at(head, tail)
    if place < 0:
        return False
    before = head[:place]
    if _CALL.search(before) or _ASSIGNED.match(before):
        return True
    return _says(before) or bool(_WORD_BEFORE.search(before))


def _cited_at(head: str, tail: str) -> int:
    """Where the quotation mark stands behind which the words of a message are cited, or -1.

    Quotation marks around the fields of a log cite nothing.
    """
    for opens, closes in _QUOTES:
        place = head.rfind(opens)
        if place < 0 or closes not in tail:
            continue
        is_open = head.count(opens) % 2 if opens == closes else closes not in head[place:]
        if is_open and not _FIELD.search(head[max(0, place - 80) : place + 1]):
            return place
    return -1


def _before(head: str, known: Collection[str]) -> str:
    ends, quote = len(head), -1
    for found in reversed(list(_TOKEN.finditer(head))):
        word = found[0]
        if word in _OPENS:
            quote = found.end() if quote < 0 else quote
            continue
        if _PLAIN.match(word) and word.lower() not in known:
            break
        ends, quote = found.start(), -1
    return head[: max(ends, quote)]


def _behind(tail: str, known: Collection[str]) -> str:
    quote = -1
    for found in _TOKEN.finditer(tail):
        word = found[0]
        if word in _CLOSES:
            quote = found.start() if quote < 0 else quote
            continue
        if _PLAIN.match(word) and word.lower() not in known:
            return tail[found.start() if quote < 0 else quote :]
        quote = -1
    return ""


def _says(text: str, least: int = 1) -> bool:
    """Whether somebody speaks in so many words or more: programs put names beside a message, and hardly a sentence."""
    if len(_BEYOND.findall(text)) >= _FEW_LETTERS:
        return True
    words = [word for word in _TOKEN.findall(text) if _PLAIN.match(word)]
    if len(words) < least:
        return False
    return bool(PERSON.search(text)) or len({word.lower() for word in words} & _JOINING) >= _FEW_JOINING


@lru_cache(maxsize=512)
def _known(samples: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.lower() for sample in samples for word in _TOKEN.findall(sample))
