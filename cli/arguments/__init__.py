"""The command line: every command and option, for the parser and for the documentation."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..errors import UsageError
from .options import add_diagnosing
from .parser import CommandParser, nearest

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
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=CommandParser, prog=parser.prog
    )
    named = {*_COMMANDS} & {*(argv or ())}
    every = argv is None or (not named and not {*_HELP}.isdisjoint(argv))
    for name, module in _COMMANDS.items():
        if every or name in named:
            getattr(import_module(f".{module}", __name__), f"add_{name}")(commands)
    return parser


class _Doctor(CommandParser):
    """The parser of the program itself, which knows what commands there are."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual; an unknown option before a command is named, not its value taken for the command."""
        self._check_options(args or ())
        return super().parse_known_args(args, namespace)

    def _check_options(self, given: Sequence[str]) -> None:
        for word in given:
            name = word.partition("=")[0]
            if word in _COMMANDS or word == "--":
                return
            if (
                name.startswith("--")
                and not self._get_option_tuples(name)
                and name not in self._option_string_actions
            ):
                near = nearest(name, self._option_string_actions)
                meant = f"did you mean {near}?" if near else "an option of a command goes behind the command"
                raise UsageError(f"there is no option {name} here; {meant} (try {self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.dest == "command" and value not in _COMMANDS:
            word = " ".join(str(value).split())
            raise UsageError(f'there is no command "{word}"; {_meant(word)}')
        super()._check_value(action, value)


def _meant(word: str) -> str:
    """What somebody wanted who wrote this where a command is expected."""
    if os.path.exists(word):
        import shlex

        return f"to have a log read: gpudoctor --report {shlex.quote(word)}"
    if near := nearest(word, _COMMANDS):
        return f"did you mean {near}?"
    return f"there are {', '.join(_COMMANDS)}; a log goes behind --report"
