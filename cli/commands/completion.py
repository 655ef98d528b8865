"""``gpudoctor completion``: what makes a shell complete commands, options and ids."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ...engine import Knowledge
from ..errors import OK, UsageError

_MISSING = "completion needs argcomplete: pip install 'gpudoctor[completion]'"


def completion(arguments: argparse.Namespace) -> int:
    """Print the code that the shell reads at its start."""
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        raise UsageError(_MISSING) from None
    sys.stdout.write(shellcode(["gpudoctor"], shell=arguments.shell) + "\n")
    return OK


def complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, which asks by a variable, and leave; nothing where argcomplete is not installed."""
    try:
        import argcomplete  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return
    _give_ids(parser)
    argcomplete.autocomplete(parser, always_complete_options="long")


def _give_ids(parser: argparse.ArgumentParser) -> None:
    """Where an id is wanted, the ids of the knowledge base are offered."""
    wanted = {"explain": ("id", entry_ids), "try": ("remedy", remedy_ids)}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, (name, ids) in wanted.items():
                for argument in action.choices[command]._actions:
                    if argument.dest == name:
                        setattr(argument, "completer", ids)  # noqa: B010 - argcomplete looks for it


def entry_ids(prefix: str, **_: Any) -> list[str]:
    """Every id that begins so."""
    knowledge = Knowledge.load()
    listed = (knowledge.incident_ids, knowledge.remedy_ids, knowledge.product_ids, knowledge.vocabulary.names)
    return [name for names in listed for name in names if name.startswith(prefix)]


def remedy_ids(prefix: str, **_: Any) -> list[str]:
    """Remedies that begin so and that set variables, which is what can be tried."""
    knowledge = Knowledge.load()
    found = (knowledge.remedy(name) for name in knowledge.remedy_ids if name.startswith(prefix))
    return [remedy.id for remedy in found if remedy.sets or remedy.unsets]
