"""Commands for a job that runs: run, attach."""

from __future__ import annotations

import argparse

from .options import add_history, add_knowledge, add_language, add_output, add_results
from .parser import CommandParser, Commands
from .values import hang_after, process, seconds


def add_run(commands: Commands) -> None:
    """``gpudoctor run``."""
    run = commands.add_parser(
        "run",
        help="start a job and watch it; diagnose it if it hangs or fails",
    )
    run.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the job and its arguments"
    )
    run.add_argument(
        "--hang-after",
        type=hang_after,
        default=30.0,
        metavar="SECONDS",
        help="report a hang after this time without output or progress (default: 30)",
    )
    run.add_argument("--kill-on-hang", action="store_true", help="if the job hangs, end it cleanly")
    run.add_argument("--no-env", action="store_true", help="add nothing to the job's environment")
    add_history(run, "when the job has ended well")
    _add_bedside(run)


def add_attach(commands: Commands) -> None:
    """``gpudoctor attach``."""
    attach = commands.add_parser("attach", help="show where the ranks of a running job are, and why it hangs")
    attach.add_argument(
        "pids",
        nargs="*",
        type=process,
        metavar="PID",
        help="a process of the job; its children are included",
    )
    attach.add_argument("--all", action="store_true", help="every job on this machine, each by itself")
    attach.add_argument(
        "--seconds", type=seconds, default=8.0, metavar="S", help="how long to look at it (default: 8)"
    )
    attach.add_argument(
        "--native", action="store_true", help="include calls inside libraries; pauses the job for seconds"
    )
    _add_bedside(attach)


def _add_bedside(parser: CommandParser) -> None:
    parser.add_argument(
        "--evidence",
        metavar="DIR",
        help="where to keep the captures; use a shared folder for several nodes (default: .)",
    )
    add_results(parser)
    add_language(parser)
    add_knowledge(parser)
    add_output(parser)
