"""Of what a line speaks: of this machine and now, or of something that is denied, elsewhere, past, possible or quoted.

A line that a program prints is evidence. The same words inside "we do not see ...", "on my colleague's server: ...",
behind ``>``, in source code or in the arguments of grep are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache

from ..patterns import lazy_pattern
from ..vendors import alternatives
from . import cues, foreign, leads, papers, titles
from .counts import counts_none
from .enduring import endures
from .grounding import is_grounded
from .imagined import OWN, is_imagined
from .outline import NOTHING, Frame
from .wrapping import is_command, is_settled, is_wrapped

LONGEST = 600
"""Characters on either side that are looked at."""
ABOVE = 3
"""Lines above that may say of what a line speaks."""
_PARTS = 12
_REQUEST = 4000
"""Characters of a request that are looked through for its beginning."""
_FENCE = lazy_pattern(r"^\s{0,8}(?:```|~~~)")
_SENTENCES = 600
"""Characters of a line beside another that are read for what it says of that."""
_QUOTES = lazy_pattern("[\"'`]")
_LEADS = lazy_pattern(r"[:：]\s{0,4}[\"'`*_]{0,3}\s{0,4}$")
_SAYS = lazy_pattern(
    r"\W{0,6}([^\W\d_][^:：\n]{2,70}[ \u4e00-\u9fff][^:：\n]{1,40}[:：])\s{0,4}[\"'`“‘「『]"
    r"|\W{0,6}([^:：\n]{1,60}[\u4e00-\u9fff][:：])"
)
"""Words and what they introduce, in one line and mostly in quotation marks."""
_SOURCE = lazy_pattern(
    r"(?:[\w.-]{1,60}/){1,8}[\w.-]{1,60}\.(?:c|cc|cpp|cxx|cu|cuh|h|hpp|go|rs|java|ts):\d{1,6}:\s"
)
"""What a search puts before a line of source code."""
_LITERAL = lazy_pattern(r"\bINSERT\b.{0,200}\bVALUES\b|=\s{0,4}[rbf]?(?:\"{3}|'{3})")
"""What stands before a text in a program: its values in a table, three quotation marks."""
_HEADING = lazy_pattern(r"^\s{0,8}(?:#{1,6} |\*\*[^*]{1,120}\*\*\W{0,3}$|.{0,80}<summary>)")
"""A heading stands over what it speaks of, with or without a colon."""
_YOU = lazy_pattern(r"\byou(?:r|rs|'re)?\b", re.IGNORECASE)
_YOUR = lazy_pattern(r"\byour\b", re.IGNORECASE)
_PROVENANCE = lazy_pattern(
    r"^\W{0,8}(?:(?:copied|pasted|taken|quoted|their|his|her|this|that|here|below|above|these|the following|the log"
    r"|logs?|output|from|on|in|at|for|example|sample|quot(?:e|ing)|expected|unlike|not)\b|以下|下面|这是|来自|示例|例)",
    re.IGNORECASE,
)
_MESSAGE = lazy_pattern(
    rf"(?<![\w.])(?:[A-Za-z_][\w.]{{0,80}}(?:Error|Exception|Warning)\b|{alternatives(lambda v: v.trace)}"
    rf"|(?:{alternatives(lambda v: v.kernel)})\b|kernel:"
    r"|\[[\w ./:-]{1,80}\])"
)
_BACK = lazy_pattern(
    rf"\b(?:but|here|now|this|our|ours|mine)\b|但|现在|这台|我们|本机|{foreign.BACK}", re.IGNORECASE
)
_OWN = lazy_pattern(
    r"\b(?:our|ours|my|mine|we|i|here|now|this (?:machine|node|box|server|host))\b|我们|我的|本机|这台",
    re.IGNORECASE,
)
_COPIED = lazy_pattern(
    r"\b(?:cop(?:y|ied)|paste|pasted|taken|found|quot(?:e|ed)|from|says?|shows?|lists?|reads?|describes?)\b",
    re.IGNORECASE,
)
_WELL = lazy_pattern(
    r"\b(?:work(?:ed|s|ing)|fine|ok(?:ay)?|good|stable|ran|running|succeeded|passed|healthy)\b|正常|没问题",
    re.IGNORECASE,
)
_OVER = lazy_pattern(r"\b(?:now|since then|after that|again|meanwhile|today)\b|现在|之后", re.IGNORECASE)
_COMES_BACK = lazy_pattern(
    r"\b(?i:we|i|our|my)\b.{0,60}\b(?:now|again|still|today)\W{0,4}$|我们?.{0,30}(?:现在|还是|又|仍然?)\W{0,4}$"
)
_APART = lazy_pattern(
    r"\s(?:--|[-–—#·]|<-(?!>))\s?|\s[(（](?=[^()（）]{1,300}[)）]\W{0,3}$)|（(?=[^()（）]{1,300}）\W{0,3}$)"
)
_CLAUSE = lazy_pattern("[\u4e00-\u9fff]{4}")
"""Chinese words of a sentence; the month of a localized journal is one character."""
_POINTS = ("<-", "·")
"""What people put between a line of a log and their own words; programs hardly do."""
_BUT = lazy_pattern(
    r", but\b|; but\b|\. But\b|但是?|不过|[，,。](?=今天|昨天|现在|目前|最近|突然|从?(?:升级|重启|更新)后)"
)
_DOTTED = lazy_pattern(r"\.{4}\s{0,4}(?:not (?:found|seen|present)|absent|none|missing|no|0)\s{0,4}$")
"""The result of a check, behind dots; a counter of perfquery has a colon before them."""
_QUOTED_LOG = lazy_pattern(
    r"^\s{0,8}>\s?(?:\[ {0,8}\d{1,9}\.\d|\d{4}-\d\d-\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:)"
)
_REMARK = lazy_pattern(
    r"^\s{0,8}(?:[(（][^()（）]{4,200}[)）]\s{0,4}$|\^|↑|<-|--\s|—|(?:that|this|these|those|it|they|all this|all of"
    r"|everything|none of|both|not (?:our|from|on|my)|but (?:that|this)"
    r"|we (?:have |had )?(?:since )?(?:fixed|solved|resolved) (?:this|that|it)"
    r"|the above|the (?:log|lines?|errors?|output)|above|das |dies|esto |eso |ceci |c'|cela |isso |isto |это )"
    r"|以上|上面|这是|これは|이것은)",
    re.IGNORECASE,
)
_TOLD_OF = lazy_pattern(
    r"^\W{0,8}(?:\w{1,8} ){1,4}(?:is|was|were|are|has|had|have|happen\w*|came|comes?|occurr?\w*|appear\w*|belongs?"
    r"|stems?|dates?)\b|^\W{0,8}(?:das|dies|esto|eso|ceci|c'|cela|isso|isto)",
    re.IGNORECASE,
)


class Stance(Enum):
    """Of what a line speaks."""

    PRINTED = "printed"
    """A program printed it, as far as the line tells."""
    SAID = "said"
    """A person says it of this machine."""
    UNSURE = "unsure"
    """It stands in a person's sentence, and nothing tells of what that speaks."""
    OPEN = "open"
    """It stands in a text that lists or tells errors: whether it was printed here has to be asked."""
    DENIED = "denied"
    ELSEWHERE = "elsewhere"
    PAST = "past"
    POSSIBLE = "possible"
    QUOTED = "quoted"

    @property
    def is_here(self) -> bool:
        """Whether it may be a fact of this machine."""
        return self in (Stance.PRINTED, Stance.SAID, Stance.UNSURE, Stance.OPEN)


