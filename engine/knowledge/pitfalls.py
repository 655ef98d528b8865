"""Pitfalls (``pitfalls/<subject>/<id>.md``): what a spec or a stack says that is bound to go wrong."""

from __future__ import annotations

from ..facts import TypeOf
from ..model import NOTE, SEVERITIES, Pitfall
from .files import LoadedFile, named_like_file, sources_of
from .markdown import paragraphs

SUBJECTS = ("stack", "container", "scheduler", "settings", "service")


def pitfall_from(file: LoadedFile, type_of: TypeOf) -> Pitfall:
    """One pitfall. Raises KnowledgeError."""
    head = file.head()
    fix = head.raw("fix")
    summary = paragraphs(file.page.section("Why"))
    pitfall = Pitfall(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        subject=head.word("subject", SUBJECTS),
        severity=head.word("severity", (*SEVERITIES, NOTE)),
        when=head.condition("when", type_of),
        leads_to=head.text("leads_to"),
        at=head.texts("at"),
        remedies=head.texts("remedies"),
        fix=(("", fix.strip()),) if isinstance(fix, str) else head.pairs("fix"),
        sources=sources_of(head),
        summary=summary[0] if summary else "",
        path=file.entry,
    )
    head.finish()
    return pitfall
