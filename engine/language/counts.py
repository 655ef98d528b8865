# ruff: noqa: E501  (an expression is one line)
"""A count of nothing: beside a message (``message: 0`` of ``grep -c``, a row of a table), or of faults (``0 errors``)."""

from __future__ import annotations

import re
from functools import lru_cache

from ..patterns import lazy_pattern

_WIDTH = 160
"""Characters at the end of a line that are looked at."""
_ENDS = tuple("0oelrtxsh)]|}\"',×无有否次条行个")
"""Most lines end otherwise, which is seen at once."""
_UNITS = (
    r"(?:x|×|times?|hits?|lines?|match(?:es)?|occurrences?|entries|events?|nodes?|hosts?|gpus?|次|条|行|个)"
)
_BEHIND = lazy_pattern(
    r"(?i)(?P<quote>[\"'`”’」)]?)"
    r"(?P<between>[ \t]{0,40}(?:[:：|]|->|=>|→)[ \t]{0,40}|[ \t]{1,40}(?:[-–—=][ \t]{1,40}|[x×](?=0))|[ \t]{2,80}"
    r"|\t|,[ \t]{0,4})"
    r"[\"']?(?:(?:count|hits?|matches|lines|occurrences|total|times|次数|数量|计数)[ \t]{0,4}[:=：]?[ \t]{0,4})?"
    r"(?P<none>0(?:[ \t|]{1,40}0|[ \t]?/[ \t]?\d{1,6}| (?:of|out of) \d{1,6}){0,9}"
    rf"(?:[ \t]{{0,2}}{_UNITS})?|{_UNITS}[ \t]{{0,2}}0"
    r"|zero|none|no|nil|never|false|absent|无|没有|否)"
    r"[ \t]{0,20}[\"')\]|},]{0,3}\s{0,20}\Z"
)
_BEFORE = lazy_pattern(
    r"(?i)^[\s|{\[(\"'*-]{0,12}(?:"
    r"0[ \t]{0,4}(?:[x×](?![0-9a-f])|times|hits?|matches|occurrences|次|,[ \t]?[\"'])"
    r"|(?:count|hits?|matches|occurrences|times|total|次数|数量)[\"']?[ \t]{0,4}[:=：][ \t]{0,4}[\"']?0\b(?![.\d]))"
)
_LABEL = lazy_pattern(
    r"(?i)(?:^|[\s\"'(\[,;:=_.-])(?:code|status|errno|err|error|ret|rc|retval|rank|local_rank|device|dev|gpu|id|node|nodes"
    r"|pid|tid|uid|port|line|len|opcode|idx|seq|(?-i:CPU)|core|bank|lane|ch|channel|syndrome|vendor|flags?|offset|world_size"
    r"|nranks|cudadev|returned|received|got)[ \t]{0,2}\d{0,6}\Z"
)
"""Before a zero that is a value of the message itself: ``exit code: 0``, ``for rank 3: 0``."""
_FIELD = lazy_pattern(r"(?:[,;][ \t]{1,3}(?:[\w/-]{1,40}[ \t])?|\.[ \t]{1,3})[\w/-]{1,40}\Z")
"""A name with its value behind the message: ``..., D-RST: No``, ``..., bytes: 0``."""
_COUNTED = lazy_pattern(r"(?i)\b(?:xid|sxid)[ \t]{0,2}\d{1,3}\Z")