def stance(
    line: str,
    before: Sequence[str] = (),
    start: int | None = None,
    end: int | None = None,
    after: str = "",
    frame: Frame = NOTHING,
    remark: str = "",
) -> Stance:
    """Of what a line speaks that holds a product's words from ``start`` to ``end``.

    Without ``start`` the line is a sentence of a person. ``before`` are the lines above it, ``after`` is the one below;
    ``frame`` is what stands over it farther above, and ``remark`` what is said of it farther below.
    """
    if start is not None and _is_quote(line, before[-1] if before else "", after):
        return Stance.QUOTED
    own = _of_line(line, start, end)
    if not own.is_here:
        return own
    above = _of_context(tuple(before[-ABOVE:]))
    if not above.is_here or start is None:
        return own if above.is_here else above
    if before and after and (around := leads.around(before[-1], after)) and not _is_own(before[-1]):
        whole = sentence(around)
        if not whole.is_here:
            return whole
    for found in (_of_remark(after), of_frame(frame)):
        if not found.is_here:
            return found
    if (
        Stance.OPEN in (own, above, of_frame(frame))
        or (frame.headings and titles.VERSION.match(frame.headings[-1]) and papers.BULLET.match(line))
        or _of_remark(remark) in _OF_BLOCKS
        or _is_asked(before, after)
        or is_wrapped(line, before[-ABOVE:], start, end or start, after)
        or _is_imagined(line, before, start, end or start, after, frame.leads[-1:])
    ):
        return Stance.OPEN
    return own


