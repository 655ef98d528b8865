"""What a session concludes, as one plain document: the JSON that every output is made of.

Explanation is part of it: every incident carries the facts under it, every ruled-out one the fact that
did it, and everything that no rule explains is listed.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..belief import CONFIRMED_STANDING, Standing
from ..consultation import Consultation
from ..tuples import NamedTuple
from .beside import (
    doubts_part,
    gaps_part,
    meanings_part,
    needs_part,
    resembles_part,
    unexplained_part,
    warnings_part,
)
from .incidents import Json, fact_part, incident_part, ruled_out_part
from .verdict import EXIT_STATUS, INSUFFICIENT, conclude

if TYPE_CHECKING:
    from ..questions import Planner, Question

SCHEMA = "gpudoctor/diagnosis/1"
LISTED = 8
"""So many incidents are told in full."""


class Diagnosis(NamedTuple):
    """The conclusions of a session at one moment. ``to_dict`` gives the documented JSON."""

    verdict: str
    kb: Json
    facts: list[Json]
    incidents: list[Json]
    ruled_out: list[Json]
    next: list[Json]
    gaps: list[Json]
    unexplained: list[Json]
    engine: str = "durable"
    notes: tuple[str, ...] = ()
    warnings: tuple[Json, ...] = ()
    fleet: Json | None = None
    resembles: tuple[Json, ...] = ()
    doubts: tuple[Json, ...] = ()
    meanings: tuple[Json, ...] = ()

    @property
    def exit_status(self) -> int:
        """0: nothing known matches and the evidence sufficed; 1: confirmed or likely; 3: insufficient."""
        return EXIT_STATUS[self.verdict]

    def to_dict(self) -> Json:
        """The stable JSON form (``diagnosis.schema.json``)."""
        document: Json = {
            "schema": SCHEMA,
            "kb": self.kb,
            "engine": self.engine,
            "verdict": self.verdict,
            "facts": self.facts,
            "incidents": self.incidents,
            "ruled_out": self.ruled_out,
            "next": self.next,
            "gaps": self.gaps,
            "unexplained": self.unexplained,
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "resembles": list(self.resembles),
            "doubts": list(self.doubts),
            "meanings": list(self.meanings),
        }
        if self.fleet is not None:
            document["fleet"] = self.fleet
        return document


def diagnose(session: Consultation, planner: "Callable[[], Planner]") -> Diagnosis:
    """Everything that the session concludes now; ``planner`` is asked for where there is something to find out."""
    found = conclude(session)
    standing, facts = found.standing, found.facts
    listed = standing[:LISTED]
    return Diagnosis(
        verdict=found.verdict,
        kb=kb_part(session),
        facts=[fact_part(f) for f in facts if f.value is not None],
        incidents=[incident_part(session, s) for s in listed],
        ruled_out=[ruled_out_part(session, s) for s in found.ruled_out],
        next=[] if _settled(standing) else [question_part(q) for q in _next(planner(), standing)],
        gaps=[
            *gaps_part(session, facts, listed),
            *(needs_part(session, facts) if found.verdict == INSUFFICIENT else ()),
        ],
        unexplained=unexplained_part(session, found.loose, found.explained.places),
        engine=session.engine,
        notes=notes_of(session),
        warnings=tuple(warnings_part(session, facts)),
        resembles=tuple(resembles_part(session, {s.id for s in listed})),
        doubts=tuple(doubts_part(session)),
        meanings=tuple(meanings_part(session, facts)),
    )


def kb_part(session: Consultation) -> Json:
    """Which knowledge base concluded."""
    knowledge = session.knowledge
    incidents, known_issues = knowledge.counts()
    return {
        "version": knowledge.version,
        "digest": knowledge.digest,
        "incidents": incidents,
        "known_issues": known_issues,
    }


def notes_of(session: Consultation) -> tuple[str, ...]:
    """What there is to say about the run itself."""
    notes = tuple(session.notes)
    if session.engine != "durable":
        notes += ("durable-rules is not in use here: the reference matcher did the work",)
    return notes


def _next(planner: "Planner", standing: list[Standing]) -> "list[Question]":
    """What to find out: between the incidents that stand, or, where none does, between all."""
    return planner.best(3, {s.id for s in standing} or None)


def _settled(standing: list[Standing]) -> bool:
    return bool(standing) and standing[0].standing == CONFIRMED_STANDING


def question_part(question: "Question") -> Json:
    """A question as it stands in the JSON."""
    return {
        "kind": question.kind,
        "fact": question.fact,
        "text": question.text,
        "choices": list(question.choices),
        "gain_bits": question.gain_bits,
        "cost": question.cost,
        "separates": list(question.separates),
    }