FAULTS = (
    r"(?:errors?|fatal|xids?|timed?[ -]?outs?|hangs?|hung|resets?|killed|faults?|fail(?:ed|ures?)|lost|drop(?:ped|s)?|mismatch(?:es)?"
    r"|crash(?:ed|es)?|corrupt\w{0,4}|stalls?|stuck|denied|throttl\w{2,4}|aborted|overruns?|deadlocks?|loss|died|warnings?|overflows?|nan|skipped|missing|unexpected|invalid|broken|rejected|truncated|restarts?|bad (?:blocks?|pages?|sectors?)|leaks?"
    r"|uncorrect\w{0,10})"
)
"""What nobody wants to have, as a word that may be counted."""
NOTHING = (
    r"(?:(?:all[ \t])?0\b(?![.\dx])(?![ \t]{1,3}[a-z]{2,20}\b(?![ \t]{0,3}[:=\d]))"
    r"|\(?no (?:[a-z-]{1,12} ){0,3}"
    + FAULTS
    + r"\)?|\[\]|(?:all[ \t])?(?:zero|none|n/a|false|no)\b(?=[ \t]{0,3}(?:\Z|[,;|)\]}.\n])))"
)
"""A value that is nothing; ``0 devices`` and ``No such file`` are more than a value."""
_KIND = (
    r"(?!(?:within|before|after|due|because|from|and|for|in|on|at|by|to|but|since|until|while|when|response|reply|answer"
    r"|progress|heartbeats?|route|space|such)\b)[a-z-]{1,14}\s{1,3}"
)
"""A word between a count and what is counted; no other clause begins with it."""
_SEEN = (
    r"(?:(?:a|an|any|the|have|has|had|been|be|being|is|was|were|do|does|did|see|sees|saw|seen|find|found|get|got|show\w{0,3}|report\w{0,3}"
    r"|detect\w{0,3}|observ\w{0,3}|due|to|caused|by|into)\s{1,3}){0,3}"
)
_NONE_OF = (
    r"\b(?=[nwz0])(?:(?:no|without|zero|0)\s{1,3}(?:"
    + _KIND
    + r"){0,3}|(?:not|never)\s{1,3}"
    + _SEEN
    + ")"
    + FAULTS
    + r"\b"
    r"|(?:没有?|无|未|不)(?:再|出现|任何|有|会|发现|检测到|看到|发生|存在|遇到|过|明显|了){0,3}(?:报错|错误|崩溃|超时|卡住|卡死|死锁|掉卡|异常|失败|丢包|断开|损坏|过热|降频)"
)
_FAULTS_NONE = (
    r"\b(?:"
    + FAULTS
    + r"[ \t]{1,3}){0,3}"
    + FAULTS
    + r"(?:[ \t]{1,3}[a-z]{1,12}){0,5}[ \t]{0,40}[:=|][ \t]{0,20}"
    + NOTHING
)
NO_FAULTS = _NONE_OF + "|" + _FAULTS_NONE
"""A count of none of them, before or behind its word."""
_BEFORE_FAULTS = lazy_pattern("(?i)" + _NONE_OF)
_BEHIND_FAULTS = lazy_pattern("(?i)" + _FAULTS_NONE)
_VALUE = lazy_pattern("(?i)[:=|][ \\t]{0,20}" + NOTHING)
"""Which few lines have: faults are looked for before it only there."""
_NONE = lazy_pattern(
    r"(?i)(?<![\w.:-])(?:0(?![\w.:])|no\b|not\b|never\b|none\b|zero\b|without\b|false\b|\[\])|[没无未不]"
)
_NONE_PARTS = (
    " 0",
    "=0",
    "(0",
    ":0",
    "[]",
    "no",
    "No",
    "NO",
    "never",
    "Never",
    "zero",
    "Zero",
    "without",
    "Without",
    "alse",
    *"没无未不",
)
"""What most lines have none of, which is seen at once."""

_BEFORE_IT, _BEHIND_IT = "before", "behind"


def counts_none(line: str, end: int) -> bool:
    """Whether a line tells that the message in it, whose known words end at ``end``, was found nowhere."""
    place = _place(line)
    if place is not _BEHIND_IT:
        return place is _BEFORE_IT
    start = max(end, len(line) - _WIDTH)
    found = _behind(line, start)
    if found is None or "|" in line[end : found.start("between")]:
        return False
    before = line[max(0, found.start("between") - 60) : found.start("between")]
    mark = found["between"].strip()
    if mark == "," and not found["quote"]:
        return False
    if _COUNTED.search(before):
        return True
    return not _LABEL.search(before) and not _FIELD.search(before)


def without_none(text: str) -> str:
    """A text without its counts of no faults, which sound like trouble and tell of none."""
    if not may_tell_of_none(text) or not _NONE.search(text):
        return text
    if _VALUE.search(text):
        lines = text.split("\n")
        text = "\n".join(_BEHIND_FAULTS.sub(" ", line) if _VALUE.search(line) else line for line in lines)
    return _BEFORE_FAULTS.sub(" ", text)


def may_tell_of_none(text: str) -> bool:
    """Whether a text may say that there is none of something: most lines cannot."""
    return text.startswith("0") or any(part in text for part in _NONE_PARTS)


@lru_cache(maxsize=256)
def _behind(line: str, start: int) -> re.Match[str] | None:
    """A count of zero at the end of a line: for most of the messages in it it is looked for in the same place."""
    return _BEHIND.search(line, start)


@lru_cache(maxsize=256)
def _place(line: str) -> str:
    """Where a count of zero may stand in a line: most have none, and one line is asked about many times."""
    if _BEFORE.match(line[:80]):
        return _BEFORE_IT
    last = line[-_WIDTH:].rstrip()[-14:]
    return _BEHIND_IT if last.endswith(_ENDS) or " of " in last or "/" in last else ""