@lru_cache(maxsize=256)
def of_frame(frame: Frame) -> Stance:
    """What stands farther above a line makes of it."""
    if frame.region in ("comment", "heredoc"):
        return Stance.QUOTED
    if frame.region or frame.mail:
        return Stance.OPEN
    for lead in reversed(frame.leads):
        found = _of_lead(lead, True)
        if found in _OF_BLOCKS and not (
            found is Stance.QUOTED and _OWN.search(lead) and not _COPIED.search(lead)
        ):
            return Stance.OPEN
        if _OWN.search(lead) or cues.HERE.search(lead):
            return Stance.PRINTED
    for number, heading in enumerate(reversed(frame.headings)):
        if len(heading) > len(last := leads.last_sentence(heading)) and cues.HERE.search(last):
            continue  # "What does this mean? My job prints"
        if papers.DOCUMENT.match(heading) or papers.DOCUMENT_WORDS.search(heading) or titles.is_told(heading):
            return Stance.OPEN
        if number == 0 and not _of_heading(heading).is_here:
            return Stance.OPEN
    return Stance.PRINTED


def is_remark(line: str) -> bool:
    """Whether somebody speaks in a line of the lines far above it; programs speak to whoever reads them."""
    speaks = _speaks_back(line) or (len(line) < 160 and bool(leads.READ_OF.search(line)))
    return line[:4].strip() != "" and speaks and not _YOU.search(line[:LONGEST])


def _is_asked(before: Sequence[str], after: str) -> bool:
    """Whether a line stands in the middle of a question."""
    if not after.rstrip().endswith(("?", "？")) or len(after) > 80:
        return False
    asked = next((one for one in reversed(before) if one.strip()), "")
    return bool(asked) and sentence(asked) is Stance.POSSIBLE


def _is_own(above: str) -> bool:
    """Whether the words above a line say that it is there here: "no error in the log, but our console shows"."""
    return bool(cues.HERE.search(above) or ((turn := _last_turn(above)) and OWN.search(turn)))


def _is_imagined(
    line: str, before: Sequence[str], start: int, end: int, after: str, lead: Sequence[str]
) -> bool:
    """As ``imagined``, of the nearest words above and below; what a log says next to a line tells nothing of it."""
    near = [one for one in (*lead, *before[-ABOVE:]) if one.strip() and not _FENCE.match(one)][-2:]
    above = " ".join(one.strip()[:_SENTENCES] for one in near if not is_logged(one))
    head, tail = line[max(0, start - LONGEST) : start], line[end : end + LONGEST]
    beside = "" if _without_prefix(head)[1] else f"{head} … {tail}"
    below = "" if is_logged(after) or _HEADING.match(after) else after[:_SENTENCES]
    return is_imagined(above, beside, below)


def _speaks_back(line: str) -> bool:
    """Whether a line speaks of the lines above it."""
    if not _REMARK.search(line):
        return False
    return bool(_TOLD_OF.search(line) or cues.PERSON.search(line[:LONGEST]))


def _of_remark(line: str) -> Stance:
    """What a line below makes of those above it."""
    if line and len(line) < 160 and leads.UNSEEN_BACK.search(line):
        return Stance.DENIED
    if line and _REMARK.search(line) and len(line) < 160 and leads.OWNER.search(line):
        return Stance.ELSEWHERE
    if line and len(line) < 160 and leads.READ_OF.search(line):
        return Stance.ELSEWHERE
    if not line or not _speaks_back(line):
        return Stance.PRINTED
    found = sentence(line)
    if found is Stance.PAST and _WELL.search(line[:LONGEST]) and not _OVER.search(line[:LONGEST]):
        return Stance.PRINTED  # "this worked last week": it does not now
    if found is Stance.DENIED and not cues.PERSON.search(line[:LONGEST]):
        return Stance.PRINTED
    return found if found in _OF_OTHERS else Stance.PRINTED


