"""A parser whose help has a sentence, examples and the exit status, and whose errors are one sentence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any, NoReturn, TypeAlias

from ..errors import UsageError
from ..terminal import columns

Group = argparse._ActionsContainer
"""A parser, or a group of its options; argparse names it only so."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Knows how wide the terminal is without ``shutil``, which argparse would import at every start."""

    def __init__(
        self, prog: str, indent_increment: int = 2, max_help_position: int = 24, width: int | None = None
    ) -> None:
        super().__init__(prog, indent_increment, max_help_position, width or columns() - 2)


class CommandParser(argparse.ArgumentParser):
    """A parser whose help has a sentence, examples and the exit status."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"formatter_class": _Help, **options})

    def format_help(self) -> str:
        """As usual, with what the manual says of the command."""
        from ..manual import MANUALS

        manual = MANUALS.get(self.prog.removeprefix("gpudoctor").strip())
        if manual is not None:
            self.description = self.description or manual.sentence
            self.epilog = self.epilog or manual.epilog
        return super().format_help()

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help; argparse passes over what cannot be written."""
        stream = file or sys.stderr
        stream.write(message)
        stream.flush()

    def error(self, message: str) -> NoReturn:
        """One sentence instead of the usage."""
        argument, _, wrong = message.removeprefix("argument ").partition(": ")
        if wrong in ("expected one argument", "expected at least one argument"):
            message = f"{argument} needs a value"
        raise UsageError(f"{message} (try {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual; what a command does not know is named with what was probably meant."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            name = unknown[0].partition("=")[0]
            if not name.startswith("-"):
                raise UsageError(
                    f"{name} was not expected here; put all files together, before the options (try {self.prog} --help)"
                )
            near = nearest(name, self._option_string_actions)
            meant = f"; did you mean {near}?" if near else ""
            raise UsageError(f"{self.prog} does not know {name}{meant} (try {self.prog} --help)")
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            name = "/".join(action.option_strings) or action.metavar or action.dest
            raise UsageError(
                f"{name} takes {', '.join(action.choices)}, not {value!r} (try {self.prog} --help)"
            )


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that was probably meant, or nothing."""
    import difflib

    return next(iter(difflib.get_close_matches(word, names, 1, cutoff=0.7)), "")


Commands: TypeAlias = "argparse._SubParsersAction[CommandParser]"
"""What commands are added to; argparse names it only so."""
