"""How many questions until the right incident leads: the planner against simpler ways to ask.

The patients are the project's own matching cases, which the reader turns into facts. One of the signs is
told as the complaint; the rest is what the patient knows when asked, and everybody knows with which of the five
complaints they come. A sign that the case does not show is denied, anything else is not known.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path
from statistics import mean, median

from synthetic import synthetic

from gpudoctor.cli.authoring.casetest import load_cases
from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.belief.standing import EXCLUDED, LIKELY
from gpudoctor.engine.facts.values import Value
from gpudoctor.engine.knowledge.records import Laid
from gpudoctor.engine.model import ROADS, Incident
from gpudoctor.engine.rules.conditions import facts_of
from gpudoctor.engine.rules.scale import FREQUENCIES
from gpudoctor.probes.report import Reader

CASES = Path(__file__).resolve().parents[1] / "tests" / "cases"
MOST = 30
PATIENTS = 120

Patient = tuple[str, dict[str, Value]]
Asker = Callable[[Session], "tuple[str, ...]"]
"""The next question: the fact that it asks, and those that the same screen shows; nothing at the end."""


def patients(knowledge: Knowledge) -> list[Patient]:
    """An incident and everything that can be known of the case, for a fixed draw of the matching cases."""
    reader, found = Reader(knowledge), []
    for case in load_cases([CASES]):
        if case.kind == "match":
            session = Session(knowledge)
            for name, value in case.facts.items():
                session.tell(name, value)
            for fact in reader.read([case.report.encode()], ""):
                session.add(fact)
            if session.standings() and session.standings()[0].id == case.incident:
                known = {f.name: f.value for f in session.facts() if f.value is not None}
                roads = [name for name in ROADS if known.get(f"road.{name}") is True]
                roads += sorted(knowledge.concerns.page(case.incident).roads)
                if roads:
                    known["road"] = roads[0]
                found.append((case.incident, known))
            session.close()
    return random.Random(1).sample(found, min(PATIENTS, len(found)))


def conditions(incident: Incident) -> Iterator[str]:
    """The facts that an incident reads."""
    for clause in incident.conditions():
        yield from facts_of(clause.when)


def askers(knowledge: Knowledge) -> dict[str, Asker]:
    """The ways to choose the next question."""
    incidents = [knowledge.incident(name) for name in knowledge.incident_ids]
    readers = Counter(fact for incident in incidents for fact in set(conditions(incident)))
    form = [fact for fact, _ in sorted(readers.items(), key=lambda item: (-item[1], item[0]))]

    def planner(session: Session) -> tuple[str, ...]:
        question = session.next_question()
        return (question.fact, *question.together) if question else ()

    def fixed(session: Session) -> tuple[str, ...]:
        open_facts = (f for f in form if session.is_open(f) and knowledge.vocabulary.spec(f).question)
        return next(((fact,) for fact in open_facts), ())

    def greedy(session: Session) -> tuple[str, ...]:
        standing = [knowledge.incident(s.id) for s in session.standings() if s.standing != EXCLUDED]
        rest = sorted(incidents, key=lambda i: (-FREQUENCIES[i.frequency], i.id))
        for incident in [*standing, *rest]:
            for fact in conditions(incident):
                if session.is_open(fact) and knowledge.vocabulary.spec(fact).question:
                    return (fact,)
        return ()

    return {"planner": planner, "greedy by frequency": greedy, "fixed questionnaire": fixed}


def consult(knowledge: Knowledge, patient: Patient, ask: Asker) -> tuple[int, bool, list[float]]:
    """Questions until the right incident leads and is likely; whether that came; the time of each answer."""
    incident, known = patient
    session = Session(knowledge)
    signs = sorted(
        n
        for n, v in known.items()
        if v is True
        and knowledge.vocabulary.spec(n).sign
        and not n.startswith("road.")  # follows from a sign
    )
    if signs:
        session.tell(signs[0], True)
    asked, spent = 0, []
    while asked < MOST:
        standing = session.standings()
        if standing and standing[0].id == incident and standing[0].standing in (LIKELY, "confirmed"):
            break
        started = time.perf_counter()
        facts = ask(session)
        spent.append(time.perf_counter() - started)
        if not facts:
            break
        asked += 1
        told = [fact for fact in facts if fact in known]
        for fact in told:
            session.tell(fact, known[fact])
        fact = facts[0]
        if told:
            continue
        if knowledge.vocabulary.spec(fact).sign and knowledge.vocabulary.spec(fact).type == "bool":
            session.tell(fact, False)
        else:
            session.cannot_tell(fact)
    standing = session.standings()
    right = bool(standing) and standing[0].id == incident
    session.close()
    return asked, right, spent


def rows() -> list[list[str]]:
    """The table."""
    knowledge = Knowledge.load()
    people = patients(knowledge)
    table = []
    for name, ask in askers(knowledge).items():
        results = [consult(knowledge, person, ask) for person in people]
        spent = [seconds for _, _, times in results for seconds in times] or [0.0]
        table.append(
            [
                name,
                f"{mean(asked for asked, _, _ in results):.1f}",
                f"{median(asked for asked, _, _ in results):.0f}",
                f"{sum(right for _, right, _ in results) / len(results):.2f}",
                f"{median(spent) * 1000:.1f}",
            ]
        )
    weights = [2.0 ** FREQUENCIES[knowledge.incident(i).frequency] for i in knowledge.incident_ids]
    bound = sum(w / sum(weights) * log2(sum(weights) / w) for w in weights)
    table.append(["entropy of the incidents (yes/no questions, nothing known)", f"{bound:.1f}", "", "", ""])
    return table


def pace(size: int = 1_000) -> list[list[str]]:
    """How long the screen waits after an answer, at many incidents: conclude anew and choose the next question."""
    facts, incidents, _ = synthetic(size)
    knowledge = Knowledge(None, Laid({"fact": dict(facts), "incident": {i.id: i for i in incidents}}))
    first, later = [], []
    gc.collect()
    gc.disable()  # as the command does
    for seed in range(8):
        draw, session = random.Random(seed), Session(knowledge)
        started = time.perf_counter()
        question = session.next_question()
        first.append(time.perf_counter() - started)
        for _ in range(12):
            if question is None:
                break
            spec = knowledge.vocabulary.spec(question.fact)
            value: Value = draw.random() < 0.2 if spec.type == "bool" else draw.choice(spec.values)
            started = time.perf_counter()
            session.tell(question.fact, value)
            session.standings()
            question = session.next_question()
            later.append(time.perf_counter() - started)
        session.close()
    gc.enable()
    return [
        [f"{size}", f"{median(first) * 1000:.0f}", f"{median(later) * 1000:.1f}", f"{max(later) * 1000:.0f}"]
    ]


if __name__ == "__main__":
    for row in [*rows(), *pace()]:
        sys.stdout.write(" | ".join(row) + "\n")
