"""The collective test as every command and the conversation run it, with its progress."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from ...engine import Knowledge
from ...engine.facts import Statement
from ...probes.collective import CollectiveError, CollectiveResult, Options, run_collective
from ...probes.collective.report import log_facts
from ...probes.collective.runs import STALL
from ..errors import UsageError
from ..progress.ranks import StageLine


def options_of(arguments: argparse.Namespace, **more: Any) -> Options:
    """What the command line asks for."""
    return Options(
        backend=arguments.backend,
        ranks=arguments.ranks,
        budget=arguments.budget,
        python=arguments.python or "",
        yes=arguments.yes,
        stall=STALL,
        **{
            "matrix": getattr(arguments, "matrix", False),
            "join": getattr(arguments, "join", None) or "",
            "node": getattr(arguments, "node", 0),
            "nodes": getattr(arguments, "node_count", 1),
            **more,
        },
    )


def run_test(options: Options) -> CollectiveResult:
    """Run the test with its progress on standard error. Raises UsageError where no test can be made."""
    with StageLine(sys.stderr) as line:
        try:
            return run_collective(options, line.update, line.announce)
        except CollectiveError as error:
            raise UsageError(str(error)) from None


def on_request(knowledge: Knowledge, python: str | None = None) -> Callable[[], list[Statement]]:
    """The test as the conversation calls it; what it calls raises UsageError where no test can be made."""

    def tested() -> list[Statement]:
        result = run_test(Options(python=python or "", stall=STALL))
        return [*result.statements, *log_facts(result.tested, knowledge)]

    return tested
