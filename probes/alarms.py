"""Lines that look like the end of a job or a fault of a machine, in whatever words: for texts that say nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.patterns import lazy_pattern
from .text import clean

_LONGEST = 2000
_BAD = lazy_pattern(
    r"(?i)\bfatal\b|^\s*Traceback \(most|\bsegfault\b|segmentation (?:fault|violation)|core dumped|\bkernel panic\b"
    r"|\bSIG(?:SEGV|ABRT|KILL|BUS|FPE|ILL|TERM)\b|\bsignal[ :=]{1,3}(?:4|6|7|8|9|11)\b|\bBUG: |\bCall Trace:"
    r"|\bexit(?:ed)?[ _]?(?:with )?(?:code|status)?[ :=(]{1,4}-?[1-9]\d{0,2}\b|\bXid\b|\bhardware error\b"
    r"|\buncorrect|\b(?:GPU|device|adapter|engine|bus|function|link)\b.{0,40}\breset\b"
    r"|\breset\b.{0,40}\b(?:GPU|device|failed|begin)\b|\btim(?:ed[ -]?out|eout)\b(?![ \t]{0,3}[=:(]|[\w+-])"
    r"|\b(?:was|got|been) killed\b|\bKilled\b|\bkilled process\b|\bconnection (?:refused|reset|timed out|closed by)"
    r"|\b(?:page|general protection|memory access) fault\b|\bprocess terminated\b|\babort(?:ed|ing)\b"
    r"|\bblocked for more than\b|\bpermission denied\b|\b(?:D state|state D)\b|\bhangs?\b|\bhung\b"
    r"|(?:^|\s)D[a-zA-Z<+]{0,4}\s.{0,80}\b(?:nvidia|amd|rocm|xpu)-smi\b|\bun(?:able|reachable)\b|\billegal\b"
    r"|\bhost is down\b|\berror(?:[:!]| \d| code| occurred)|\b(?:fell off|fallen off|lost from)\b"
    r"|\bERR!|\b(?:pending|failure|blacklist|retirement|degraded)\b[^:\n]{0,30}:\s{0,3}Yes\b"
    r"|\bphysical_state disabled\b|\bState=\S{0,40}(?:DOWN|DRAIN|FAIL)|\breturn ?code[ :=]{1,3}-\d"
    r"|\b(?:disappear(?:s|ed)|vanish(?:es|ed))\b|\bjust (?:stops?|stopped|dies|died|ends?|ended)\b|\bstays? at 0 ?%"
    r"|\bnot respond(?:ing)?\b|\bheartbeats? (?:lost|missed)\b|\bbroken pipe\b|\bread-only file ?system\b"
    r"|\bfree\(\): invalid\b|\bdouble free\b|\bstack smashing\b|\bstale (?:nfs )?file handle\b|\blink flap"
    r"|掉卡|卡掉|卡住|卡死|崩溃|被杀|报错|停了|显存不足|内存不足|死锁|无响应|没反应|超时|异常退出"
    r"|\bNo such (?:device|file)\b|(?:does not|doesn't) have\b.{0,40}\bbuilt in"
)
_HARMLESS = lazy_pattern(
    r"(?i)\b(?:no|not|never|without|zero|0)\s{1,3}(?:[a-z]{1,12}\s{1,3}){0,3}"
    r"(?:errors?|fatal|xids?|timed?[ -]?outs?|hangs?|hung|reset|killed|faults?)\b"
    r"|\b(?:errors?|fatal|uncorrect\w{0,10})\b\W{0,3}(?:rate\W{0,3})?(?:0\b|none\b|n/a|false)|\berror(?:_|s_|-)\w"
    r"|(?:没有?|无|未|不)(?:再|出现|任何|有|会)?(?:报错|崩溃|超时|卡住|卡死|死锁|掉卡|异常)"
    r"|NCCL INFO|\bSIGTERM\b.{0,30}\bhandler\b|\bexit(?:ed)?[ _](?:with )?(?:code|status)[ :=(]{1,4}0\b"
)


def alarms(data: bytes, line: int) -> Iterator[tuple[int, str]]:
    """The lines that look bad, with their numbers. A job that dies says so at its end: this is for ends of texts."""
    for number, piece in enumerate(data.split(b"\n"), line):
        text = clean(piece[:_LONGEST])
        if _BAD.search(text) and not _HARMLESS.search(text):
            yield number, text
