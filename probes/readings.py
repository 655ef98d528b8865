# ruff: noqa: E501  (an expression is one line)
"""Numbers that are out of range, whoever prints them: heat, power, counters of errors, less than was expected.

A log that is well otherwise may show one such number only. The limits are wide: what many healthy machines show is
none, and the thresholds that tools print beside a reading are no readings.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..engine.patterns import lazy_pattern

_NUMBER = r"(?P<n>[+-]?\d{1,12}(?:\.\d{1,6})?)"
_GPU_HEAT, _MEMORY_HEAT, _CPU_HEAT, _HOTTEST = 90, 105, 100, 200
"""Degrees from which a GPU is slowed down, its memory and its hottest spot, a processor; what is no temperature."""
_FULL, _FREE_KB, _LOAD, _SKEW_SECONDS, _OVER = 99, 100_000, 500, 1.0, 1.25

_HEAT_WORDS = lazy_pattern(r"(?i)temp|junction|edge|hot ?spot|tctl|tdie|composite|温度")
_HEAT = lazy_pattern(
    r"(?i)(?P<what>[^|;,{]{0,40}?(?:\{[^}]{0,200}\}\s{0,3})?)(?:(?:temp(?:erature)?s?|_temp|junction|edge|hot ?spot|Tctl|Tdie"
    r"|Composite|温度)(?P<more>[^\d\n|;+-]{0,40}(?:\{[^}]{0,200}\})?[^\d\n|;+-]{0,40}))[+]?(?P<n>\d{2,3}(?:\.\d{1,3})?)"
    r"(?P<unit>\s{0,2}(?:°|º|deg|C\b|℃|度|$))?"
)
_HEAT_OF_ROW = lazy_pattern(r"\|\s{1,4}(?:N/A|ERR!|\d{1,3}%)\s{1,6}(?P<n>\d{2,3})C\s{1,6}P\d{1,2}\s")
_NO_READING = lazy_pattern(
    r"(?i)\b(?:slowdown|shutdown|max|maximum|operating|target|limit|t\.limit|threshold|crit(?:ical)?|hyst|emerg\w*|warn\w*"
    r"|sampling|top_p|top_k|softmax|prompt|min|high|low|trip)\b"
)
_COUNT_WORDS = lazy_pattern(
    r"(?i)err|fail|drop|discard|lost|crc|symbol|downed|uncorr|dbe|double bit|xid|overrun|mismatch|corrupt|violation|replay|rollover"
    r"|retrans|pause_storm|out_of_seq|seq_|recovery|row_remap|carrier|stall|reset"
)
"""Without one of these words a line has no such counter, which is seen much sooner."""
_COUNTED = lazy_pattern(
    r"(?i)(?P<name>[\w .()/-]{0,60}?(?:err(?:or)?s?|fail(?:ure|ed)?s?|drop(?:ped|s)?|discard(?:s|ed)?|lost|crc|symbol\w{0,8}|downed|uncorr\w{0,10}|dbe\w{0,12}"
    r"|double bit ecc|xid\w{0,8}|overruns?|mismatch(?:es)?|corrupt\w{0,6}|violations?|replays?\w{0,10}|rollovers?|retrans\w{0,8}|pause_storm\w{0,16}"
    r"|out_of_sequence|seq_err\w{0,4}|timeout_err\w{0,4}|retry_err\w{0,4}|recovery|row_remap_failure|carrier|stalls?|resets?|uncorr\. ecc)\w{0,24})"
    r"(?:\{[^}\n]{0,300}\})?(?:\s{0,40}[:=]\s{0,20}|\.{2,60}\s{0,4}|:\.{1,60}|\s{1,40}|counter:\.{0,60})(?P<n>\d{1,18})(?![\w.%:/-]|\s?(?:%|ms|us|s|of|bytes|[KMG]i?B)\b)"
)
_NO_COUNT = lazy_pattern(
    r"(?i)(?<![a-z])(?:max|maximum|min|limit|thresholds?|allowed|tolera\w{0,6}|budget|interval|patience|window|mean|squared|absolute|relative|val"
    r"|train\w{0,4}|test|eval|loss|code|no|errno|type|id|level|corrected|correctable|corr|single bit|sbe\w{0,20}|step|epoch|line"
    r"|seed|version|recovery (?:time|window)|handling|retries|enable\w{0,2}|default|set to|mask|caches)(?![a-z])|corr_err|_sbe_|rate\b"
)
_CAMEL = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
"""Where a word ends inside of a name: ``failureThreshold``."""
_LOSS = lazy_pattern(
    r"(?i)(?<![\d.])(?P<n>\d{1,3}(?:\.\d{1,4})?)\s?%\s{0,2}packet loss|packet loss(?: of)?[:= ]{1,3}(?P<m>\d{1,3}(?:\.\d{1,4})?)\s?%"
)
_POWER = lazy_pattern(
    r"(?i)(?<![\d.])(?P<n>\d{2,5}(?:\.\d{1,3})?)\s?W(?:atts?)?\b[^\d\n]{0,20}?(?:/|limit|cap|max\w{0,4})[^\d\n]{0,8}(?P<m>\d{2,5}(?:\.\d{1,3})?)\s?W"
)
_VOLTS = lazy_pattern(
    r"(?i)(?<![\w.])(?P<m>12|5|3\.3)\s?V\b[^\d\n]{0,20}(?P<n>\d{1,2}\.\d{1,3})\s?(?:V|volts?)\b"
)
_FILLED = lazy_pattern(
    r"(?i)(?:\b(?:disks?|file ?systems?|inodes?|swap|shm|ram|host memory|tmpfs|memory usage|memory used|quota|scratch|volume)\b|/dev/\w[\w/-]{0,40})"
    r"[^\n]{0,80}?(?<![\d.])(?P<n>\d{2,3}(?:\.\d{1,3})?)\s?%"
)
_NO_FILL = lazy_pattern(
    r"(?i)\bGPU\b|VRAM|\bKV\b|cache usage|it/s|█|shards|complet|\bloading\b|/dev/loop|/snap/|squashfs"
)
_AVAILABLE = lazy_pattern(r"\bMemAvailable:\s{1,20}(?P<n>\d{1,12}) kB")
_LOADED = lazy_pattern(r"(?i)\bload average:?\s{1,3}(?P<n>\d{1,6}\.\d{1,2})")
_SKEW = lazy_pattern(
    r"(?i)\b(?:clock|time|ntp|system time)\b[^\n\d]{0,30}?(?:skew|offset|drift|off by|behind|ahead)[^\n\d]{0,16}(?P<n>\d{1,9}(?:\.\d{1,9})?)\s?(?:s|sec|seconds?)\b"
)
_EXPECTED = lazy_pattern(
    r"(?i)(?<![\w.])(?P<n>\d{1,6})(?:\s{0,2}[A-Za-z]{1,12}){0,3}[\s,;(]{1,4}(?:but )?(?:expected|instead of|should be|wanted|normally)[ :=]{1,3}(?P<m>\d{1,6})(?![\w.%:])"
)
_EXPECTED_FIRST = lazy_pattern(
    r"(?i)(?:expected[ :=]{1,3}(?P<m>\d{1,6})|(?<![\w.])(?P<k>\d{1,6})(?:\s{1,2}[A-Za-z]{1,12}){0,3} expected)\b[^\n\d]{0,30}?(?:found|got|only|saw|have|are|is)?[ :=]{0,3}(?P<n>\d{1,6})(?![\w.%:])"
)
_SOME_OF = lazy_pattern(
    r"(?i)\b(?:only|found|sees?|lists?|shows?|detect\w{0,4}|visible|remain\w{0,4})\b[^\n\d]{0,20}(?P<n>\d{1,4}) (?:out )?of (?P<m>\d{1,4})\b"
)
_ONLY = lazy_pattern(
    r"(?i)\bonly \d{1,4} (?:GPUs?|cards?|devices?|accelerators?|NICs?|HCAs?|links?|nodes?|ranks?|workers?)\b"
)
_NARROW = lazy_pattern(
    r"(?i)\b(?:width|pcie|pci-e|lanes?)\b[^\n]{0,30}?\bx[12]\b(?!\d)|\bx\d{1,2} instead of x\d{1,2}\b"
)
_BY_DESIGN = lazy_pattern(r"LnkSta:(?!.{0,80}downgraded)")
"""How a link runs; of some devices it has no more lanes."""
_TRAINING = lazy_pattern(r"(?i)\b(?:loss|epochs?|lr|hours?|eta|accuracy)\b")
_BITS = lazy_pattern(r"(?i)\beffective[^\n]{0,20}\bBER\b[^\d\n]{0,6}\d(?:\.\d{1,3})?E-0?(?P<n>\d{1,2})\b")
_NOT_FINITE = lazy_pattern(
    r"(?i)\b(?:loss|grad_?norm|perplexity|logits?)\b[\s:=is]{0,8}[-+]?(?:nan|inf(?:inity)?)\b"
)
_WAS = lazy_pattern(
    r"(?i)(?<![\w.])(?P<n>\d{1,9}(?:\.\d{1,4})?)[^\d\n()]{0,16}[(,;]\s{0,2}(?:was|normally|usually|before|otherwise)\s{1,3}"
    r"(?P<m>\d{1,9}(?:\.\d{1,4})?)"
)
_BANKS = lazy_pattern(r"(?i)\b(?:None|Low)\b[ :]{1,40}[1-9]\d{0,6} bank\(s\)")


def out_of_range(text: str) -> bool:
    """Whether a line shows a number that no healthy machine shows."""
    if not _DIGIT.search(text):
        return bool(_NOT_FINITE.search(text))
    return any(check(text) for check in _CHECKS)


_DIGIT = lazy_pattern(r"\d")


def _hot(text: str) -> bool:
    row = _HEAT_OF_ROW.search(text)
    if row and int(row["n"]) >= _GPU_HEAT:
        return True
    for found in _HEAT.finditer(text) if _HEAT_WORDS.search(text) else ():
        said = found[0].lower()
        degrees = float(found["n"])
        if degrees >= _HOTTEST or _NO_READING.search(said):
            continue
        if found["unit"] is None and not (
            "gpu" in said or "mem" in said or "sensor" in said or "dcgm" in said
        ):
            continue  # the temperature of a language model
        memory = any(word in said for word in ("mem", "hbm", "junction", "hot", "显存"))
        limit = (
            _MEMORY_HEAT
            if memory
            else _CPU_HEAT
            if re.search("cpu|tctl|tdie|package|core", said)
            else _GPU_HEAT
        )
        if degrees >= limit:
            return True
    return False


def _counted(text: str) -> bool:
    return bool(_COUNT_WORDS.search(text)) and any(
        int(found["n"])
        and not _NO_COUNT.search(_CAMEL.sub(" ", found["name"]))
        and text[found.start() - 1 : found.start()] != "#"  # how often a probe of Kubernetes is let fail
        for found in _COUNTED.finditer(text)
    )


def _exceeds(
    pattern: re.Pattern[str], bad: Callable[[float, float], bool], unless: re.Pattern[str] | None = None
) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        if unless and unless.search(text):
            return False
        for found in pattern.finditer(text):
            groups = found.groupdict()
            one = groups.get("n") or groups.get("k") or groups.get("m") or "0"
            other = groups.get("m") or groups.get("k") or "0"
            if bad(float(one), float(other)):
                return True
        return False

    return check


def _full(text: str) -> bool:
    return not _NO_FILL.search(text) and any(float(found["n"]) >= _FULL for found in _FILLED.finditer(text))


def _said(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: bool(pattern.search(text))


_CHECKS: tuple[Callable[[str], bool], ...] = (
    _hot,
    _counted,
    _full,
    _exceeds(_LOSS, lambda n, _: n >= 1),
    _exceeds(_POWER, lambda n, limit: n > limit * _OVER),
    _exceeds(_VOLTS, lambda n, volts: abs(n - volts) > volts / 10),
    _exceeds(_AVAILABLE, lambda n, _: n < _FREE_KB),
    _exceeds(_LOADED, lambda n, _: n >= _LOAD),
    _exceeds(_SKEW, lambda n, _: n >= _SKEW_SECONDS),
    _exceeds(_EXPECTED, lambda n, wanted: n != wanted, _TRAINING),
    _exceeds(_EXPECTED_FIRST, lambda n, wanted: n < wanted),
    _exceeds(_SOME_OF, lambda n, of: n < of),
    _exceeds(_BITS, lambda n, _: n <= 10),
    _exceeds(_WAS, lambda n, was: max(n, was) > 3 * min(n, was) > 0, _TRAINING),
    lambda text: bool(_NARROW.search(text)) and not _BY_DESIGN.search(text),
    _said(_ONLY),
    _said(_NOT_FINITE),
    _said(_BANKS),
)
