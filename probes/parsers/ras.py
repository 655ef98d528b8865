"""NCCL's RAS subsystem: ``ncclras`` as text and as JSON, its monitor, and what it calls missing or dead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

LARGEST = 256 << 20
_SHOWN = 64
_COMMA = lazy_pattern(r'("nvml_dev": \d+)(\s*\n\s*"status")')  # left out for missing ranks up to NCCL 2.28.9
_RANK = lazy_pattern(
    r"^\s*Rank (\d{1,7})\b(?: has launched up to operation (\d+)| has not launched any operations)?"
)
_GROUP = lazy_pattern(r"^\s*(\d+) ranks have (?:launched up to operation (\d+)|not launched any operations)")
_PROCESS = lazy_pattern(r"Process \d+ on node \S+ managing GPUs? [\d,()A-Z ]+")


def parse_counts(lines: Lines, at: int) -> Iterator[Found]:
    """A section on different operation counts: the ranks with the lower count are behind."""
    counts: dict[int, list[int]] = {}
    current = 0
    highest = 0
    last = at
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        group, rank = _GROUP.match(line), _RANK.match(line)
        if group:
            current = int(group[2] or 0)
        elif rank:
            own = int(rank[2]) if rank[2] else (0 if "has not launched" in line else current)
            counts.setdefault(own, []).append(int(rank[1]))
            current = max(current, own) if rank[2] else current
        else:
            break
        highest = max(highest, current)
        last = number
    late = sorted(rank for count, ranks in counts.items() if count < highest for rank in ranks)
    if late:
        yield Found("ras.behind_ranks", _list(late), last)


def parse_missing(lines: Lines, at: int) -> Iterator[Found]:
    """Ranks of which RAS got no answer."""
    line = lines[at]
    found = re.search(r"The missing ranks?: ([\d, ]{1,2000})", line)
    if found:
        yield Found("ras.missing_ranks", _list([int(n) for n in found[1].replace(",", " ").split()]), at)
        return
    ranks = []
    for following in lines[at + 1 :]:
        rank = re.match(r"\s*(?:The missing ranks?:|Rank (\d{1,7}) -- )", following)
        if not rank:
            break
        if rank[1]:
            ranks.append(int(rank[1]))
    if ranks:
        yield Found("ras.missing_ranks", _list(ranks), at)


def parse_process(lines: Lines, at: int) -> Iterator[Found]:
    """Processes that are considered dead, in the answer and in the monitor."""
    if "PEER_DEAD" in lines[at] or any("considered dead" in line for line in lines[max(0, at - 12) : at]):
        found = _PROCESS.search(lines[at])
        if found:
            yield Found("ras.dead_process", found[0].strip(), at)


def is_ras_json(head: bytes) -> bool:
    """Whether a file that begins so is an answer of ``ncclras -f json``."""
    return head.lstrip()[:1] == b"{" and b'"communicators_count"' in head


def read_json(data: bytes) -> Iterator[Found]:
    """The facts of an answer in JSON; nothing if it cannot be read as such."""
    try:
        document = json.loads(_COMMA.sub(r"\1,\2", data.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    if isinstance(document.get("nccl_version"), str):
        yield Found("nccl.version", document["nccl_version"][:40])
    for communicator in _records(document, "communicators"):
        yield from _communicator(communicator)


def _communicator(communicator: dict[str, Any]) -> Iterator[Found]:
    ranks = _records(communicator, "ranks")
    missing = sorted(
        r["rank"] for r in _records(communicator, "missing_ranks") if isinstance(r.get("rank"), int)
    )
    if missing:
        yield Found("ras.missing_ranks", _list(missing))
    dead = [
        r
        for r in _records(communicator, "missing_ranks")
        if r.get("status", {}).get("considered_dead") is True
    ]
    for record in dead[:1]:
        yield Found("ras.dead_process", f"Process {record.get('pid')} on node {str(record.get('host'))[:60]}")
    for operation in sorted({name for r in ranks for name in r.get("collective_counts") or {}}):
        counts = {
            r["rank"]: r["collective_counts"].get(operation, 0)
            for r in ranks
            if isinstance(r.get("rank"), int) and isinstance(r.get("collective_counts"), dict)
        }
        late = sorted(rank for rank, count in counts.items() if count < max(counts.values()))
        if late:
            yield Found("ras.behind_ranks", _list(late))
            return


def _records(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = document.get(key)
    return [r for r in found if isinstance(r, dict)] if isinstance(found, list) else []


def _list(ranks: list[int]) -> str:
    return ",".join(map(str, ranks[:_SHOWN]))
