"""``gpudoctor kb``: what authors of knowledge need."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..engine.knowledge import BUILT_IN, Knowledge
from ..engine.lint import lint
from .diagnose import load_knowledge
from .errors import OK, USAGE, UsageError
from .paint import table
from .skeletons import skeleton


def run(arguments: argparse.Namespace) -> int:
    """Dispatch ``kb lint|test|list|links|new``."""
    return {"lint": _lint, "test": _test, "list": _list, "links": _links, "new": _new}[arguments.task](
        arguments
    )


def _lint(arguments: argparse.Namespace) -> int:
    folders = [*arguments.folder, *arguments.kb] or [BUILT_IN]
    problems = lint(*folders)
    for problem in problems:
        sys.stdout.write(problem + "\n")
    if problems:
        sys.stderr.write(f"gpudoctor: {len(problems)} problem{'s' if len(problems) > 1 else ''}\n")
        return USAGE
    sys.stdout.write("no problems\n")
    return OK


def _test(arguments: argparse.Namespace) -> int:
    from .casetest import case_folders, load_cases, run_cases

    overlays = [*arguments.folder, *arguments.kb]
    knowledge = load_knowledge(overlays)
    folders = [Path(name) for name in arguments.cases] or case_folders(overlays)
    cases = [c for c in load_cases(folders) if not arguments.only or c.incident in arguments.only]
    if missing := set(arguments.only or ()) - {c.incident for c in cases}:
        raise UsageError(f"{folders[0]}: there is no case of {', '.join(sorted(missing))}")
    failures = run_cases(knowledge, cases)
    for failure in failures:
        sys.stdout.write(failure + "\n")
    sys.stdout.write(f"{len(cases)} case{'s' * (len(cases) != 1)}, {len(failures)} not as expected\n")
    return USAGE if failures else OK


def _links(arguments: argparse.Namespace) -> int:
    from .citations import links

    return links(arguments)


def _list(arguments: argparse.Namespace) -> int:
    knowledge = load_knowledge(arguments.kb)
    if arguments.gaps:
        from .gaps import gaps

        sys.stdout.write("\n".join(gaps(knowledge)) + "\n")
        return OK
    sys.stdout.write("\n".join(table(_rows(knowledge, arguments.kind))) + "\n")
    return OK


def _rows(knowledge: Knowledge, kind: str) -> list[tuple[str, ...]]:
    if kind == "incidents":
        found = [knowledge.incident(name) for name in knowledge.incident_ids]
        return [(i.id, i.family, i.grade, i.title) for i in found]
    if kind == "remedies":
        return [(r.id, r.kind, r.title) for r in map(knowledge.remedy, knowledge.remedy_ids)]
    return [(f.name, f.type, f.title) for f in knowledge.facts()]


def _new(arguments: argparse.Namespace) -> int:
    name, text = skeleton(arguments.kind, arguments.id)
    path = Path(arguments.dir) / name
    if path.exists():
        raise UsageError(f"{path}: is there already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    sys.stdout.write(f"{path}\n")
    return OK
