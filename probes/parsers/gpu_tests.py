"""Results of known tests: nccl-tests and rccl-tests tables, p2pBandwidthLatencyTest, simpleP2P."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_RESULT = lazy_pattern(
    r"^(?:\[[\d,]+\]<stdout>:)?\s*\d+\s+\d+\s+\S+\s+\S+\s+(?:-?\d+\s+)?[\d.]+\s+[\d.]+\s+[\d.]+\s+(\S+)"
)
_CONTROL = "Out of bounds values"


def parse_table(lines: Lines, at: int) -> Iterator[Found]:
    """The table of a ``*_perf`` program: passed, wrong values, or stopped after its header."""
    rows: list[tuple[int, str]] = []
    yield from _devices(lines, at)
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        row = _RESULT.match(line)
        if row:
            rows.append((number, row[1]))
        if _CONTROL in line:
            yield Found("collective.default", "pass" if line.rstrip().endswith("OK") else "wrong", number)
            return
        if "Test NCCL failure" in line or "Test CUDA failure" in line or "failure common.cu" in line:
            yield Found("collective.default", "error", number)
            return
    wrong = [number for number, errors in rows if errors not in ("N/A", "0") and not errors.startswith("0e")]
    if wrong and lines[wrong[0]].count("e-") == 0:
        yield Found("collective.default", "wrong", wrong[0])
    elif rows and any(
        "Avg bus bandwidth" in line and number > rows[-1][0] for number, line in enumerate(lines)
    ):
        yield Found("collective.default", "pass", rows[-1][0])
    elif not rows and at + 3 < len(lines) and "nThread" in lines[at]:
        yield Found("symptom.nccl-tests-stops-after-header", True, at)


_DEVICE = lazy_pattern(
    r"#\s+Rank\s+\d+ .{0,40}Pid\s+\d+ on\s+(\S{1,64}) device\s+(\d{1,2}) \[[0-9a-fx:.]+\]\s+(\S.{0,60}?)\s*$"
)


def _devices(lines: Lines, at: int) -> Iterator[Found]:
    """The devices that the program lists: model, GPUs of a node, nodes."""
    devices = [
        (number, found)
        for number, line in enumerate(lines)
        if number > at and (found := _DEVICE.search(line))
    ]
    if not devices:
        return
    number, first = devices[0]
    hosts: dict[str, set[str]] = {}
    for _, device in devices:
        hosts.setdefault(device[1], set()).add(device[2])
    yield Found("gpu.model", first[3], number)
    yield Found("gpu.count", max(len(found) for found in hosts.values()), devices[-1][0])
    yield Found("node.count", len(hosts), devices[-1][0])
    yield Found("parallel.world_size", len(devices), devices[-1][0])


_ACCESS = lazy_pattern(r"Device=(\d+) (CAN|CANNOT) Access Peer Device=(\d+)")


def parse_access(lines: Lines, at: int) -> Iterator[Found]:
    """``Device=0 CAN Access Peer Device=1``."""
    found = _ACCESS.search(lines[at])
    if found:
        yield Found("p2p.driver_reports", found[2] == "CAN", at)


def parse_bandwidth(lines: Lines, at: int) -> Iterator[Found]:
    """Peer copies against copies through the host: enabled must not be slower."""
    without, with_peers = _matrix(lines, at, "P2P=Disabled"), _matrix(lines, at, "P2P=Enabled")
    if not without or not with_peers or len(without) != len(with_peers):
        return
    count = len(without)
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    if any(with_peers[i][j] < 0.8 * without[i][j] for i, j in pairs):
        yield Found("symptom.p2p-slower-than-staged", True, at)


_RATE = lazy_pattern(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def _matrix(lines: Lines, at: int, title: str) -> list[list[float]]:
    """The unidirectional bandwidth matrix under a title."""
    start = next(
        (
            n
            for n, line in enumerate(lines)
            if title in line and "Unidirectional" in line and "Bandwidth" in line
        ),
        None,
    )
    if start is None:
        return []
    rows = []
    for line in lines[start + 2 :]:
        cells = line.split()
        if len(cells) < 3 or not cells[0].isdecimal() or not all(map(_RATE.fullmatch, cells[1:])):
            break
        rows.append([float(c) for c in cells[1:]])
    return rows if all(len(row) == len(rows) for row in rows) else []


def parse_simple_p2p(lines: Lines, at: int) -> Iterator[Found]:
    """The verdict of simpleP2P."""
    if "Verification error" in lines[at]:
        yield Found("p2p.copy", "corrupt", at)
    elif "Test passed" in lines[at] and any("simpleP2P" in line or "peer" in line for line in lines[:at]):
        yield Found("p2p.copy", "ok", at)
