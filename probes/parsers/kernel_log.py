"""The kernel log: Xid and SXid by number and with the GPU, what to do as the driver sees it, crashes in libnccl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_XID = lazy_pattern(
    r"\b(?P<word>Xid|XID)(?: ?\((?P<where>[^)]{0,40})\))?(?:[: ]{1,2}|=(?=\d{1,3} on Device=))(?P<number>\d{1,3})\b"
)
_SXID = lazy_pattern(r"\bSXid ?\((?P<where>[^)]{0,40})\): (?P<number>\d{5})\b")
_ADDRESS = lazy_pattern(r"(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}")
_ACTION = lazy_pattern(
    r"recovery action(?: changed from 0x[0-9a-f]+ \([^)]{1,30}\) to 0x[0-9a-f]+ \(|\s{0,60}:\s{0,3})([^)\n]{1,30})"
)

_DENIED = lazy_pattern(r"\b(?:no|not|nor|never|without|any|if|e\.g\.|such as)\b[^.;:]{0,40}$", re.IGNORECASE)
"""Words before a number that somebody mentions, in a sentence that does not say that it was logged."""
_GPU = lazy_pattern(r"NVRM|\b(?:GPUs?|nvidia|dmesg|kernel|ECC|NVLink|bus)\b", re.IGNORECASE)
"""Transactions of databases have an XID as well."""

_APPLICATION = frozenset({11, 13, 25, 31, 32, 43, 45, 69, 80})
"""Xids that a faulty program raises, or that only clean up behind it; they accuse no GPU."""
_REPORTS = frozenset({63, 106, 107, 154, 156, 160, 162})
"""Xids that record what was done, or what is to be done, about another."""

_ACTIONS = (
    ("drain_and_reset", ("drain and reset", "drain p2p and reset")),
    ("drain_p2p", ("drain p2p",)),
    ("node_reboot", ("reboot",)),
    ("gpu_reset", ("reset", "flr")),
)


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """The numbers on one line, and whose they are; a line that advises or explains has none."""
    for found in _XID.finditer(lines[at]):
        number = int(found["number"])
        if found["where"] is None and not _meant(lines[at], found):
            continue
        yield Found(f"xid.{number}", True, at)
        yield Found("symptom.xid-error", True, at)
        gpu = _ADDRESS.search(found["where"] or "")
        if gpu and number not in _APPLICATION | _REPORTS:
            yield Found("xid.gpus", _short(gpu[0]), at)
        if number == 154:
            yield from parse_action(lines, at)
    for found in _SXID.finditer(lines[at]):
        yield Found(f"sxid.{int(found['number'])}", True, at)
        switch = _ADDRESS.search(found["where"])
        if switch:
            yield Found("sxid.switches", _short(switch[0]), at)


def _meant(line: str, found: re.Match[str]) -> bool:
    """Whether a number without an address is one that was logged."""
    if found["word"] == "XID" and not _GPU.search(line):
        return False
    return not _DENIED.search(line, max(0, found.start() - 60), found.start())


def parse_action(lines: Lines, at: int) -> Iterator[Found]:
    """What the driver wants done with a GPU; that nothing need be done is no finding."""
    found = _ACTION.search(lines[at].lower())
    action = recovery_action(found[1]) if found else ""
    if action:
        yield Found("gpu.recovery_action", action, at)


def recovery_action(words: str) -> str:
    """The value of ``gpu.recovery_action`` for the driver's words; empty for "None" and for words not known."""
    said = words.lower()
    return next((value for value, shapes in _ACTIONS if any(shape in said for shape in shapes)), "")


def _short(address: str) -> str:
    """A PCI address as ``lspci -D`` writes it, without the function: 00000000:3B:00 and 3b:00 become 0000:3b:00."""
    parts = address.lower().split(":")
    domain = parts[-3][-4:] if len(parts) == 3 else "0000"
    return f"{domain}:{parts[-2]}:{parts[-1]}"


def parse_segfault(lines: Lines, at: int) -> Iterator[Found]:
    """A process that crashed inside the communication library."""
    if re.search(r"segfault at .* in lib[nr]ccl", lines[at]):
        yield Found("symptom.libnccl-segfault", True, at)
