"""The rule engine at 100, 1,000 and 10,000 incidents: durable-rules against the reference matcher."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from synthetic import answers, synthetic

from gpudoctor.engine.rules.durable import DurableJoin, DurableRulesets
from gpudoctor.engine.rules.layout import Layout
from gpudoctor.engine.rules.matcher import Matcher
from gpudoctor.engine.rules.reference import ReferenceMatcher, Ruleset
from gpudoctor.engine.rules.workingmemory import WorkingMemory

SIZES = (100, 1_000, 10_000)
ANSWERS = 60


def measure(engine: str, size: int) -> dict[str, float]:
    """Compile, a first session, more sessions, one answer; in a process of its own for the memory."""
    facts, incidents, program = synthetic(size)
    base = _memory()
    started = time.perf_counter()
    make: Callable[[], Matcher]
    if engine == "durable":
        rulesets, layout = DurableRulesets(), Layout.of(program)
        make = lambda: WorkingMemory(layout, facts.__getitem__, DurableJoin(rulesets))  # noqa: E731
    else:
        ruleset = Ruleset(facts.values(), incidents, facts.__getitem__)
        make = lambda: ReferenceMatcher(ruleset)  # noqa: E731
    make().close()
    compiled = time.perf_counter() - started
    sessions, single = [], []
    for number in range(5):
        matcher = make()
        started = time.perf_counter()
        for name, value in answers(facts, ANSWERS, number):
            before = time.perf_counter()
            matcher.assign(name, value)
            matcher.conclusions()
            single.append(time.perf_counter() - before)
        sessions.append(time.perf_counter() - started)
        matcher.close()
    return {
        "compile": compiled,
        "first": sessions[0],
        "session": statistics.median(sessions),
        "answer": statistics.median(single),
        "worst": max(single),
        "memory": _memory() - base,
    }


def _memory() -> float:
    """Peak memory in MB. Not by getrusage, which counts what the parent held when it started this process."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def rows() -> list[list[str]]:
    """The table: one row for each engine and size."""
    table = []
    for size in SIZES:
        found = {}
        for engine in ("durable", "reference"):
            output = subprocess.run(
                [sys.executable, __file__, engine, str(size)], capture_output=True, text=True, check=True
            )
            found[engine] = json.loads(output.stdout)
        for engine, figures in found.items():
            ratio = figures["session"] / found["reference"]["session"]
            table.append(
                [
                    f"{size}",
                    engine,
                    f"{figures['compile'] * 1000:.1f}",
                    f"{figures['first'] * 1000:.1f}",
                    f"{figures['session'] * 1000:.1f}",
                    f"{ratio:.2f}",
                    f"{figures['answer'] * 1000:.3f}",
                    f"{figures['worst'] * 1000:.1f}",
                    f"{figures['memory']:.0f}",
                ]
            )
    return table


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
