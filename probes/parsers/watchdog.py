"""PyTorch's watchdog: which collective it gave up, how far each rank was, and its desync report."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_WORK = lazy_pattern(r"Work(?:NCCL|HCCL|\w{0,8})\(SeqNum=(\d{1,12}), OpType=(\w{1,40}),")
_PROGRESS = lazy_pattern(
    r"[Ll]ast enqueued (?:NCCL )?work: (-?\d{1,12}), last completed (?:NCCL )?work: (-?\d{1,12})"
)
_LAGGING = (
    lazy_pattern(r"\[([\d, ]{1,2000})\] finished collective #\d+, but didn't join collective #(\d+)"),
    lazy_pattern(r"\branks? \[([\d, ]{1,2000})\] are the lagging ranks that caused this timeout"),
)
_UNFINISHED = lazy_pattern(r"\[([\d, ]{1,2000})\] joined but didn't finish collective #(\d+)")


def parse_work(lines: Lines, at: int) -> Iterator[Found]:
    """The collective of a timeout, and the numbers of the rank that reports it."""
    line = lines[at]
    work = _WORK.search(line)
    if work:
        yield Found("watchdog.collective", f"{work[2]} #{work[1]}", at)
    progress = _PROGRESS.search(line)
    if progress:
        yield Found("watchdog.progress", f"enqueued #{progress[1]}, completed #{progress[2]}", at)


def parse_desync(lines: Lines, at: int) -> Iterator[Found]:
    """The desync report names the ranks that never came to the collective."""
    for pattern in _LAGGING:
        found = pattern.search(lines[at])
        if found:
            yield Found("log.late_ranks", _ranks(found[1]), at)
            return
    if _UNFINISHED.search(lines[at]) and not any("didn't join" in line for line in lines):
        found = _UNFINISHED.search(lines[at])
        assert found
        yield Found("log.unfinished_ranks", _ranks(found[1]), at)


def _ranks(text: str) -> str:
    return ",".join(text.replace(" ", "").split(",")[:64])
