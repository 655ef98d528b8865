"""Full-text search over the knowledge base: exact tokens first, since error strings are exact tokens.

BM25 over three levels of tokens: the whole word, its parts between ``. / : =``, and the parts of those
between ``_ -``; so ``env.NCCL_IB_GID_INDEX=1`` is found by the variable and by its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from math import log
from typing import Any, NamedTuple

from .model import FactSpec, Incident, Remedy

_WORD = re.compile(r"[^\s,;()\[\]{}\"'`<>|]+")
_CJK = re.compile(r"[\u4e00-\u9fff]")
SATURATION, LENGTH_SHARE = 1.2, 0.6
"""The constants of BM25: how soon more of a word adds nothing, how much a long text counts less."""
_FIELDS = {"title": 5, "id": 4, "signs": 3, "summary": 2, "text": 1}


class Hit(NamedTuple):
    """Something that was found: its kind (incident, remedy, fact), id, title and score."""

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
        parts = [p for p in re.split(r"[./:=]", plain) if p]
        found += parts if len(parts) > 1 else []
        for part in parts:
            small = [p for p in re.split(r"[_-]", part) if len(p) > 1]
            found += small if len(small) > 1 else []
        characters = _CJK.findall(plain)
        found += [a + b for a, b in pairwise(characters)]
    return found


def documents(
    incidents: Iterable[Incident],
    remedies: Iterable[Remedy],
    facts: dict[str, FactSpec],
    bodies: dict[str, str],
) -> list[Any]:
    """Searchable documents as JSON: kind, id, title, counted tokens; ``bodies`` are the files' texts."""
    found = []
    for incident in incidents:
        from .conditions import facts_of

        signs = {f for e in (*(s.when for s in incident.suggests), *incident.confirms) for f in facts_of(e)}
        lines = " ".join(_signature_text(facts[name]) for name in sorted(signs) if name in facts)
        fields = {
            "title": incident.title,
            "id": f"{incident.id} {' '.join(incident.aliases)}",
            "signs": lines,
            "summary": incident.summary,
            "text": bodies.get(incident.path, ""),
        }
        found.append(["incident", incident.id, incident.title, _counted(fields)])
    for remedy in remedies:
        fields = {"title": remedy.title, "id": remedy.id, "text": bodies.get(remedy.path, "")}
        found.append(["remedy", remedy.id, remedy.title, _counted(fields)])
    for fact in facts.values():
        text = f"{fact.question} {bodies.get(fact.path, '')}"
        fields = {"title": fact.title, "id": fact.name, "signs": _signature_text(fact), "text": text}
        found.append(["fact", fact.name, fact.title, _counted(fields)])
    return found


def _signature_text(fact: FactSpec) -> str:
    return " ".join(" ".join((*s.literals, *s.matches)) for s in fact.signatures) + f" {fact.title}"


def _counted(fields: dict[str, str]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for field, text in fields.items():
        for token in tokens(text):
            counts[token] += _FIELDS[field]
    return dict(counts)


def search(listed: list[Any], query: str, kinds: Iterable[str] = ("incident", "remedy", "fact")) -> list[Hit]:
    """Documents that hold words of the query, best first."""
    wanted = [d for d in listed if d[0] in tuple(kinds)]
    if not wanted:
        return []
    lengths = [sum(d[3].values()) for d in wanted]
    average = sum(lengths) / len(lengths)
    scores = [0.0] * len(wanted)
    for token in dict.fromkeys(tokens(query)):
        holding = [i for i, d in enumerate(wanted) if token in d[3]]
        rarity = log(1 + (len(wanted) - len(holding) + 0.5) / (len(holding) + 0.5))
        for i in holding:
            count = wanted[i][3][token]
            scores[i] += (
                rarity
                * count
                * (SATURATION + 1)
                / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths[i] / average))
            )
    hits = [Hit(d[0], d[1], d[2], round(s, 3)) for d, s in zip(wanted, scores, strict=True) if s > 0]
    return sorted(hits, key=lambda h: (-h.score, h.kind, h.id))
