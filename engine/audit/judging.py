"""Pitfalls and settings of one subject."""

from __future__ import annotations

from collections.abc import Iterator

from ..consultation.advisories import remarks_on
from ..knowledge import Knowledge
from ..model import NOTE, Pitfall
from .findings import PITFALL, SETTING, AuditFinding
from .known import SubjectFacts

STACK = "stack"
_ON_SOME = "where there are "


def pitfalls_of(knowledge: Knowledge, known: SubjectFacts) -> Iterator[AuditFinding]:
    """What of the knowledge base holds here; what holds of the machine alone is not said again of each launch."""
    for name in knowledge.pitfall_ids:
        pitfall = knowledge.pitfall(name)
        if (pitfall.subject == STACK) is not (not known.subject.kind) and pitfall.subject != "settings":
            continue
        if known.holds(pitfall.when) is True:
            yield _finding(pitfall, known)


def of_stacks(knowledge: Knowledge) -> Iterator[Pitfall]:
    """Combinations of software and hardware that cannot work."""
    every = map(knowledge.pitfall, knowledge.pitfall_ids)
    return (pitfall for pitfall in every if pitfall.subject == STACK)


def _finding(pitfall: Pitfall, known: SubjectFacts) -> AuditFinding:
    reasons = known.reasons(pitfall.when)
    places = [known.where(fact) for fact in (*pitfall.at, *(fact for fact, _ in reasons))]
    fixes = dict(pitfall.fix)
    fix = fixes.get(known.subject.kind) or fixes.get("") or next(iter(fixes.values()), "")
    return AuditFinding(
        id=pitfall.id,
        kind=PITFALL,
        severity=pitfall.severity,
        where=next(filter(None, places), known.subject.where),
        title=pitfall.title,
        what=pitfall.summary,
        fix=_sentence(fix),
        subject=known.subject.name,
        because=tuple((fact, value) for fact, value in reasons if fact != "spec.kind"),
        leads_to=pitfall.leads_to,
        remedies=pitfall.remedies,
        sources=pitfall.sources,
    )


def settings_of(knowledge: Knowledge, known: SubjectFacts, judged: set[str]) -> Iterator[AuditFinding]:
    """Variables that are misspelt, not read, out of range or known to do harm; ``judged``: those spoken of already."""
    variables = [(name, value) for name, value in known.variables() if f"env.{name}" not in judged]
    for remark in remarks_on(variables, knowledge.vocabulary, known.value):
        spec = knowledge.vocabulary.spec(remark.fact)
        harmful = bool(spec.env and any(value == remark.value for value, _ in spec.env.hurts))
        if harmful and remark.text.startswith(_ON_SOME):
            continue  # whether it is so here a pitfall says, which knows the circumstances
        name = remark.fact.removeprefix("env.")
        yield AuditFinding(
            id=remark.fact,
            kind=SETTING,
            severity="slow" if harmful else NOTE,
            where=known.where(remark.fact),
            title=f"{name}={_short(remark.value)}: {remark.text}",
            what=_sentence(f"{name}: {remark.text}"),
            fix=f"Correct or remove {name}.",
            subject=known.subject.name,
            because=((remark.fact, _short(remark.value)),),
            sources=spec.sources,
        )


def _short(value: str) -> str:
    return value if len(value) <= 60 else f"{value[:60]}..."


def _sentence(text: str) -> str:
    text = (
        text[:1].upper() + text[1:]
        if not text.startswith(("-", "#")) and "=" not in text.split(" ")[0]
        else text
    )
    return text if text.endswith((".", "?")) or not text else f"{text}."
