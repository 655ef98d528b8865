"""Diagnosing captures of 1,000 and 10,000 made-up nodes: seconds, memory, and whether the planted faults are found."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import fleetnodes

SIZES = (1_000, 10_000)


def measure(python: str, folder: Path, count: int) -> tuple[float, float, list[str]]:
    """Seconds and megabytes of one whole process, and which planted faults it did not find (or found too much)."""
    faults = fleetnodes.write(folder, count)
    output = folder.parent / f"{count}.json"
    expected = fleetnodes.expected(count)
    command = [python, "-m", "gpudoctor.cli.main", "--facts", str(folder), "--expect", expected]
    started = time.perf_counter()
    pid = os.posix_spawn(python, [*command, "--format", "json", "--output", str(output)], os.environ)
    _, _, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - started
    fleet = json.loads(output.read_text())["fleet"]
    found = {s["fact"]: s["minority"] for s in fleet["skew"]}
    found["missing"] = ",".join(f["node"] for f in fleet["findings"])
    found.pop("rdma.gid_in_use", None)  # goes with the index
    wrong = [name for name in {*faults, *found} if faults.get(name) != found.get(name)]
    return seconds, usage.ru_maxrss / 1024, wrong


def rows(environment: Path) -> list[list[str]]:
    """The table: one row for each size."""
    table = []
    for count in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            python = str(environment / "bin" / "python")
            seconds, memory, wrong = measure(python, Path(folder) / "nodes", count)
        table.append(
            [f"{count}", f"{seconds:.1f}", f"{memory:.0f}", ", ".join(sorted(wrong)) or "all, nothing else"]
        )
    return table


if __name__ == "__main__":
    for row in rows(Path(sys.prefix)):
        print(*row)
