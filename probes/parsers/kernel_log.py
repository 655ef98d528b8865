"""The kernel log: Xid and SXid by number, segmentation faults in libnccl."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines, Parser

_XID = re.compile(r"(?<!S)\bXid(?: ?\([^)]{0,40}\))?[: ]{1,2}(\d{1,3})\b")
_SXID = re.compile(r"\bSXid ?\([^)]{0,40}\): (\d{5})\b")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """The numbers on one line; a line that advises or explains has none."""
    for number in _XID.findall(lines[at]):
        yield Found(f"xid.{number}", True, at)
        yield Found("symptom.xid-error", True, at)
    for number in _SXID.findall(lines[at]):
        yield Found(f"sxid.{number}", True, at)


def parse_segfault(lines: Lines, at: int) -> Iterator[Found]:
    """A process that crashed inside the communication library."""
    if re.search(r"segfault at .* in lib[nr]ccl", lines[at]):
        yield Found("symptom.libnccl-segfault", True, at)


PARSERS = (
    Parser("Xid", ("Xid",), parse, facts=("symptom.xid-error",)),
    Parser("segfault", ("segfault at",), parse_segfault, facts=("symptom.libnccl-segfault",)),
)
