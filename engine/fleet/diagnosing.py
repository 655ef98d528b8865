"""One diagnosis for many nodes: a session for each distinct set of facts, joined into one document.

What rules see of two nodes may be equal though their facts are not; such nodes share a session, so the work
grows with the number of different faults and not with the number of nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ..belief import CONFIRMED_STANDING, STANDINGS, Standing, ranked
from ..diagnosis import Diagnosis
from ..diagnosis import document as parts
from ..diagnosis.beside import gaps_part, unexplained_part, warnings_part
from ..diagnosis.document import LISTED
from ..diagnosis.incidents import Json, fact_part, incident_part, ruled_out_part
from ..diagnosis.verdict import conclude, verdict_of
from ..facts import ERROR_LINE, PROBE, CannotTell, Fact, Origin, Statement
from ..facts.hostlist import fold
from ..knowledge import Knowledge
from ..session import Session
from ..tuples import NamedTuple
from .assembly import Fleet, Node
from .distinct import Members, kinds_of
from .report import fleet_part
from .skew import MINORITY, SKEW, Comparison, Skew, compare, statements

MOST_KINDS = 400
"""More kinds of nodes than this are not diagnosed one by one; the smallest are left out, and it is said."""
_COUNT = "node.count"


class _Found(NamedTuple):
    """An incident as it stands on some nodes."""

    standing: Standing
    part: Json
    kinds: list[int]


def diagnose_fleet(
    knowledge: Knowledge,
    fleet: Fleet,
    common: Sequence[Statement] = (),
    errors: Iterable[Origin] = (),
    engine: str = "auto",
    notes: Iterable[tuple[str, bool]] = (),
) -> Diagnosis:
    """The diagnosis of all nodes.

    ``common``: what reports, facts files and people said of the whole job; ``errors``: lines of reports that
    no signature knows; ``notes``: about the run, and whether it is incomplete for that.
    """
    type_of = knowledge.vocabulary.spec
    read = frozenset(name for name in knowledge.tested_facts() if name.startswith((SKEW, MINORITY)))
    comparison = compare(fleet, type_of, read)
    told: list[Statement] = [*common, *(Fact(ERROR_LINE, origin.text, origin) for origin in errors)]
    told += [*_of_the_whole(fleet, common), *statements(comparison, fleet, type_of, read)]
    whole = Session(knowledge, engine)
    for text, partial in notes:
        whole.note(text, partial)
    if fleet.incomplete:
        whole.partial = True
    for statement in [*told, *_shared(fleet)]:
        whole.add(statement)
    kinds = kinds_of(knowledge, fleet)
    left_out = sum(len(one) for one in kinds[MOST_KINDS:])
    if left_out:
        whole.note(f"{left_out} nodes that differ from all others were compared, not diagnosed", partial=True)
    joined = _Joined()
    for number, one in enumerate(kinds[:MOST_KINDS]):
        session = Session(knowledge, engine)
        try:
            for statement in [*told, *_of_node(fleet, fleet.nodes[one[0]])]:
                session.add(statement)
            joined.take(number, session, whole.partial)
        finally:
            session.close()
    if not kinds:  # nobody answered: what is known of the whole is all there is
        joined.take(0, whole, whole.partial)
    try:
        return _document(whole, fleet, comparison, kinds[:MOST_KINDS], joined)
    finally:
        whole.close()


def _of_the_whole(fleet: Fleet, common: Sequence[Statement]) -> list[Statement]:
    if any(isinstance(s, Fact) and s.name == _COUNT for s in common):
        return []
    return [Fact(_COUNT, max(len(fleet.nodes), fleet.expected), Origin(PROBE, "captures of the nodes"))]


def _shared(fleet: Fleet) -> list[Statement]:
    """Facts that all nodes have in common, with the origins of the first node."""
    if not fleet.groups:
        return []
    first, *others = fleet.groups
    pairs = set(first.facts).intersection(*(group.facts for group in others))
    gaps = set(first.gaps).intersection(*(group.gaps for group in others))
    every = f"all {len(fleet.nodes)} nodes"
    facts = [Fact(name, value, Origin(PROBE, every)) for name, value in sorted(pairs, key=lambda p: p[0])]
    return [*facts, *(CannotTell(name, why, Origin(PROBE, every)) for name, why in sorted(gaps))]


def _of_node(fleet: Fleet, node: Node) -> list[Statement]:
    group = fleet.groups[node.group]
    own = fleet.nodes[group.members[0]] is node
    found: list[Statement] = []
    for name, value in fleet.values(node).items():
        origins = group.origins.get(name, ()) if own else ()
        found += [Fact(name, value, o) for o in origins or (Origin(PROBE, node.where),)]
    return [*found, *(CannotTell(name, why, Origin(PROBE, node.where)) for name, why in group.gaps)]


class _Joined:
    """The best standing of each incident over all kinds, and where it has it."""

    def __init__(self) -> None:
        self.found: dict[str, _Found] = {}
        self.ruled_out: dict[str, Json] = {}
        self.gaps: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.unexplained: dict[tuple[str, str, str], Json] = {}
        self.loose: dict[str, Any] = {}
        self.warnings: dict[str, Json] = {}

    def take(self, number: int, session: Session, partial: bool) -> None:
        """Add what one class concludes."""
        session.partial = partial
        concluded = conclude(session)
        for one in concluded.standing:
            self._stand(number, session, one)
        for one in concluded.ruled_out:
            if one.id not in self.ruled_out:
                self.ruled_out[one.id] = ruled_out_part(session, one)
        for gap in gaps_part(session, concluded.facts, concluded.standing[:LISTED]):
            self.gaps[gap["fact"], gap["reason"]].append(number)
        for warning in warnings_part(session, concluded.facts):
            self.warnings.setdefault(repr(warning), warning)
        for fact in concluded.loose:
            self.loose.setdefault(fact.name, fact)
        for entry in unexplained_part(session, concluded.loose, concluded.explained.places):
            if not entry["fact"].startswith(SKEW):  # told as a difference
                self.unexplained.setdefault((entry["fact"], entry["where"], entry["text"]), entry)

    def _stand(self, number: int, session: Session, one: Standing) -> None:
        before = self.found.get(one.id)
        if before is not None and before.standing.standing == one.standing:
            before.kinds.append(number)
            if one.score > before.standing.score:
                part = incident_part(session, one)
                self.found[one.id] = _Found(one, part, before.kinds)
            return
        if before is None or STANDINGS.index(one.standing) < STANDINGS.index(before.standing.standing):
            self.found[one.id] = _Found(one, incident_part(session, one), [number])

    def best(self) -> list[_Found]:
        """Every incident that stands on some node, best first."""
        return [self.found[s.id] for s in ranked(found.standing for found in self.found.values())]


def _document(
    whole: Session, fleet: Fleet, comparison: Comparison, kinds: list[Members], joined: _Joined
) -> Diagnosis:
    facts = whole.facts()
    best = joined.best()
    standing = [found.standing for found in best]
    few = {difference.fact: difference for difference in comparison.differences}
    concerned = {found.standing.id: _concerned(found, kinds, few) for found in best}
    for found in best[:LISTED]:
        members = concerned[found.standing.id]
        if members is not None:
            found.part["nodes"] = {"count": len(members), "hosts": fold(fleet.names(members))}
    settled = bool(standing) and standing[0].standing == CONFIRMED_STANDING
    known_somewhere = {name for group in fleet.groups for name, _ in group.facts}
    known_somewhere |= {name for node in fleet.nodes for name, _ in node.own}
    questions = [] if settled else whole.planner.best(3, {s.id for s in standing} or None)
    return Diagnosis(
        verdict=verdict_of(whole, _rivals(standing, concerned), facts, list(joined.loose.values())),
        kb=parts.kb_part(whole),
        facts=[fact_part(f) for f in facts if f.value is not None],
        incidents=[found.part for found in best[:LISTED]],
        ruled_out=[part for name, part in sorted(joined.ruled_out.items()) if name not in joined.found],
        next=[parts.question_part(q) for q in questions if q.fact not in known_somewhere],
        gaps=_gaps(fleet, kinds, joined),
        unexplained=list(joined.unexplained.values()),
        engine=whole.engine,
        notes=parts.notes_of(whole),
        warnings=tuple(joined.warnings.values()),
        fleet=fleet_part(fleet, comparison, facts, whole.knowledge.vocabulary.spec),
    )


def _rivals(standing: list[Standing], concerned: dict[str, tuple[int, ...] | None]) -> list[Standing]:
    """The first incident and those that compete with it: what stands on other nodes only is another fault."""
    if not standing:
        return []
    first = concerned[standing[0].id]
    if first is None:
        return standing
    here = set(first)
    others = (one for one in standing[1:] if here.intersection(concerned[one.id] or here))
    return [standing[0], *others]


def _concerned(found: _Found, kinds: list[Members], differences: dict[str, Skew]) -> tuple[int, ...] | None:
    """The nodes that an incident concerns; None for all of them."""
    if kinds and len(found.kinds) < len(kinds):
        return tuple(sorted(n for number in found.kinds for n in kinds[number]))
    reasons = [r["fact"].removeprefix(SKEW) for r in found.part["because"] if r["fact"].startswith(SKEW)]
    few = {n for name in reasons if name in differences for n in differences[name].minority}
    return tuple(sorted(few)) or None


def _gaps(fleet: Fleet, kinds: list[Members], joined: _Joined) -> list[Json]:
    found = []
    for (fact, reason), numbers in sorted(joined.gaps.items()):
        members = [n for number in numbers for n in kinds[number]]
        where = f" ({fold(fleet.names(members))})" if len(members) < len(fleet.nodes) else ""
        found.append({"fact": fact, "reason": reason + where})
    return found
