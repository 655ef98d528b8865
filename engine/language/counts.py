"""A count of nothing beside a message: ``message: 0`` of ``grep -c``, a counter, a row of a table."""

from __future__ import annotations

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

_BEFORE_IT, _BEHIND_IT = "before", "behind"


def counts_none(line: str, end: int) -> bool:
    """Whether a line tells that the message in it, whose known words end at ``end``, was found nowhere."""
    place = _place(line)
    if place is not _BEHIND_IT:
        return place is _BEFORE_IT
    start = max(end, len(line) - _WIDTH)
    found = _BEHIND.search(line, start)
    if found is None or "|" in line[end : found.start("between")]:
        return False
    before = line[max(0, found.start("between") - 60) : found.start("between")]
    mark = found["between"].strip()
    if mark == "," and not found["quote"]:
        return False
    if _COUNTED.search(before):
        return True
    return not _LABEL.search(before) and not _FIELD.search(before)


@lru_cache(maxsize=256)
def _place(line: str) -> str:
    """Where a count of zero may stand in a line: most have none, and one line is asked about many times."""
    if _BEFORE.match(line[:80]):
        return _BEFORE_IT
    last = line[-_WIDTH:].rstrip()[-14:]
    return _BEHIND_IT if last.endswith(_ENDS) or " of " in last or "/" in last else ""
