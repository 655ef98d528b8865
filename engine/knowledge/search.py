"""Full-text search over the knowledge base: exact tokens first, since error strings are exact tokens.

BM25 over three levels of tokens: the whole word, its parts between ``. / : =``, and the parts of those
between ``_ -``; so ``env.NCCL_IB_GID_INDEX=1`` is found by the variable and by its parts.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from math import log
from typing import Any

from ..model import KNOWN_ISSUE, FactSpec, Incident, Product, Remedy
from ..patterns import lazy_pattern
from ..tuples import NamedTuple

_WORD = lazy_pattern(r"[^\s,;()\[\]{}\"'`<>|]+")
_CJK = lazy_pattern(r"[\u4e00-\u9fff]")
_OUTER, _INNER = lazy_pattern(r"[./:=]"), lazy_pattern(r"[_-]")
SATURATION, LENGTH_SHARE = 1.2, 0.6
"""The constants of BM25: how soon more of a word adds nothing, how much a long text counts less."""
KINDS = ("incident", KNOWN_ISSUE, "remedy", "fact", "product")
_FIELDS = {"title": 5, "id": 4, "signs": 3, "summary": 2, "text": 1}


class Hit(NamedTuple):
    """Something that was found: its kind (one of ``KINDS``), id, title and score."""

    kind: str
    id: str
    title: str
    score: float


def tokens(text: str) -> list[str]:
    """The tokens of a text, on all three levels; Chinese by pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        plain = word.strip(".:!?-=/")
        if not plain:
            continue
        found.append(plain)
        parts = [p for p in _OUTER.split(plain) if p]
        found += parts if len(parts) > 1 else []
        for part in parts:
            small = [p for p in _INNER.split(part) if len(p) > 1]
            found += small if len(small) > 1 else []
        if not plain.isascii():
            found += [a + b for a, b in pairwise(_CJK.findall(plain))]
    return found


def documents(
    incidents: Iterable[Incident],
    remedies: Iterable[Remedy],
    facts: dict[str, FactSpec],
    products: dict[str, Product],
    bodies: dict[str, str],
    below: Mapping[str, FactSpec],
) -> list[Any]:
    """Searchable documents as JSON: kind, id, title, counted tokens; ``bodies`` are the files' texts.

    ``below``: facts that incidents may read and that are no documents of this folder.

    What was made from the page of a known issue or a product is found as that page.
    """
    found = []
    known = {**below, **facts}
    for incident in incidents:
        from ..rules import facts_of

        signs = {f for clause in incident.conditions("confirms", "suggests") for f in facts_of(clause.when)}
        lines = " ".join(_signature_text(known[name]) for name in sorted(signs) if name in known)
        told = (known[name] for name in sorted(signs) if name in known and known[name].path != incident.path)
        said = " ".join(wording for spec in told for wording in spec.said)
        fields = {
            "title": incident.title,
            "id": f"{incident.id} {' '.join(incident.aliases)}",
            "signs": lines,
            "summary": incident.summary,
            "text": f"{bodies.get(incident.path, '')} {said}",
        }
        found.append([incident.kind, incident.id, incident.title, _counted(fields)])
    for remedy in remedies:
        if not _has_page(remedy.path, "remedies"):
            continue
        fields = {"title": remedy.title, "id": remedy.id, "text": bodies.get(remedy.path, "")}
        found.append(["remedy", remedy.id, remedy.title, _counted(fields)])
    for fact in facts.values():
        if not _has_page(fact.path, "facts"):
            continue
        text = f"{fact.question} {bodies.get(fact.path, '')} {' '.join(fact.said)}"
        fields = {"title": fact.title, "id": fact.name, "signs": _signature_text(fact), "text": text}
        found.append(["fact", fact.name, fact.title, _counted(fields)])
    for product in products.values():
        fields = {
            "title": product.title,
            "id": f"{product.id} {' '.join(product.packages)}",
            "text": bodies.get(product.path, ""),
        }
        found.append(["product", product.id, product.title, _counted(fields)])
    return found


