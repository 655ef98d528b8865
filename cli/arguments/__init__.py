"""The command line: every command and option, for the parser and for the documentation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

from ..errors import UsageError
from .options import add_diagnosing
from .parser import Parser

_COMMANDS = {
    "audit": "knowing",
    "probe": "measuring",
    "capture": "measuring",
    "run": "bedside",
    "attach": "bedside",
    "diff": "knowing",
    "fleet": "measuring",
    "collective": "measuring",
    "verify": "measuring",
    "try": "measuring",
    "explain": "knowing",
    "search": "knowing",
    "kb": "authoring",
    "site": "authoring",
    "schema": "knowing",
    "completion": "authoring",
    "man": "authoring",
}
"""Every command, with the module that adds it."""
_HELP = ("-h", "--help")


def build_parser(argv: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of every command; with ``argv``, of the one command that it names, which is quicker."""
    parser = _Doctor(prog="gpudoctor")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    add_diagnosing(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser, prog=parser.prog)
    for name, module in _COMMANDS.items():
        if argv is None or name in argv or not {*_COMMANDS, *_HELP}.isdisjoint(argv):
            getattr(import_module(f".{module}", __name__), f"add_{name}")(commands)
    return parser


class _Doctor(Parser):
    """The parser of the program itself, which knows what commands there are."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.dest == "command" and value not in _COMMANDS:
            raise UsageError(
                f'there is no command "{value}"; there are {", ".join(_COMMANDS)}; a log goes behind --report'
            )
        super()._check_value(action, value)
