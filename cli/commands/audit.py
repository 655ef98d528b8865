"""``gpudoctor audit``: what will go wrong before it does."""

from __future__ import annotations

import argparse
import os

from ...engine.audit import audit as judge
from ...engine.audit.suppressions import FILE, Suppression, read_suppressions
from ...engine.errors import EngineError
from ..errors import UsageError
from ..inputs.knowledge import load_knowledge
from ..inputs.specs import subjects_of
from ..inputs.texts import read_text
from ..output import as_json, width_of, write

_LARGEST = 1 << 20


def audit(arguments: argparse.Namespace) -> int:
    """Read everything, judge, print. Nothing is printed if any input is bad."""
    if [*arguments.facts, *arguments.spec].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    machine = arguments.probe or arguments.root or arguments.captured or arguments.pid or arguments.python
    if not (arguments.spec or arguments.facts or machine):
        raise UsageError(
            "there is nothing to audit: name a spec, --facts FILE or --probe (try gpudoctor audit --help)"
        )
    knowledge = load_knowledge(arguments.kb)
    try:
        suppressions = _suppressions(arguments.config)
        found = judge(knowledge, subjects_of(knowledge, arguments), suppressions)
    except EngineError as error:
        raise UsageError(str(error)) from None
    document = found.to_dict()
    if arguments.format == "json":
        content: object = as_json(document)
    elif arguments.format == "sarif":
        from ..render.audit.sarif import sarif

        content = as_json(sarif(document))
    elif arguments.format == "markdown":
        from ..render.audit.markdown import markdown

        content = markdown(document)
    else:
        from ..render.audit.terminal import terminal

        content = terminal(document, width_of(arguments), arguments.full)
    write(arguments, content)
    return found.exit_status(arguments.fail_on)


def _suppressions(name: str | None) -> list[Suppression]:
    if name is None and not os.path.isfile(FILE):
        return []
    return read_suppressions(read_text(name or FILE, _LARGEST), name or FILE)
