"""The collective test's baseline, two gloo ranks, against the import of torch in the same run."""

from __future__ import annotations

import importlib.util
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 5
RANKS = "of that, the ranks from start to end"


def rows(environment: Path) -> list[list[str]]:
    """Median seconds of both, taken in turn; empty where this interpreter has no torch."""
    if importlib.util.find_spec("torch") is None:
        return []
    doctor = str(environment / "bin" / "gpudoctor")
    commands = {
        '`python -c "import torch"`': [sys.executable, "-c", "import torch"],
        "`gpudoctor collective --backend gloo`": [
            *(doctor, "collective", "--backend", "gloo", "--python", sys.executable, "--color", "never"),
        ],
    }
    times: dict[str, list[float]] = {name: [] for name in (*commands, RANKS)}
    for number in range(ROUNDS + 1):
        for name, command in commands.items():
            started = time.perf_counter()
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if number:
                times[name].append(time.perf_counter() - started)
                took = re.search(r"after\s+([\d.]+)\s+s", done.stdout)
                if took:
                    times[RANKS].append(float(took[1]))
    medians = {name: statistics.median(found) for name, found in times.items()}
    base = next(iter(medians.values()))
    return [[name, f"{m:.2f}", f"{m - base:+.2f}", f"{m / base:.2f}"] for name, m in medians.items()]


if __name__ == "__main__":
    for row in rows(Path(sys.prefix)):
        print(*row)
