"""What a line is wrapped in that a program does not put around what it prints: a table, markup, a list with remedies,
the entry of a handbook, a literal of source code, a command, the hit of a search, a chat.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..patterns import lazy_pattern
from . import containers, leads, papers

_NEAR = 600
_FIGURES = lazy_pattern(
    r"\d\s?(?:%|MiB|GiB|MB|GB|W\b|C\b|MHz)|[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:|N/A|ERR!|\b\d{3,}\b"
)
"""What stands beside a message in the boxes of tools."""
_NAMED = lazy_pattern(r"[^\W\d_]{3}")
"""A word; a table of counts holds none beside the message."""
_JSON_KEY = lazy_pattern(
    r"[\"'][\w.@ -]{1,40}[\"']\s{0,4}:\s{0,4}[\"']$"
    r"|[\"'](?:std(?:out|err)(?:_lines)?|lines|logs?|output|messages)[\"']\s{0,4}:\s{0,4}\[\s{0,4}[\"']$"
)
_CLOSED = lazy_pattern(r"[\"'`]\s{0,4}[:,=]")
_SITE = lazy_pattern(
    r"\s[-·|–—]\s.{0,60}\b(?:stack overflow|forums?|reddit|github|gitlab|super ?user|server ?fault|ask ubuntu|medium"
    r"|youtube|discourse)\s{0,4}$|\((?:[\w-]{1,40}\.){1,4}(?:com|org|net|io|dev|cn|de)(?:/[^\s()]{0,80})?\)\s{0,4}$",
    2,
)
"""The name of a site behind a title."""
_BEGINS = lazy_pattern(r"(?:^|[=:]\s{0,4})[\s\[({]{0,8}[rfbu]?$")
_CHATTY = lazy_pattern(
    r"\b(?:hi|hello|hey|thanks|thx|lol|okay|yeah|yep|nope|sure|oh|hm+|anyone|anybody|guys|folks|i'm|i'll|i've"
    r"|i (?:have|had|am|see|saw|think|get|got|guess|know)|(?:did|do|have|are|can|could) you|what's|that's|my)\b",
    2,
)
_AT_TIME = lazy_pattern(
    r"^\s{0,8}[\[(]?\d{1,2}:\d\d[\])]?\s{1,3}[<\[(]?(?!(?:INFO|WARN|WARNING|ERROR|FATAL|DEBUG|TRACE|NOTICE|CRIT)\b)"
    r"[A-Za-z][a-z]{1,15}[>\])]?:?\s"
)
"""A time without seconds and a name: a chat, since programs print seconds."""


def is_wrapped(line: str, above: Sequence[str], start: int, end: int, after: str) -> bool:
    """Whether a line that holds a product's words from ``start`` to ``end`` is wrapped so."""
    head, tail = line[max(0, start - _NEAR) : start], line[end : end + _NEAR]
    if _is_explained(line, above, after) or _is_entry(line, head, tail, above, after):
        return True
    if head.strip() and (_is_placed(line, head) or _is_said(line, start, above, after)):
        return True
    if "|" in line and _is_cell(line, head, tail, above, after):
        return True
    if containers.holds(line, head, tail, above, after):
        return True
    return _is_listed(line, tail) or _is_literal(head, tail)


def is_command(line: str, start: int) -> bool:
    """Whether a line is a command that gets the product's words as its argument, or the hit of a search in files."""
    head = line[max(0, start - _NEAR) : start]
    if papers.WRITES.match(head) or papers.ARGUMENT.match(head):
        return True
    if any(word in head for word in papers.WRITERS) and papers.WRITTEN.search(head):
        return True
    found = papers.LISTED_IN.match(line)
    return bool(found and found.end() <= start)


def is_settled(line: str, start: int) -> bool:
    """Whether a line is marked as over: the tag of a ticket before it, or it is struck out."""
    head = line[:start]
    return bool(head) and bool(papers.STATUS.search(head) or papers.STRUCK.match(head))


def _is_explained(line: str, above: Sequence[str], after: str) -> bool:
    if after and papers.EXPLAINED.match(after):
        return True
    return bool(papers.SYMPTOM.match(line)) and any(papers.EXPLAINED.match(one) for one in above)


def _is_entry(line: str, head: str, tail: str, above: Sequence[str], after: str) -> bool:
    """Whether what a document sets apart, labels, numbers or marks, and explains."""
    if any(papers.ASIDE.match(one) for one in above[-2:]) or (after and papers.ANSWERED.match(after)):
        return True
    if not head:
        return False
    if papers.LABEL.match(line) or (papers.MARKED.match(head) and papers.MARKED_END.search(tail)):
        return True
    coded = papers.CODED.match(line)
    others = (papers.CODED.match(one) for one in (*above, after)) if coded else ()
    return any(one and coded and one["code"] != coded["code"] for one in others)


def _is_placed(line: str, head: str) -> bool:
    if "/" in head and leads.OLD_PATH.match(head):
        return True
    return bool(papers.PLACE.match(head)) or (">" in head and bool(papers.TAG.search(head)))


def _is_said(line: str, start: int, above: Sequence[str], after: str) -> bool:
    """Whether a line of a chat: what else is said there reads like it."""
    if _AT_TIME.match(line[: start + 1]):
        return True
    found = papers.SPEAKER.match(line)
    if not found or found.start("said") > start:
        return False
    beside = (papers.SPEAKER.match(one) for one in (*above, after))
    return any(one and _CHATTY.search(one["said"]) for one in beside)


def _is_cell(line: str, head: str, tail: str, above: Sequence[str], after: str) -> bool:
    """Whether a row of a table that somebody wrote; tools draw boxes, and put figures in them."""
    if any(papers.BOX_RULE.match(one) for one in (*above, after)):
        return bool(papers.REMEDY.search(tail))
    if any("|" in one and papers.CELL_RULE.match(one) for one in (*above, after)):
        return True
    if line.lstrip()[:1] != "|" or "|" not in tail:
        return bool(papers.REMEDY.search(tail)) if "|" in tail else False
    beside = head[: head.rfind("|") + 1] + tail[tail.index("|") :]
    return bool(_NAMED.search(beside)) and not _FIGURES.search(beside)


def _is_listed(line: str, tail: str) -> bool:
    if not tail:
        return False
    if _SITE.search(tail[-100:]):
        return True
    if papers.BULLET.match(line):
        return bool(papers.REMEDY.search(tail) or papers.ARROW.search(tail))
    return (">" in tail or "→" in tail) and bool(papers.ARROW.search(tail))


def _is_literal(head: str, tail: str) -> bool:
    """Whether a string in source code: an item of a list, or a key of a table."""
    for mark in "\"'`":
        if mark not in head:
            continue
        # The first as well: an apostrophe in the text may balance the mark before it.
        for place in {head.index(mark), head.rindex(mark)}:
            opening = head[: place + 1]
            if _CLOSED.search(head, place + 1):
                continue
            if _JSON_KEY.search(opening):
                continue
            if papers.LITERAL.search(opening) and papers.LITERAL_END.search(tail):
                return True
            if papers.KEYED.search(tail) and _BEGINS.search(opening[:-1]):
                return True
    return False
