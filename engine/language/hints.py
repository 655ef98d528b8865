# ruff: noqa: E501  (an expression is one line)
"""On which roads a text may be, by single words: a hint that orders pages, never a fact."""

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from ..vendors import alternatives

_ROADS = {
    "hang": lazy_pattern(
        r"\bhang|\bhung\b|\bstuck\b|freez|stall|deadlock|\btime[sd]? ?out|timeout|never (?:ends|returns|finish)"
        r"|no progress|\bwaiting\b|卡[住死在]|挂起|超时",
        re.IGNORECASE,
    ),
    "crash": lazy_pattern(
        r"error|\bfail(?!over|-?safe|back)|crash(?! ?(?:recovery )?kernel)|abort(?! complete)|killed|refused|exception|segfault|segmentation|\bfault(?!handler|_|-toler)|\bdied\b|assert|cannot"
        r"|could not|unable|报错|错误|失败|崩溃",
        re.IGNORECASE,
    ),
    "slow": lazy_pattern(
        r"\bslow|bandwidth|throughput|latency|GB/s|busbw|speed(?!up)|performance|\bidle\b|慢|带宽|性能",
        re.IGNORECASE,
    ),
    "wrong": lazy_pattern(
        r"garbage|\bnan\b|wrong (?:output|result|answer)|corrupt|gibberish|garbled|nonsense|incorrect|!!!!"
        r"|乱码|错误结果",
        re.IGNORECASE,
    ),
    "missing": lazy_pattern(
        r"not (?:visible|detected|found|available)|"
        rf"no (?:{alternatives(lambda v: v.platform)}|gpus?|devices?)\b|invalid device|not recognized"
        r"|找不到|不可用|识别不到",
        re.IGNORECASE,
    ),
}


# Words that sound like trouble and tell of none: "0 errors", names of settings and their values.
_CALM = lazy_pattern(
    r"\b(?:no|0|zero|without(?: any)?) (?:error|fail|warning|timeout|crash|hang|fault)\w*"
    r"|\b(?:timeout|latency|speed|throughput)\w* ?[:=] ?\d\S*"
    r"|\b(?:errors?|fail\w{0,4}|timeouts?)=[\w-]{1,30}|\btimeout ?(?:of )?\d{1,6}\b|\btimeout\(\w{1,3}\)|\bwith timeout\b|\bwaiting for application \w{1,20}|\bdone waiting\b"
    r"|\b\w{0,40}(?:err(?:or)?s?|fail\w{0,4})\w{0,20}[ :=.]{1,60}0\b(?![.\dx])"
    r"|\b\w{0,40}(?-i:[a-z](?:Timeout|Threshold|Tolerance|Policy|Program))\b|\berror (?:containment|correction|recovery|handling)\b"
    r"|\b\w{0,60}_(?:error|fail|timeout|performance|hang)\w{0,60}\b|\b(?:error|fail|timeout|performance|hang)_\w{1,60}",
    re.IGNORECASE,
)


def roads_hinted(text: str) -> frozenset[str]:
    """The roads of which the text has a word."""
    text = _CALM.sub(" ", text)
    return frozenset(road for road, words in _ROADS.items() if words.search(text))
