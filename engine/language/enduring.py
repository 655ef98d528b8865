"""Whether a sentence of the past introduces a fault of now: what was done did not help, or it failed only yesterday."""
# ruff: noqa: E501  (an expression is one line)

from __future__ import annotations

import re

from ..patterns import lazy_pattern

_ENDURES = lazy_pattern(
    r"\b(?:since then|ever since|(?:and|but|it|job|run|which|that) (?:\w{1,12} ){0,2}still|still (?:says?|fails?|get|gets|see|the same|crashes|hangs|there)"
    r"|not (?:fixed|solved|resolved|gone|better)|no (?:better|change|improvement))\b.{0,60}[:：]\s{0,4}$"
    r"|\b(?:yet|but|however),? (?:i|we) (?:do |did |always |now |still )?(?:get|see|hit|have|got) (?:it|this|that|them|the)\b.{0,60}[:：]\s{0,4}$"
    r"|\bsince (?:last night|yesterday|this morning|today|then|the \w{1,14})\b.{0,120}\b(?:fails?|crash\w*|hangs?|dies|stops?|ends|aborts?)\b.{0,80}[:：]\s{0,4}$"
    r"|(?:换到?|升级|更新|迁移|搬)[^。]{0,16}(?:之?后)[^。]{0,8}(?:就)?(?:一直)?(?:报|出现|卡|挂|失败)[^。]{0,8}[:：]?\s{0,4}$"
    r"|今天[^。]{0,10}(?:报|出现|卡|挂|崩|失败)[^。]{0,8}[:：]?\s{0,4}$"
    r"|(?:我这边|我们?这里|仍然?|还是|依然|照样)[^。]{0,12}(?:报|出现|卡|挂|失败)[^。]{0,8}[:：]?\s{0,4}$",
    re.IGNORECASE,
)
"""What was done did not help: whatever the sentence says of the past, the line below is of now."""
_BY_HAND = lazy_pattern(
    r"\b(?:typ(?:ed|ing)|cop(?:ied|ying)|transcribed?|transcribing) (?:\w{1,12} ){0,3}(?:off|from|by hand)\b.{0,30}\b(?:screen|photo|hand|console|monitor)\b",
    re.IGNORECASE,
)
_RECENT = lazy_pattern(r"\b(?:yesterday|last night|\d{1,2} (?:hours?|days?) ago)\b", re.IGNORECASE)
_FAILED = lazy_pattern(
    r"\b(?:my|our|the) (?:\w{1,14} ){1,3}(?:crash\w*|failed|fails|died|hung|stopped|aborted|broke|froze|got stuck)\b",
    re.IGNORECASE,
)
_WELL = lazy_pattern(
    r"\b(?:works?|worked|working|fine|solved|fixed|since replaced|again ok)\b", re.IGNORECASE
)


def endures(lead: str) -> bool:
    """Whether a lead says that the fault is still there, that it came since yesterday, or that a screen was copied."""
    if _ENDURES.search(lead) or _BY_HAND.search(lead):
        return True
    return bool(_RECENT.search(lead) and _FAILED.search(lead) and not _WELL.search(lead))