def is_logged(line: str) -> bool:
    """Whether a line begins with what programs put before a message."""
    return _without_prefix(line[:LONGEST])[1]


def of_block(before: Sequence[str]) -> Stance:
    """Of what the lines above say that the lines below them speak."""
    return _of_context(tuple(before[-ABOVE:]))


def _is_quote(line: str, above: str, below: str) -> bool:
    """Whether a line stands behind ``>``; what a command printed, or a log that is quoted whole, is no quotation."""
    if not cues.QUOTE.match(line) or (cues.ECHO.search(above) and not cues.QUOTE.match(above)):
        return False
    return not (_QUOTED_LOG.search(line) and (_QUOTED_LOG.search(above) or _QUOTED_LOG.search(below)))


def _of_line(line: str, start: int | None, end: int | None) -> Stance:
    if start is None:
        return sentence(line)
    head, tail = line[max(0, start - LONGEST) : start], line[end or start :][:LONGEST]
    if cues.CHAT.search(line[: start + 1]) or cues.COMMENT.search(line[:200]) or _is_code(head, tail):
        return Stance.QUOTED
    if cues.REQUEST.search(line[max(0, start - _REQUEST) : start]):
        return Stance.QUOTED
    if cues.SEARCHED.search(head) or cues.SEARCHED.search(tail):
        return Stance.DENIED
    if is_command(line, start) or _LITERAL.search(head):
        return Stance.QUOTED
    says = _SAYS.match(head)
    if _SOURCE.match(head) or (says and not is_grounded(says[1] or says[2])):
        return Stance.OPEN
    if is_settled(line, start):
        return Stance.PAST
    before, is_log = _without_prefix(head)
    found = _before(_without_message(before), is_log)
    if not found.is_here:
        return found
    return _behind(found, tail, is_log)


def _before(head: str, is_log: bool) -> Stance:
    """What the words before a product's line make of it."""
    if not head.strip(" \t\"'`*_:：([{-–—|>.,·•「『“”‘’"):
        return Stance.PRINTED
    speaks = bool(cues.PERSON.search(head))
    if not speaks and is_log:
        return Stance.PRINTED
    if (turn := _last_turn(head)) and OWN.search(turn) and not cues.DENIED.search(turn):
        return Stance.SAID  # "Not sure whether it is the driver, but my machine says: "
    here = _last(cues.HERE, head)
    for found, cue in _ORDER:
        if any(_counts(found, head, match.start(), here, speaks) for match in cue.finditer(head)):
            return found
    if here >= 0 or (speaks and OWN.search(head)):
        return Stance.SAID
    return Stance.UNSURE if speaks else Stance.PRINTED


def _behind(found: Stance, tail: str, is_log: bool) -> Stance:
    """What the words behind a product's line make of it."""
    if not tail.strip(" \t\"'`*_.:)"):
        return found
    if cues.DENIED_AFTER.search(tail) or (
        "...." in tail and not tail.startswith(":.") and _DOTTED.search(tail)
    ):
        return Stance.DENIED
    if (
        found is not Stance.SAID
        and cues.QUESTION.search(tail)
        and (found is Stance.UNSURE or len(tail.strip()) < 6)
    ):
        return Stance.POSSIBLE
    remark = _APART.search(tail)
    if remark and leads.UNSEEN.search(tail, remark.end()) and cues.PERSON.search(tail, remark.end()):
        return Stance.DENIED
    if is_log:
        tail = tail[remark.end() :] if remark else ""
        if remark and remark[0].strip() in _POINTS and not (own := sentence(tail)).is_here:
            return own
    if not cues.ANY_BEHIND.search(tail):
        return found
    if cues.POSSIBLE_AFTER.search(tail):
        return Stance.POSSIBLE
    for other, cue in _ORDER_BEHIND:
        if cue.search(tail) and (found is not Stance.SAID or other is not Stance.QUOTED):
            return other
    return found


