"""Known issues (``known-issues/<product>/<id>.md``) as they are written; ``issuerecords`` makes rules of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..model import GRADES, ROADS, SEVERITIES, VENDORS, Affected, Signature, Source
from ..rules.scale import FREQUENCIES
from ..tuples import NamedTuple
from .affected import sign_fact
from .factrecords import signature_from
from .files import LoadedFile, named_like_file, sources_of
from .head import Head


class IssueSign(NamedTuple):
    """One way in which an issue shows itself in text; ``specific``: hardly anything else prints this."""

    signature: Signature
    specific: bool


class IssuePage(NamedTuple):
    """The head of a known issue, with its file."""

    id: str
    title: str
    product: str
    vendors: tuple[str, ...]
    affects: tuple[Affected, ...]
    needs: tuple[Any, ...]  # conditions as they are written
    signs: tuple[IssueSign, ...]
    said: tuple[str, ...]
    symptom: str
    severity: str
    frequency: str
    grade: str
    remedies: tuple[str, ...]
    sets: tuple[tuple[str, str], ...]
    checked: str
    sources: tuple[Source, ...]
    file: LoadedFile

    @property
    def fact(self) -> str:
        """The fact that says that a sign of the issue was seen; where some are specific, one of those."""
        return sign_fact(self.id)

    @property
    def vague_fact(self) -> str:
        """The fact of the signs that are not specific, where others are."""
        return f"issue.{self.id}.vague"

    @property
    def is_specific(self) -> bool:
        """Whether some sign is specific."""
        return any(sign.specific for sign in self.signs)


def issue_from(file: LoadedFile, products: Collection[str]) -> IssuePage:
    """A known issue of one of the ``products``. Raises KnowledgeError."""
    head = file.head()
    issue = IssuePage(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        product=_product(head, products),
        vendors=head.words("vendors", VENDORS),
        affects=_affects(head, products),
        needs=_needs(head),
        signs=_signs(head),
        said=head.texts("said"),
        symptom=_symptom(head),
        severity=head.word("severity", SEVERITIES),
        frequency=head.word("frequency", FREQUENCIES, "occasional"),
        grade=head.word("evidence", GRADES),
        remedies=head.texts("remedies"),
        sets=head.pairs("sets"),
        checked=head.text("checked"),
        sources=sources_of(head),
        file=file,
    )
    head.finish()
    return issue


def _product(head: Head, products: Collection[str]) -> str:
    name = head.text("product")
    if name not in products:
        head.fail(f'there is no product "{name}": it needs a page in products/', "product")
    return name


def _affects(head: Head, products: Collection[str]) -> tuple[Affected, ...]:
    found = []
    for part in head.parts("affects"):
        found.append(Affected(_product(part, products), part.text("introduced", ""), part.text("fixed", "")))
        part.finish()
    if not found:
        head.fail('"affects" must name a product')
    return tuple(found)


def _needs(head: Head) -> tuple[Any, ...]:
    value = head.raw("needs")
    if value is not None and not isinstance(value, list):
        head.fail('"needs" must be a list of conditions', "needs")
    return tuple(value or ())


def _signs(head: Head) -> tuple[IssueSign, ...]:
    found = []
    for part in head.parts("signs"):
        found.append(IssueSign(signature_from(part), part.flag("specific")))
        part.finish()
    return tuple(found)


def _symptom(head: Head) -> str:
    name = head.text("symptom")
    if name not in ROADS and not name.startswith("symptom."):
        head.fail(f'"symptom" is one of {", ".join(ROADS)}, or a symptom of the vocabulary', "symptom")
    return name
