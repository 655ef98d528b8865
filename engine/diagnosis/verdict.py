"""The verdict of a run, the signs of trouble that nothing accounts for, and what must be known to call a machine clean.

Absence of evidence is never health. "No known incident" is for evidence that was looked for and is clean: collective
tests on GPUs that pass, or everything that the knowledge base wants known of such a machine (``clean`` of its README),
without one sign of trouble. A sign of trouble that nothing accounts for is insufficient evidence, whatever else is
known.
"""

from collections.abc import Sequence

from ..belief import CONFIRMED_STANDING, EXCLUDED, LIKELY, Standing
from ..consultation import Consultation
from ..facts import Settled
from ..facts.trouble import is_trouble
from ..rules import evaluate
from ..rules.scale import LEAD_BITS
from ..tuples import NamedTuple
from .evidence import accounted_for, symptoms_of

DIAGNOSED, NARROWED, INSUFFICIENT, NO_KNOWN = (
    "diagnosed",
    "narrowed",
    "insufficient evidence",
    "no known incident",
)
EXIT_STATUS = {DIAGNOSED: 1, NARROWED: 1, INSUFFICIENT: 3, NO_KNOWN: 0}


class Explained(NamedTuple):
    """What standing incidents account for: facts, and the places at which these were seen."""

    facts: set[str]
    places: set[str]


class Concluded(NamedTuple):
    """What a session comes to, before anything is said of it."""

    verdict: str
    standing: list[Standing]
    ruled_out: list[Standing]
    facts: list[Settled]
    loose: list[Settled]
    explained: Explained


def conclude(session: Consultation) -> Concluded:
    """The verdict of a session and what it rests on."""
    standings, facts = session.standings(), session.facts()
    standing = [s for s in standings if s.standing != EXCLUDED]
    ruled_out = [s for s in standings if s.standing == EXCLUDED]
    explained = explained_by(session, standing, facts)
    loose = loose_facts(session, bool(standing), facts, explained)
    verdict = verdict_of(session, standing, facts, loose)
    return Concluded(verdict, standing, ruled_out, facts, loose, explained)


def explained_by(session: Consultation, standing: list[Standing], facts: list[Settled]) -> Explained:
    """What the standing incidents account for."""
    names: set[str] = set()
    for one in standing:
        names |= accounted_for(session, one, session.knowledge.incident(one.id))
    names |= symptoms_of(session, names)
    origins = [origin for fact in facts if fact.name in names for origin in fact.origins]
    return Explained(names, {origin.where for origin in origins if origin.where})


def loose_facts(
    session: Consultation, something_stands: bool, facts: list[Settled], explained: Explained
) -> list[Settled]:
    """Signs of trouble that no standing incident accounts for, those that tell most first."""
    loose = [
        f
        for f in facts
        if f.name not in explained.facts
        and _is_loose(session, f, something_stands)
        and not _is_told(f, explained.places)
    ]
    return sorted(loose, key=lambda fact: session.knowledge.vocabulary.spec(fact.name).secondary)


def _is_told(fact: Settled, told: set[str]) -> bool:
    """Whether this is the sign of a known issue that is not the case here, or the number of an event, in a line that
    something else explains. The lines of one event bear the same number, and one that is explained stands for all."""
    seen = [origin.where in told for origin in fact.origins]
    if fact.name.startswith(("xid.", "sxid.")):
        return any(seen)
    return fact.name.startswith("issue.") and all(seen)


def _is_loose(session: Consultation, fact: Settled, something_stands: bool) -> bool:
    """Whether this is a sign of trouble. A test that failed, or a tool that hung, asks for an incident and for no
    certain one: whatever stands accounts for it. A road is told by its symptoms."""
    if fact.name.startswith("road."):
        return False
    spec = session.knowledge.vocabulary.spec(fact.name)
    return is_trouble(spec, fact.value) and (spec.type == "bool" or not something_stands)


def verdict_of(
    session: Consultation, standing: list[Standing], facts: list[Settled], loose: list[Settled]
) -> str:
    """The verdict of a run."""
    if standing:
        first = standing[0]
        if first.standing == CONFIRMED_STANDING:
            return DIAGNOSED
        if first.standing == LIKELY:
            rivals = [s for s in standing[1:] if s.standing == LIKELY]
            lead = first.score - rivals[0].score if rivals else LEAD_BITS
            return DIAGNOSED if lead >= LEAD_BITS and not first.contested else NARROWED
        return INSUFFICIENT
    if session.partial or any(f.conflicts for f in facts):
        # What was ruled out may rest on the wrong one of two statements, or on half a log.
        return INSUFFICIENT
    if loose or session.error_lines():
        return INSUFFICIENT
    return NO_KNOWN if _passes(session, facts) or is_examined(session) else INSUFFICIENT


def _passes(session: Consultation, facts: Sequence[Settled]) -> bool:
    """Whether collective tests were made on GPUs and all passed."""
    return any(fact.value == "pass" and _is_outcome(session, fact.name) for fact in facts) and not any(
        is_trouble(session.knowledge.vocabulary.spec(fact.name), fact.value) for fact in facts
    )


def _is_outcome(session: Consultation, name: str) -> bool:
    """Whether a fact is an outcome of the collective test; gloo's says nothing of GPUs."""
    if not name.startswith("collective.") or name.startswith("collective.gloo"):
        return False
    return "pass" in session.knowledge.vocabulary.spec(name).values


def is_examined(session: Consultation) -> bool:
    """Whether everything is known that must be known of such a machine before it may be called clean."""
    return _asks(session) and not still_needed(session)


def still_needed(session: Consultation) -> list[str]:
    """What is not known and must be known of such a machine before it may be called clean."""
    names = [
        name
        for need in session.knowledge.needs()
        if evaluate(need.when, session.truth)
        for name in need.facts
    ]
    return [name for name in dict.fromkeys(names) if session.value(name) is None]


def _asks(session: Consultation) -> bool:
    return any(evaluate(need.when, session.truth) for need in session.knowledge.needs())