@lru_cache(maxsize=2048)
def sentence(text: str) -> Stance:
    """Of what a person's sentence speaks."""
    text = text[:LONGEST]
    if cues.QUOTE.match(text) or cues.CHAT.search(text):
        return Stance.QUOTED
    if counts_none(text, 0):
        return Stance.DENIED
    here = _last(cues.HERE, text)
    for found, cue in (*_ORDER[1:], _ORDER[0]):
        place = _last(cue, text)
        if place >= 0 and not _returns(found, text, place, here):
            return found
    if text.rstrip(" \"'`)").endswith(("?", "？", "吗")):
        return Stance.POSSIBLE
    return Stance.SAID if here >= 0 else Stance.UNSURE


def _of_context(before: tuple[str, ...]) -> Stance:
    """What the lines above say of the line below them."""
    under = True
    for at in range(len(before) - 1, -1, -1):
        line = before[at]
        if not line.strip() or _FENCE.match(line):
            under = False
            continue
        if cues.CHAT_HEAD.search(line[:200]) and not _COMES_BACK.search(leads.last_sentence(line[:200])):
            return Stance.QUOTED
        if _HEADING.match(line):
            return _of_heading(line)
        if _LEADS.search(line[-20:]):
            lead = leads.joined(before, at)
            found = _of_lead(lead, True)
            return found if found is not Stance.PRINTED or is_grounded(lead) else Stance.OPEN
        if leads.is_open(line):
            return _of_lead(leads.last_sentence(leads.joined(before, at)), True)
        if line.rstrip()[-1:] in "?？" and leads.SUPPOSED.search(line):
            return Stance.POSSIBLE
        if len(line) < 160 and leads.POINTS_ON.search(line) and not (_OWN.search(line) or is_logged(line)):
            return Stance.POSSIBLE
        if leads.is_title(line, before[at - 1] if at else ""):
            found = _of_owner(line) or sentence(line.strip())
            is_apart = found in (Stance.ELSEWHERE, Stance.PAST) and not _WELL.search(line)
            return found if is_apart else Stance.PRINTED
        if under and _PROVENANCE.search(line) and len(line) < 160:
            return _of_lead(line, False)
        return Stance.PRINTED
    return Stance.PRINTED


def _of_lead(line: str, ends: bool) -> Stance:
    """What a sentence says of the lines under it; ``ends``: it lacks them, mostly with a colon at its end."""
    head, is_log = _without_prefix(line[:LONGEST])
    if ends and cues.SETTLED.search(head):
        return Stance.PAST
    if is_log:
        return Stance.PRINTED
    if ends and _OVER.match(leads.last_sentence(head).lstrip(" \t*_-")):
        return Stance.PRINTED  # "It never did this before. Now:"
    if ends and (last := leads.last_sentence(head)) != head.strip() and _COMES_BACK.search(last):
        return Stance.PRINTED  # "The assistant said to reboot. I did, and again:"
    if ends and endures(head):
        return Stance.PRINTED
    spoken = cues.PERSON.search(head)
    if ends and (found := _of_owner(head)):
        return found
    named = ends and (cues.ELSEWHERE.search(head) or cues.TIMES.search(head))
    if not (spoken or named or _PROVENANCE.search(line)):
        return Stance.PRINTED
    found = sentence(line.strip())
    if found in (Stance.POSSIBLE, Stance.DENIED) and (turn := _last_turn(line)):
        found = sentence(turn)  # "Not sure if related, but the console shows"
    counts = found in _OF_BLOCKS or (
        ends
        and (found is Stance.POSSIBLE or (found is Stance.DENIED and spoken and not leads.FAILS.search(head)))
    )
    return found if counts else Stance.PRINTED


def _last_turn(line: str) -> str:
    """What follows the last "but" of a line."""
    return next((line[turn.end() :] for turn in reversed(list(_BUT.finditer(line)))), "")


def _of_owner(head: str) -> Stance | None:
    """What the words before a log say of whose it is, of when it is, and whether it is there at all."""
    if leads.OLD_PATH.search(head):
        return Stance.PAST
    last = leads.last_sentence(head)
    if found := leads.UNSEEN.search(last) or leads.SUPPOSED.search(last):
        return None if cues.TURN.search(last, found.end()) else Stance.POSSIBLE
    whose = leads.OWNER.search(head) or leads.ELSE.search(head) or papers.PLACE.match(head)
    if whose and whose.end() <= len(head) - len(last) and cues.PERSON.search(last) and _OVER.search(last):
        return None  # "The assistant said to reboot. I did, and now:"
    if not whose or _WELL.search(head) or _BACK.search(head[: whose.start()] + head[whose.end() :]):
        return None
    return Stance.ELSEWHERE


