"""``make eval``: how often the right incident comes first on a folder of labelled cases.

A case is YAML with ``report``, ``facts``, ``symptoms``, ``cause`` and ``also_acceptable``. Prints the rank of
the cause with and without the facts, recall and precision of the symptoms that are read from reports, and those of
sentences that were labelled by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import sentences
import yaml

from gpudoctor.cli.render.report.terminal import brief_report, first_command
from gpudoctor.cli.render.screen import Screen
from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.facts.factsfile import statements_from
from gpudoctor.probes.report import Reader

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
EXTRAS = Path(__file__).resolve().parent / "accepted-extras.yaml"


def load(folder: Path, causes: list[str]) -> list[dict[str, Any]]:
    """The cases, or those of some causes."""
    cases = [yaml.safe_load(path.read_text()) | {"file": path.stem} for path in sorted(folder.glob("*.yaml"))]
    return [c for c in cases if not causes or c["cause"] in causes]


def diagnose(knowledge: Knowledge, reader: Reader, case: dict[str, Any], with_facts: bool) -> dict[str, Any]:
    """The diagnosis of one case."""
    session = Session(knowledge)
    if with_facts:
        facts = {name: str(value) for name, value in case["facts"].items()}
        for statement in statements_from(facts, "facts", knowledge.vocabulary.spec):
            session.add(statement)
    for fact in reader.read([case["report"].encode()], "report"):
        session.add(fact)
    document = session.diagnosis().to_dict()
    session.close()
    return document


def acceptable(case: dict[str, Any]) -> set[str]:
    """The causes that count as right."""
    return {case["cause"], *case.get("also_acceptable", [])}


def rank(
    knowledge: Knowledge, reader: Reader, cases: list[dict[str, Any]], with_facts: bool, show: bool
) -> None:
    """Print how often the cause comes first or among the first three."""
    first = third = sure = 0
    screens: list[Screen] = []
    known = [c for c in cases if c["cause"] != "unknown"]
    for case in cases:
        document = diagnose(knowledge, reader, case, with_facts)
        screens.append(brief_report(document, 100))
        incidents = document["incidents"]
        ids = [i["id"] for i in incidents]
        wrong = [i["id"] for i in incidents if i["standing"] == "confirmed"]
        is_sure = bool(wrong) and not acceptable(case) & set(wrong)
        sure += is_sure
        if case["cause"] == "unknown":
            continue
        hit = bool(ids) and ids[0] in acceptable(case)
        first += hit
        third += bool(acceptable(case) & set(ids[:3]))
        if show and (not hit or is_sure):
            listed = [f"{i['id']}:{i['standing'][0]}{i['score']:g}" for i in incidents[:4]]
            print(f"   {case['file']}: want {case['cause']}, got {listed}{'  SURE' if is_sure else ''}")
    count = max(len(known), 1)
    print(
        f"{'with' if with_facts else 'without'} facts: {len(known)} cases, top1 {first / count:.3f}, "
        f"top3 {third / count:.3f}, wrong and sure {sure}"
    )
    if screens:
        print(length(screens))


def length(screens: list[Screen]) -> str:
    """How long the default text is at 100 columns, and where its first command stands."""
    lines, commands = [len(s.lines) for s in screens], [first_command(s) for s in screens]
    return (
        f"text: median {median(lines):g} lines, longest {max(lines)}; first command on line {median(commands):g}, "
        f"last on {max(commands)}"
    )


def symptoms(reader: Reader, knowledge: Knowledge, cases: list[dict[str, Any]], show: bool) -> None:
    """Print recall and precision of symptoms read from the report alone."""
    extras = yaml.safe_load(EXTRAS.read_text()) if EXTRAS.is_file() else {}
    labels = {name for c in cases for name in c["symptoms"]}
    found_right = wanted = extra = accepted = told = heard = 0
    missed: Counter[str] = Counter()
    wide: Counter[str] = Counter()
    for case in cases:
        got = _found(reader, knowledge, case["report"])
        label = set(case["symptoms"])
        from_log = {s for s in label if _recognisable(knowledge, s)}
        wanted += len(from_log)
        found_right += len(from_log & got)
        told += len(label - from_log)
        heard += len((label - from_log) & got)
        missed.update(from_log - got)
        allowed = set(extras.get(case["file"], ()))
        for name in sorted(got - label):
            if name in labels or name in allowed:
                extra += name not in allowed
                accepted += name in allowed
                wide[name] += name not in allowed
                if show and name not in allowed:
                    print(f"   {case['file']}: {name} is not among {sorted(label)}")
        if show and from_log - got:
            print(f"   {case['file']}: missed {sorted(from_log - got)}")
    right = found_right + heard + accepted
    print(
        f"symptoms: recall {found_right / max(wanted, 1):.3f} of {wanted}, precision "
        f"{right / max(right + extra, 1):.3f} with {accepted} accepted extras; "
        f"in people's own words recall {heard / max(told, 1):.3f} of {told}"
    )
    if show:
        print("   missed:", dict(missed), "\n   wide:", dict(wide))


def _found(reader: Reader, knowledge: Knowledge, report: str) -> set[str]:
    """Symptoms that the report shows, or that rules conclude from what it shows."""
    session = Session(knowledge, "reference")
    for fact in reader.read([report.encode()], "report"):
        session.add(fact)
    held = {
        s.name.removeprefix("symptom.")
        for s in session.facts()
        if s.name.startswith("symptom.") and s.value is True
    }
    session.close()
    return held


def _recognisable(knowledge: Knowledge, symptom: str) -> bool:
    name = f"symptom.{symptom}"
    if name not in knowledge.vocabulary:
        return True
    signatures = knowledge.vocabulary.spec(name).signatures
    return any(not s.words for s in signatures)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--cause", action="append", default=[], help="only cases of this cause; may repeat")
    parser.add_argument("--show", action="store_true", help="print what was wrong")
    arguments = parser.parse_args()
    if not arguments.cases.is_dir():
        raise SystemExit(f"{arguments.cases}: there are no cases; name a folder with --cases")
    cases = load(arguments.cases, arguments.cause)
    knowledge = Knowledge.load()
    reader = Reader(knowledge)
    for with_facts in (True, False):
        rank(knowledge, reader, cases, with_facts, arguments.show)
    symptoms(reader, knowledge, cases, arguments.show)
    sys.stdout.write(f"sentences by likeness: {sentences.score(knowledge)}\n")
    sys.stdout.write(f"sentences, everything read: {sentences.score(knowledge, reader)}\n")


if __name__ == "__main__":
    main()
