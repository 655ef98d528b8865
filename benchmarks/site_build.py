"""The docs site of the whole knowledge base, against ``python -c pass`` in the same run."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
PAGES = 350


def rows(environment: Path) -> list[list[str]]:
    """A build into an empty folder and one over itself: seconds, per 350 pages, and times the bare process."""
    python, doctor = str(environment / "bin" / "python"), str(environment / "bin" / "gpudoctor")
    bare, fresh, again = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "site"
        command = [doctor, "site", str(target)]
        for number in range(ROUNDS + 1):
            shutil.rmtree(target, ignore_errors=True)
            times = (_time([python, "-c", "pass"]), _time(command), _time(command))
            for kept, spent in zip((bare, fresh, again), times, strict=True):
                if number:
                    kept.append(spent)
        pages = len(list(target.rglob("*.html")))
    base = statistics.median(bare)
    listed = []
    for name, found in (("into an empty folder", fresh), ("again, nothing changed", again)):
        middle = statistics.median(found)
        share = middle * PAGES / pages
        listed.append([name, str(pages), f"{middle:.2f}", f"{share:.2f}", f"{middle / base:.0f}"])
    return listed


def _time(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - started


if __name__ == "__main__":
    for row in rows(Path(sys.prefix)):
        print(*row)