def _has_page(path: str, folder: str) -> bool:
    return path.partition("/")[0] == folder


def _signature_text(fact: FactSpec) -> str:
    """Examples, and literals that are the fact's own; those of phrases are anybody's words."""
    told = (" ".join((*(() if s.near else s.literals), *s.matches)) for s in fact.signatures)
    return f"{' '.join(told)} {fact.title}"


def _counted(fields: dict[str, str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for field, text in fields.items():
        for token in tokens(text):
            counts[token] += _FIELDS[field]
    return dict(counts)


Document = list[Any]
"""Kind, id, title, and the sum of its counted tokens."""


Postings = list[int]
"""The documents that hold a token: number and count in turn."""


class Searchable:
    """Documents and the postings of tokens: of one token, or of every one."""

    def __init__(
        self,
        documents: list[Document],
        postings: Callable[[str], Postings],
        every: Callable[[], Iterable[tuple[str, Postings]]],
    ) -> None:
        self.documents = documents
        self.postings = postings
        self.every = every

    @classmethod
    def of(cls, counted: Iterable[list[Any]]) -> "Searchable":
        """What ``documents`` made."""
        listed, postings = index_of(counted)
        return cls(listed, lambda token: postings.get(token, []), postings.items)

    def under(self, over: "Searchable") -> "Searchable":
        """This with the documents of an overlay, which replace those of the same kind and id."""
        replaced = {(d[0], d[1]) for d in over.documents}
        places = [number for number, d in enumerate(self.documents) if (d[0], d[1]) not in replaced]
        moved = {number: len(over.documents) + place for place, number in enumerate(places)}

        def joined(above: Postings, below: Postings) -> Postings:
            found = list(above)
            for number, count in zip(below[::2], below[1::2], strict=True):
                if number in moved:
                    found += (moved[number], count)
            return found

        def every() -> dict[str, Postings]:
            above, below = dict(over.every()), dict(self.every())
            return {t: joined(above.get(t, []), below.get(t, [])) for t in {**below, **above}}

        return Searchable(
            [*over.documents, *(self.documents[number] for number in places)],
            lambda token: joined(over.postings(token), self.postings(token)),
            lambda: every().items(),
        )


def index_of(counted: Iterable[list[Any]]) -> tuple[list[Document], dict[str, Postings]]:
    """Documents and postings of what ``documents`` made."""
    listed: list[Document] = []
    postings: dict[str, Postings] = {}
    for number, (kind, name, title, counts) in enumerate(counted):
        listed.append([kind, name, title, sum(counts.values())])
        for token, count in counts.items():
            postings.setdefault(token, []).extend((number, count))
    return listed, postings


def search(searchable: Searchable, query: str, kinds: Iterable[str] = KINDS) -> list[Hit]:
    """Documents that hold words of the query, best first."""
    kinds = tuple(kinds)
    listed = searchable.documents
    lengths = [d[3] for d in listed if d[0] in kinds]
    if not lengths:
        return []
    average = sum(lengths) / len(lengths)
    scores: dict[int, float] = {}
    for token in dict.fromkeys(tokens(query)):
        found = searchable.postings(token)
        holding = [(n, c) for n, c in zip(found[::2], found[1::2], strict=True) if listed[n][0] in kinds]
        rarity = log(1 + (len(lengths) - len(holding) + 0.5) / (len(holding) + 0.5))
        for number, count in holding:
            share = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * listed[number][3] / average)
            worth = rarity * count * (SATURATION + 1) / (count + share)
            scores[number] = scores.get(number, 0.0) + worth
    hits = [
        Hit(listed[number][0], listed[number][1], listed[number][2], round(score, 3))
        for number, score in scores.items()
        if score > 0
    ]
    return sorted(hits, key=lambda h: (-h.score, h.kind, h.id))
