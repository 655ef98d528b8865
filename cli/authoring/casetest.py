"""``gpudoctor kb test``: the case files of a knowledge base, run through the reader and the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ...engine import EngineError, Knowledge, Session
from ...engine.diagnosis.judging import judge
from ...engine.facts.factsfile import statements_from
from ...engine.knowledge.casefile import Case, read_cases
from ...probes.report import Reader
from ..errors import UsageError
from ..progress.counting import counted

IN_CHECKOUT = Path("tests") / "cases"
BESIDE_OVERLAY = "cases"


def case_folders(overlays: list[str]) -> list[Path]:
    """Where the cases lie: beside each overlay, or in this checkout."""
    if overlays:
        return [Path(folder) / BESIDE_OVERLAY for folder in overlays]
    return [IN_CHECKOUT]


def load_cases(folders: list[Path]) -> list[Case]:
    """Every case of the folders. Raises UsageError."""
    cases: list[Case] = []
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder}: there are no cases")
        for path in sorted(folder.glob("*.yaml")):
            try:
                cases += read_cases(path.read_text(encoding="utf-8"), str(path))
            except (EngineError, OSError, UnicodeDecodeError) as error:
                raise UsageError(str(error)) from None
    return cases


def run_cases(knowledge: Knowledge, cases: list[Case]) -> list[str]:
    """One sentence for each case that does not come out as expected."""
    reader = Reader(knowledge)
    failures = []
    for case in counted(cases, "cases", sys.stderr):
        if case.incident not in knowledge.incident_ids:
            failures.append(f'{case.where}: there is no incident "{case.incident}"')
            continue
        try:
            document = run_case(knowledge, reader, case)
        except EngineError as error:
            failures.append(f"{case.where}: {case.kind} {case.name!r}: {error}")
            continue
        failures += [f"{case.where}: {case.kind} {case.name!r}: {wrong}" for wrong in judge(case, document)]
    return failures


def run_case(knowledge: Knowledge, reader: Reader, case: Case) -> dict[str, Any]:
    """The diagnosis of one case."""
    session = Session(knowledge)
    try:
        for statement in statements_from(case.facts, case.where, knowledge.vocabulary.spec):
            session.add(statement)
        for fact in reader.read([case.report.encode()], "report"):
            session.add(fact)
        return session.diagnosis().to_dict()
    finally:
        session.close()
