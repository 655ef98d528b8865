"""``gpudoctor man``: the manual page, made from the parser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from ..arguments import build_parser
from ..errors import OK
from ..manual import MANUALS, Manual
from ..version import VERSION


def man(arguments: argparse.Namespace) -> int:
    """Print the page as troff."""
    sys.stdout.write("\n".join(page(build_parser())) + "\n")
    return OK


def page(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The lines of the page: the program, then each command with its options, examples and status."""
    yield f'.TH GPUDOCTOR 1 "" "gpudoctor {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield "gpudoctor \\- finds out why a multi\\-GPU job hangs, crashes or computes garbage"
    yield ".SH SYNOPSIS"
    yield ".B gpudoctor\n[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR ...]"
    yield ".SH DESCRIPTION"
    yield _safe(MANUALS[""].sentence)
    yield ".SH OPTIONS"
    yield from _options(parser)
    yield ".SH COMMANDS"
    yield from _commands(parser, "")
    yield ".SH EXAMPLES"
    yield from _lines(MANUALS[""].examples)
    yield ".SH EXIT STATUS"
    yield from _lines(tuple(MANUALS[""].status.split("; ")))


def _commands(parser: argparse.ArgumentParser, above: str) -> Iterator[str]:
    """The commands of a parser, each with its tasks behind it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for task, command in action.choices.items():
                name = f"{above} {task}".strip()
                yield f".SS gpudoctor {_safe(name)}"
                yield _safe(MANUALS[name].sentence)
                yield from _options(command)
                yield from _examples(MANUALS[name])
                yield from _commands(command, name)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            continue
        value = "" if action.nargs == 0 else f" \\fI{_safe(_value(action))}\\fR"
        names = ", ".join(f"\\fB{_safe(name)}\\fR{value}" for name in action.option_strings)
        yield ".TP"
        yield names or value.strip()
        yield _safe((action.help or "").replace("%%", "%"))


def _value(action: argparse.Action) -> str:
    if action.metavar:
        return str(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _examples(manual: Manual) -> Iterator[str]:
    yield ".PP\nExamples:"
    yield from _lines(manual.examples)
    yield ".PP\nExit status: " + _safe(manual.status) + "."


def _lines(lines: tuple[str, ...]) -> Iterator[str]:
    yield ".nf\n.RS"
    yield from map(_safe, lines)
    yield ".RE\n.fi"


def _safe(text: str) -> str:
    """Text in which nothing is troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
