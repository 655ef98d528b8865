"""Why it was concluded, why this is asked, why something is not the case, and what would follow if.

Each explanation is computed from the rules and the facts of a session; none is a text of its own.
"""

from __future__ import annotations

from ..belief import EXCLUDED, Standing
from ..consultation import Consultation
from ..facts import Settled, Value
from ..model import Condition
from ..questions import Planner
from ..rules import Truth, evaluate, facts_of, witnesses, words
from ..tuples import NamedTuple


class RuleLine(NamedTuple):
    """One entry of an incident's rules and what is known of it: true, false, or None."""

    slot: str
    weight: str
    text: str
    holds: Truth
    facts: tuple[Settled, ...]


class WhyNot(NamedTuple):
    """Why an incident does not lead.

    ``state`` is its standing, or ``not considered``; ``against`` are the facts that rule it out, ``absent`` the
    signs known to be missing, ``open`` the signs of which nobody spoke.
    """

    state: str
    against: tuple[Settled, ...]
    absent: tuple[str, ...]
    open: tuple[str, ...]
    leader: str


class Consequence(NamedTuple):
    """An incident whose standing or score an answer would change; None where it is not considered."""

    incident: str
    before: Standing | None
    after: Standing | None


def how(session: Consultation, incident_id: str) -> list[RuleLine]:
    """HOW was this concluded: every rule of an incident, with the facts that decide it."""
    lines = []
    for slot, _, weight, when in session.knowledge.incident(incident_id).conditions():
        holds = evaluate(when, session.truth)
        lines.append(RuleLine(slot, weight, words(when), holds, _under(session, when, holds)))
    return lines


def _under(session: Consultation, condition: Condition, holds: Truth) -> tuple[Settled, ...]:
    if holds is None:
        return ()
    names = dict.fromkeys(f for test in witnesses(condition, session.truth, holds) for f in test.reads)
    return tuple(found for name in names if (found := session.settled(name)) is not None)


def why(session: Consultation, planner: Planner, fact: str) -> list[tuple[Value, list[Consequence]]]:
    """WHY this question: for each answer that the rules can tell apart, what it would change."""
    spec = session.knowledge.vocabulary.spec(fact)
    outlook = planner.outlook
    knowledge = session.knowledge
    copies = [p.in_use for p in map(knowledge.product, knowledge.product_ids) if p.fact == fact]
    answers: dict[Value, None] = {}
    for read in (fact, *copies):
        readers = [name for name in knowledge.incident_ids if read in outlook.reads(name)]
        if readers or not copies:
            as_read = spec if read == fact else knowledge.vocabulary.spec(read)
            answers.update(dict.fromkeys(outlook.answers(as_read, readers)))
    return [(answer, what_if(session, fact, answer)) for answer in answers]


def why_not(session: Consultation, incident_id: str) -> WhyNot:
    """WHY NOT this incident."""
    incident = session.knowledge.incident(incident_id)
    standings = session.standings()
    own = next((s for s in standings if s.id == incident_id), None)
    against: dict[str, Settled] = {}
    absent: list[str] = []
    open_facts: dict[str, None] = {}
    for line, clause in zip(how(session, incident_id), incident.conditions(), strict=True):
        if (line.slot, line.holds) in (("excludes", True), ("requires", False)):
            against.update((f.name, f) for f in line.facts)
        elif line.slot == "suggests" and line.holds is False:
            absent.append(line.text)
        elif line.slot in ("suggests", "confirms") and line.holds is None:
            open_facts.update((f, None) for f in facts_of(clause.when) if session.is_open(f))
    state = EXCLUDED if against else own.standing if own else "not considered"
    leader = next((s.id for s in standings if s.standing != EXCLUDED), "")
    return WhyNot(state, tuple(against.values()), tuple(absent), tuple(open_facts), leader)


def what_if(session: Consultation, fact: str, value: object) -> list[Consequence]:
    """WHAT IF a fact had this value: the incidents whose standing would change. Nothing is kept.

    Raises FactError for a value that the fact's type does not allow.
    """
    other = Consultation(session.knowledge, session.engine)
    try:
        for statement in session.statements():
            if statement.name != fact:
                other.add(statement)
        other.tell(fact, value)
        before = {s.id: s for s in session.standings() if _speaks(s)}
        after = {s.id: s for s in other.standings() if _speaks(s)}
    finally:
        other.close()
    changed = [
        Consequence(name, before.get(name), after.get(name))
        for name in {**after, **before}
        if _key(before.get(name)) != _key(after.get(name))
    ]
    return sorted(changed, key=lambda c: (-(c.after.score if c.after else -99.0), c.incident))


def _speaks(standing: Standing) -> bool:
    """Whether an entry speaks for or against it: what merely fits or resembles changes with every answer."""
    return bool(standing.entries)


def _key(standing: Standing | None) -> tuple[str, float] | None:
    return None if standing is None else (standing.standing, standing.evidence)
