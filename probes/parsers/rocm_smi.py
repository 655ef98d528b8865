"""``rocm-smi`` and ``amd-smi`` tables and JSON, ``rocminfo``: which AMD GPUs there are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_DEVICE = lazy_pattern(r"^(\d+)\s+(?:(?:\d+\s+)?\[?0x[0-9a-f]{4}\b|\d+\.\d+c\s)")
_NAME = lazy_pattern(r"^\s+((?:AMD |Instinct |Radeon )\S.*?)\s*$")
_SERIES = lazy_pattern(
    r'(?:Card (?:series|Series|model|Model)|Market[ _][Nn]ame|market_name|MARKET_NAME|Marketing Name)"?\s*:\s*"?'
    r"((?:AMD|Instinct|Radeon)[^\",]*?)\s*(?:\"|,|$)"
)
_INTEGRATED = lazy_pattern(r"^AMD Radeon(?:\(TM\))? (?:RX )?(?:Vega \d+ )?Graphics$|^AMD Radeon \d{3}M$")
_GFX = lazy_pattern(r"\b(gfx(?:9[0-9a-f]{2}|1[0-2][0-9]{2}|8\d{2}))\b")
INTEGRATED = {"gfx902", "gfx909", "gfx90c", "gfx1033", "gfx1035", "gfx1036", "gfx1037", "gfx1103"}
"""Targets of GPUs that are part of a processor."""


def parse_concise(lines: Lines, at: int) -> Iterator[Found]:
    """``rocm-smi`` without options."""
    devices = 0
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        if "End of ROCm SMI Log" in line:
            break
        if _DEVICE.match(line):
            devices += 1
        name = _NAME.match(line)
        if name:
            yield from _named(name[1], number)
    if devices:
        yield Found("gpu.vendor", "amd", at)
        yield Found("gpu.count", devices, at)


def parse_name(lines: Lines, at: int) -> Iterator[Found]:
    """A line that names a card: ``rocm-smi --showproductname``, ``amd-smi static``, ``rocminfo``."""
    found = _SERIES.search(lines[at])
    if found:
        yield Found("gpu.vendor", "amd", at)
        yield from _named(found[1], at)


def _named(name: str, number: int) -> Iterator[Found]:
    if _INTEGRATED.match(name):
        yield Found("igpu.present", True, number)
    else:
        yield Found("gpu.model", name, number)


_INDEX = lazy_pattern(r"^\s*\"?(?:GPU\[(\d{1,3})\]\s*:|card(\d{1,3})\"\s*:)|^GPU: (\d{1,3})\s*$")


def parse_index(lines: Lines, at: int) -> Iterator[Found]:
    """Lines that begin with ``GPU[n]``: how many GPUs the tool speaks of. Answers for the first only."""
    if any(_INDEX.match(line) for line in lines[:at]):
        return
    numbers = [int(found[1] or found[2] or found[3]) for line in lines[at:] if (found := _INDEX.match(line))]
    yield Found("gpu.vendor", "amd", at)
    if sorted(set(numbers)) == list(range(max(numbers, default=-1) + 1)) and len(set(numbers)) > 1:
        yield Found("gpu.count", len(set(numbers)), at)


def parse_agents(lines: Lines, at: int) -> Iterator[Found]:
    """``rocminfo``: agents by target; an integrated target beside a discrete one."""
    targets = [
        (number, found[1])
        for number, line in enumerate(lines)
        if (found := re.match(r"\s+Name:\s+(gfx\w+)\s*$", line))
    ]
    discrete = {name for _, name in targets if name not in INTEGRATED}
    for number, name in targets:
        if name in INTEGRATED and discrete:
            yield Found("igpu.present", True, number)
        elif name in discrete:
            yield Found("gpu.arch", name, number)
    if len(discrete) > 1:
        yield Found("gpu.arch_mixed", True, targets[0][0])
    if targets:
        yield Found("gpu.vendor", "amd", targets[0][0])


_CARD = lazy_pattern(r"^\|\s+[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d\s+((?:AMD|Instinct|Radeon)\s\S.*?)\s*\|")
_MEMORY = lazy_pattern(r"\d+/(\d+) MB\s*\|\s*$")


def parse_summary(lines: Lines, at: int) -> Iterator[Found]:
    """``amd-smi`` without a command, as of ROCm 7: two lines for each GPU."""
    cards = [(number, found[1]) for number, line in enumerate(lines) if (found := _CARD.match(line))]
    sizes = [(number, int(found[1])) for number, line in enumerate(lines) if (found := _MEMORY.search(line))]
    yield Found("gpu.vendor", "amd", at)
    if cards:
        yield from _named(cards[0][1], cards[0][0])
        yield Found("gpu.count", len(cards), cards[-1][0])
    if cards and sizes:
        yield Found("gpu.memory_mib", min(size for _, size in sizes), sizes[0][0])
