"""Whole processes against ``python -c pass`` in the same run."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FACTS = str(ROOT / "tests" / "reports" / "mi300x-ray.facts.yaml")
STACK = str(ROOT / "tests" / "audit" / "stacks" / "h100-vllm-0.10.yaml")
REPORT = str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
ROUNDS = 21


def commands(environment: Path) -> dict[str, list[str]]:
    """What is timed, with the interpreter and the command of an environment."""
    doctor = str(environment / "bin" / "gpudoctor")
    return {
        "python -c pass": [str(environment / "bin" / "python"), "-c", "pass"],
        "gpudoctor --version": [doctor, "--version"],
        "gpudoctor --facts": [doctor, "--facts", FACTS],
        "gpudoctor --facts --format json": [doctor, "--facts", FACTS, "--format", "json"],
        "gpudoctor --facts --engine reference": [doctor, "--facts", FACTS, "--engine", "reference"],
        "gpudoctor audit --facts": [doctor, "audit", "--facts", STACK],
        "gpudoctor --report": [doctor, "--report", REPORT],
    }


def rows(environment: Path) -> list[list[str]]:
    """Each command, warm, in turn: CPU time (user and system, the median), its ratio to the first.

    CPU time and not the clock, because other processes use the machine as well.
    """
    listed = commands(environment)
    times: dict[str, list[float]] = {name: [] for name in listed}
    for number in range(ROUNDS + 2):
        for name, command in listed.items():
            spent = cpu_seconds(command)
            if number >= 2:
                times[name].append(spent)
    base = statistics.median(times["python -c pass"])
    return [
        [f"`{name}`", f"{statistics.median(found) * 1000:.1f}", f"{statistics.median(found) / base:.1f}"]
        for name, found in times.items()
    ]


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def beside(today: list[list[str]], tenfold: list[list[str]]) -> list[list[str]]:
    """The rows of today and of the tenfold knowledge base in one table."""
    return [[*one, *many[1:]] for one, many in zip(today, tenfold, strict=True)]


if __name__ == "__main__":
    for row in rows(Path(sys.prefix)):
        print(*row)
