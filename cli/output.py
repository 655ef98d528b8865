"""Where results go and in which form: ``--format``, ``--output`` and standard output."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from .errors import UsageError


def as_json(document: Mapping[str, Any]) -> str:
    """A document as it is printed and saved."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def width_of(arguments: argparse.Namespace) -> int:
    """The columns to lay out for: a file has those of an ordinary terminal."""
    from .render.screen import terminal_width
    from .terminal import WIDTH

    return WIDTH if getattr(arguments, "output", None) else terminal_width(sys.stdout)


def render(document: dict[str, Any], arguments: argparse.Namespace) -> Any:
    """The diagnosis in the chosen format: a string, or a screen for a terminal."""
    if getattr(arguments, "site_url", None):
        from .content.addresses import add_pages

        add_pages(document, arguments.site_url)
    if arguments.format == "json":
        return as_json(document)
    if arguments.format == "prometheus":
        from .render.metrics import metrics

        return metrics(document)
    full = getattr(arguments, "full", False)
    if arguments.format == "markdown":
        from .render.report.markdown import markdown_report

        if full:
            from .render.report.forms import ISSUE

            return markdown_report(document, ISSUE)
        return markdown_report(document)
    from .language import Language, preferred
    from .render.report.terminal import brief_report, text_report

    show = text_report if full else brief_report
    return show(document, width_of(arguments), Language(arguments.lang or preferred()))


def write_file(name: str | os.PathLike[str], content: str) -> None:
    """Write a file whole or not at all. Raises UsageError."""
    from ..engine.writing import WritingError, write_whole

    try:
        write_whole(name, content)
    except WritingError as error:
        raise UsageError(str(error)) from None


def write(arguments: argparse.Namespace, content: Any) -> None:
    """Write to ``--output`` or standard output."""
    from .render.screen import Screen, paint, wants_color

    if arguments.output:
        text = content.plain() if isinstance(content, Screen) else content
        write_file(arguments.output, text)
    else:
        from .render.pager import paged

        color = isinstance(content, Screen) and wants_color(arguments.color, sys.stdout)
        with paged(getattr(arguments, "full", False)) as stream:
            if isinstance(content, Screen):
                paint(content, stream, color)
            else:
                stream.write(content)
    sys.stdout.flush()
