"""``gpudoctor try``: would this remedy help here? Its variables are set in child processes only."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from ...engine import EngineError
from ...engine.model import Remedy
from ...probes.collective import CollectiveError
from ...probes.collective.conclusions import describe
from ...probes.collective.matrix import Run
from ...probes.collective.trial import try_settings
from ..errors import DIAGNOSED, INSUFFICIENT, OK, UsageError
from ..inputs.collectives import options_of
from ..inputs.knowledge import load_knowledge
from ..output import as_json, width_of, write
from ..progress.ranks import StageLine
from ..render.screen import Screen

HELPS, NO_HELP, CANNOT_TELL = "helps", "does not help", "cannot tell"
STATUS = {HELPS: OK, NO_HELP: DIAGNOSED, CANNOT_TELL: INSUFFICIENT}
_STYLES = {HELPS: "bold green", NO_HELP: "bold red", CANNOT_TELL: "bold yellow"}
_PLACEHOLDER = re.compile(r"^(?:IFACE|PATH|[A-Z]+_[A-Z_]+|.*[<>].*)$")


def attempt(arguments: argparse.Namespace) -> int:
    """Run the test without and with the remedy's variables."""
    knowledge = load_knowledge(arguments.kb)
    if arguments.remedy not in knowledge.remedy_ids:
        near = knowledge.search(arguments.remedy)
        hint = next((f"; did you mean {hit.id}?" for hit in near if hit.kind == "remedy"), "")
        raise UsageError(f'there is no remedy "{arguments.remedy}"{hint}')
    try:
        remedy = knowledge.remedy(arguments.remedy)
    except EngineError as error:
        raise UsageError(str(error)) from None
    settings = settings_of(remedy, arguments.set)
    with StageLine(sys.stderr) as line:
        try:
            without, with_it = try_settings(options_of(arguments), settings, line.update, line.announce)
        except CollectiveError as error:
            raise UsageError(str(error)) from None
    document = document_of(remedy, settings, without, with_it)
    write(arguments, _rendered(document, remedy, arguments))
    return STATUS[document["verdict"]]


def settings_of(remedy: Remedy, given: list[str]) -> dict[str, str | None]:
    """What the remedy sets and removes. Raises UsageError where that cannot be tried."""
    settings: dict[str, str | None] = {**dict(remedy.sets), **dict.fromkeys(remedy.unsets)}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not equals or name not in settings:
            listed = ", ".join(settings) or "nothing"
            raise UsageError(f'--set takes NAME=VALUE for a variable of the remedy ({listed}), not "{entry}"')
        settings[name] = value
    if not settings:
        raise UsageError(
            f"{remedy.id} sets no environment variable, so it cannot be tried in child processes: "
            "carry it out, then run gpudoctor verify SESSION.yaml"
        )
    for name, setting in settings.items():
        if setting is not None and _PLACEHOLDER.match(setting):
            raise UsageError(f"{remedy.id} needs a value of yours: --set {name}=VALUE")
    return settings


def document_of(
    remedy: Remedy, settings: dict[str, str | None], without: Run, with_it: Run | None
) -> dict[str, Any]:
    """The result as plain data."""
    verdict, why = _verdict(without, with_it)
    return {
        "schema": "gpudoctor/try/1",
        "remedy": remedy.id,
        "title": remedy.title,
        "settings": settings,
        "verdict": verdict,
        "why": why,
        "without": _run(without),
        "with": _run(with_it) if with_it else None,
    }


def _verdict(without: Run, with_it: Run | None) -> tuple[str, str]:
    if without.outcome is None:
        return CANNOT_TELL, f"the test without it could not be made: {without.note}"
    if not without.bad:
        return CANNOT_TELL, "the test passes without it: there is nothing here that it could cure"
    if with_it is None or with_it.outcome is None:
        return CANNOT_TELL, f"the test with it could not be made: {with_it.note if with_it else ''}"
    if with_it.bad:
        return NO_HELP, f"the test fails with it as well ({with_it.outcome.value})"
    return HELPS, f"the test is {without.outcome.value} without it and passes with it"


def _run(run: Run) -> dict[str, Any]:
    return {
        "outcome": run.outcome.value if run.outcome else None,
        "text": describe(run),
        "transports": list(run.used),
        "bus_gbs": run.outcome.bus_gbs if run.outcome else None,
    }


def _rendered(document: dict[str, Any], remedy: Remedy, arguments: argparse.Namespace) -> Any:
    if arguments.format == "json":
        return as_json(document)
    screen = Screen(width_of(arguments))
    screen.line(document["verdict"].upper(), _STYLES[document["verdict"]])
    screen.spans((remedy.title, "bold"), (f" · {remedy.id}", "dim"))
    screen.paragraph(document["why"], 2)
    screen.line()
    for key in ("without", "with"):
        run = document[key]
        if run is not None:
            screen.paragraph(run["text"], 2, "", f"{run['outcome'] or '-':6} {key:8} ")
    screen.line()
    screen.paragraph(f"Nothing was changed. How to set it for good: gpudoctor explain {remedy.id}", 2)
    if remedy.cost:
        screen.paragraph(f"Cost: {remedy.cost}", 2)
    return screen