def _of_heading(line: str) -> Stance:
    """What a heading says of the text under it; those of forms speak to whoever fills them in, and ask for much."""
    if found := _of_owner(line.strip(" \t#*")):
        return found
    found = sentence(_YOUR.sub("the", line.strip(" \t#*")))
    return found if found in _OF_BLOCKS else Stance.PRINTED


def _is_code(head: str, tail: str) -> bool:
    if not _QUOTES.search(head) and "#define" not in head:
        return False  # nothing that ``CODE`` finds is without
    if not cues.CODE.search(head):
        return False
    return bool(re.search(r"[\"'`]", tail[:400])) or head.rstrip()[-1:] in "\"'`"


def _without_prefix(head: str) -> tuple[str, bool]:
    """The line without what programs put before a message, and whether there was any of it."""
    found = False
    for _ in range(_PARTS):
        match = cues.LOG_PREFIX.match(head)
        if not match or not match.end() or _CLAUSE.search(match[0]):
            break
        found = found or bool(match[0].strip(" \t|-") and not match[0].strip().isdecimal())
        head = head[match.end() :]
    return head, found


def before_message(head: str) -> str:
    """The words in a line before the message of a program, without what programs put there."""
    return _before_class(_without_prefix(head[-LONGEST:])[0])


def _before_class(head: str) -> str:
    begins = _MESSAGE.search(head)
    return head[: begins.start()] if begins else head


def _without_message(head: str) -> str:
    """The words before the message of a program: it begins with its class, or with a quotation mark."""
    head = _before_class(head)
    for mark in '"`':
        if head.count(mark) % 2:
            head = head[: head.rfind(mark)]
    return head


def _last(cue: cues.Words, text: str, offset: int = 0) -> int:
    return max((match.start() + offset for match in cue.finditer(text)), default=-1)


def _counts(found: Stance, head: str, place: int, here: int, speaks: bool) -> bool:
    """Whether a cue at ``place`` speaks of what follows the words before a product's line."""
    if found is Stance.DENIED:
        colon = head.rfind(": ", 0, place)
        if colon >= 0 and not cues.PERSON.search(head, colon, place):
            return False  # "touch: cannot touch ...": a program's own words
        if cues.TURN.search(head, place):
            return False
    if not speaks and found in (Stance.DENIED, Stance.POSSIBLE) and not _begins(found, head, place):
        return False
    return not _returns(found, head, place, here)


def _begins(found: Stance, head: str, place: int) -> bool:
    """Whether the line begins so: "That would be ...", "No ..."; "Cannot" and "Could not" are a program's."""
    if found is Stance.DENIED:
        return not head[:place].strip(" \t-*•(") and not head[place:].lower().startswith("cannot")
    return ":" not in head[:place] and len(head[:place].split()) <= 1


def _returns(found: Stance, head: str, place: int, here: int) -> bool:
    """Whether the person comes back to this machine behind what was said at ``place``."""
    if here <= place:
        return False
    if found in (Stance.DENIED, Stance.POSSIBLE) and head[here : here + 3].lower() == "on ":
        return bool(cues.TURN.search(head, place, here))  # "we do not see it on our machine" stays denied
    return found in (Stance.DENIED, Stance.POSSIBLE, Stance.QUOTED) or bool(_BACK.search(head, place))


_ORDER = (
    (Stance.DENIED, cues.DENIED),
    (Stance.ELSEWHERE, cues.ELSEWHERE),
    (Stance.PAST, cues.TIMES),
    (Stance.POSSIBLE, cues.HYPOTHETICAL),
    (Stance.QUOTED, cues.TOLD),
)
_ORDER_BEHIND = (*_ORDER[1:3], (Stance.QUOTED, cues.TOLD_AFTER))
_OF_OTHERS = (Stance.ELSEWHERE, Stance.PAST, Stance.QUOTED, Stance.DENIED)
_OF_BLOCKS = (Stance.ELSEWHERE, Stance.PAST, Stance.QUOTED)
