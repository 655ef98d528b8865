"""Starts gpudoctor for the kit: ``start.py [--from DIR]... [--record FILE] [--pairs] ARGUMENTS``.

``--record`` keeps every run of a collective test with the communication library's own logs, which the test itself
throws away; ``--pairs`` tests every pair of GPUs, which the test does after a baseline that failed only.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Take our own options away and go on as the command does."""
    arguments = sys.argv[1:]
    record, pairs = "", False
    while arguments and arguments[0] in ("--from", "--record", "--pairs"):
        option = arguments.pop(0)
        if option == "--from":
            sys.path.insert(0, arguments.pop(0))
        elif option == "--record":
            record = arguments.pop(0)
        else:
            pairs = True
    sys.argv[1:] = arguments
    if record:
        keep_runs(record, pairs)
    from gpudoctor.cli.main import entry

    entry()


def keep_runs(record: str, pairs: bool) -> None:
    """Have the command write down what it ran."""
    from gpudoctor.cli.inputs import collectives
    from gpudoctor.probes.collective import matrix

    real, follow = collectives.run_collective, matrix.TestSeries.follow

    def also_pairs(course: Any, everything: bool) -> None:
        follow(course, everything)
        if course.pairs is None and course.several and course.plan.nodes == 1:
            course.each_pair()

    def run_collective(*given: Any, **more: Any) -> Any:
        result = real(*given, **more)
        Path(record).write_text(json.dumps(essence(result.tested)))
        return result

    if pairs:
        matrix.TestSeries.follow = also_pairs  # type: ignore[method-assign]
    collectives.run_collective = run_collective


def essence(tested: Any) -> dict[str, Any]:
    """Everything that was run, as plain data."""
    runs = []
    for run in tested.runs:
        end = run.ended.end if run.ended else None
        runs.append(
            {
                "name": run.variant.name,
                "settings": [list(pair) for pair in run.variant.settings],
                "outcome": run.outcome.value if run.outcome else None,
                "text": run.outcome.text if run.outcome else "",
                "note": run.note,
                "used": list(run.used),
                "seconds": end.seconds if end else 0.0,
                "logs": [list(log) for log in end.logs] if end else [],
                "ranks": [
                    {"rank": r.rank, "code": r.code, "events": list(r.events), "output": r.output}
                    for r in (end.ranks if end else ())
                ],
            }
        )
    pairs = tested.pairs
    return {
        "runs": runs,
        "pairs": None if pairs is None else pairs._asdict(),
        "seconds": tested.seconds,
        "devices": list(tested.plan.setup.devices),
        "vllm": tested.plan.interpreter.vllm,
    }


if __name__ == "__main__":
    main()
