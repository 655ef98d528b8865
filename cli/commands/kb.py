"""``gpudoctor kb``: what authors of knowledge need."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...engine.characters import seen
from ...engine.knowledge import BUILT_IN, Knowledge
from ...engine.knowledge.lint import examine
from ...engine.model import MADE_SIGNS
from ...engine.patterns import keep_no_more
from ..authoring.ledger import overdue
from ..authoring.skeletons import skeleton
from ..content.entries import affected
from ..errors import OK, USAGE, UsageError
from ..inputs.knowledge import load_knowledge
from ..output import write_file
from ..render.screen import table


def kb(arguments: argparse.Namespace) -> int:
    """Dispatch ``kb lint|test|list|links|new``."""
    return {"lint": _lint, "test": _test, "list": _list, "links": _links, "new": _new}[arguments.task](
        arguments
    )


def _lint(arguments: argparse.Namespace) -> int:
    keep_no_more()
    folders = [*arguments.folder, *arguments.kb] or [BUILT_IN]
    examined = [examine(folder) for folder in folders]
    problems = [problem for one in examined for problem in one.problems]
    for problem in problems:
        sys.stdout.write(seen(problem) + "\n")  # it names files, whatever they are called
    if problems:
        sys.stderr.write(f"gpudoctor: {len(problems)} problem{'s' if len(problems) > 1 else ''}\n")
        return USAGE
    sys.stdout.write("no problems\n")
    records = examined[0].records if folders == [BUILT_IN] else None
    if records and (count := len(overdue([*records.incidents.values(), *records.remedies.values()]))):
        sys.stdout.write(f"{count} pages to read against their sources again: gpudoctor kb list --gaps\n")
    return OK


def _test(arguments: argparse.Namespace) -> int:
    from ..authoring.casetest import case_folders, load_cases, run_cases

    overlays = [*arguments.folder, *arguments.kb]
    knowledge = load_knowledge(overlays)
    folders = [Path(name) for name in arguments.cases] or case_folders(overlays)
    cases = [c for c in load_cases(folders) if not arguments.only or c.incident in arguments.only]
    if missing := set(arguments.only or ()) - {c.incident for c in cases}:
        raise UsageError(f"{folders[0]}: there is no case of {', '.join(sorted(missing))}")
    failures = run_cases(knowledge, cases)
    for failure in failures:
        sys.stdout.write(seen(failure) + "\n")
    sys.stdout.write(f"{len(cases)} case{'s' * (len(cases) != 1)}, {len(failures)} not as expected\n")
    return USAGE if failures else OK


def _links(arguments: argparse.Namespace) -> int:
    """Ask for every citation and print what came back; dead links are no failure of this command."""
    from ..authoring.citations import ask_all, citations, report

    cited = citations(load_knowledge(arguments.kb))
    sys.stdout.write(report(cited, ask_all(cited, arguments.timeout)))
    return OK


def _list(arguments: argparse.Namespace) -> int:
    knowledge = load_knowledge(arguments.kb)
    if arguments.gaps:
        from ..authoring.gaps import gaps

        sys.stdout.write("\n".join(gaps(knowledge)) + "\n")
        return OK
    sys.stdout.write("\n".join(table(_rows(knowledge, arguments.kind))) + "\n")
    return OK


def _rows(knowledge: Knowledge, kind: str) -> list[tuple[str, ...]]:
    if kind == "incidents":
        found = [knowledge.incident(name) for name in knowledge.fault_ids]
        return [(i.id, i.family, i.grade, i.title) for i in found]
    if kind == "known-issues":
        found = [knowledge.incident(name) for name in sorted(knowledge.issue_ids)]
        return [(i.id, "; ".join(affected(knowledge, i)), i.severity, i.title) for i in found]
    if kind == "products":
        products = list(map(knowledge.product, knowledge.product_ids))
        return [(p.id, p.title, p.fact, f"{len(p.releases)} releases") for p in products]
    if kind == "pitfalls":
        return [(p.id, p.subject, p.severity, p.title) for p in map(knowledge.pitfall, knowledge.pitfall_ids)]
    if kind == "remedies":
        remedies = [r for r in map(knowledge.remedy, knowledge.remedy_ids) if r.path.startswith("remedies/")]
        return [(r.id, r.kind, r.title) for r in remedies]
    return [(f.name, f.type, f.title) for f in knowledge.facts() if not f.name.startswith(MADE_SIGNS)]


def _new(arguments: argparse.Namespace) -> int:
    from ...engine.model import FAMILIES

    if arguments.family not in FAMILIES:
        raise UsageError(f'--family: "{arguments.family}" is none of {", ".join(FAMILIES)}')
    products = load_knowledge([]).product_ids if arguments.kind == "known-issue" else []
    name, text = skeleton(arguments.kind, arguments.id, arguments.product, products, arguments.family)
    path = Path(arguments.dir) / name
    if path.exists():
        raise UsageError(f"{path}: is there already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    write_file(path, text)
    sys.stdout.write(seen(f"{path}") + "\n")
    return OK
