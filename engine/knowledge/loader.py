"""From pages of ``incidents/`` and ``remedies/`` to their records."""

from __future__ import annotations

from pathlib import Path

from ..facts import TypeOf
from ..model import (
    FAMILIES,
    GRADES,
    NEEDS,
    REMEDY_KINDS,
    VARIANTS,
    VENDORS,
    Applies,
    Evidence,
    Incident,
    Lookalike,
    Need,
    Remedy,
)
from ..rules.scale import FREQUENCIES, WEIGHTS
from .files import LoadedFile, named_like_file, sources_of
from .markdown import marks, paragraphs, steps, variants


def incident_from(file: LoadedFile, type_of: TypeOf) -> Incident:
    """A named fault. Raises KnowledgeError."""
    head = file.head()
    evidence = []
    for part in head.parts("suggests"):
        weight, _ = part.single()
        if weight not in WEIGHTS:
            part.fail(f'a weight is one of {", ".join(WEIGHTS)}, not "{weight}"', weight)
        evidence.append(Evidence(weight, part.condition(weight, type_of)))
    lookalikes = []
    for part in head.parts("lookalikes"):
        lookalikes.append(Lookalike(part.text("id"), part.texts("by")))
        part.finish()
    summary = paragraphs(file.page.section("Cause"))
    incident = Incident(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        family=head.word("family", FAMILIES),
        vendors=head.words("vendors", VENDORS),
        grade=head.word("evidence", GRADES),
        frequency=head.word("frequency", FREQUENCIES, "occasional"),
        collective=head.flag("collective"),
        requires=head.conditions("requires", type_of),
        suggests=tuple(evidence),
        confirms=head.conditions("confirms", type_of),
        excludes=head.conditions("excludes", type_of),
        explains=head.texts("explains"),
        lookalikes=tuple(lookalikes),
        remedies=head.texts("remedies"),
        sources=sources_of(head),
        aliases=head.texts("aliases"),
        summary=summary[0] if summary else "",
        path=file.entry,
        cited=marks(file.page.section("Cause")),
        checked=head.text("checked", ""),
    )
    head.texts("said")  # kept by the index of words alone: no rule reads it
    head.finish()
    return incident


def remedy_from(file: LoadedFile, type_of: TypeOf) -> Remedy:
    """One thing to do. Raises KnowledgeError."""
    head = file.head()
    applies = []
    for part in head.parts("applies"):
        applies.append(Applies(part.condition("when", type_of), part.text("why")))
        part.finish()
    needed = head.part("versions")
    for fact, wanted in head.pairs("versions"):
        assert needed is not None
        applies.append(Applies(needed.condition(fact, type_of, bare=True), f"it needs {fact} {wanted}"))
    page = file.page
    how = page.section("Steps")
    groups = variants(how) if how else {}
    for name in groups:
        if name and name not in VARIANTS:
            head.fail(f'"{name}" is no variant; there are {", ".join(VARIANTS)}')
    verify, undo = page.section("Verify"), page.section("Undo")
    remedy = Remedy(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        kind=head.word("kind", REMEDY_KINDS),
        risk=head.text("risk"),
        cost=head.text("cost", ""),
        needs=head.words("needs", NEEDS),
        danger=head.text("danger", ""),
        versions=head.pairs("versions"),
        applies=tuple(applies),
        sets=head.pairs("sets"),
        unsets=head.texts("unsets"),
        after=head.conditions("after", type_of),
        sources=sources_of(head),
        steps=groups,
        verify=steps(verify.tokens) if verify else (),
        undo=steps(undo.tokens) if undo else (),
        limits=" ".join(paragraphs(page.section("Limits"))),
        path=file.entry,
        checked=head.text("checked", ""),
    )
    head.finish()
    return remedy


def needs_of(folder: Path, type_of: TypeOf) -> tuple[Need, ...]:
    """What must be known before a machine may be called clean: ``clean`` in the head of README.md.

    Raises KnowledgeError.
    """
    readme = folder / "README.md"
    if not readme.is_file():
        return ()
    found = []
    for part in LoadedFile(readme, readme.name, str(readme)).head().parts("clean"):
        facts = part.texts("needs")
        for name in facts:
            type_of(name)
        found.append(Need(part.condition("when", type_of), facts))
        part.finish()
    return tuple(found)
