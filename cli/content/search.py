"""Search as a person means it: an error line finds its incident, words find their pages.

The site's script does the same with the same tables (``site/searchindex.py``); a test compares the two.
"""

from __future__ import annotations

from functools import lru_cache

from ...engine import Knowledge
from ...engine.belief.signs import Weighted, rules_by_id, sign_scores
from ...engine.knowledge.search import Hit
from ...engine.language.matching import Sign, signs_in
from ...engine.model import INCIDENT, KNOWN_ISSUE, MADE_SIGNS
from ...probes.text import LONGEST, safe

SIGN_WEIGHT = 1.0
"""What a point of the rules counts against a point of the words."""

LONG = 800
"""Characters; of a longer text only the lines with a sign are searched for words."""


MOST_LINES = 20_000
"""Lines of a text that is searched for, not diagnosed."""


def signs_of(knowledge: Knowledge, text: str) -> dict[str, Sign]:
    """The facts that stand in a text."""
    return signs_in(knowledge.signatures(), [safe(line)[:LONGEST] for line in text.splitlines()[:MOST_LINES]])


def find_entries(knowledge: Knowledge, text: str) -> list[Hit]:
    """Entries for an error line, a pasted log or words, best first."""
    seen = signs_of(knowledge, text)
    signs = {name: sign.value for name, sign in seen.items()}
    if len(text) > LONG and seen:  # the words of a whole log would drown what it says
        text = "\n".join(dict.fromkeys(sign.line for sign in seen.values()))
    scores = {("fact", name): SIGN_WEIGHT for name in signs if not name.startswith(MADE_SIGNS)}
    if signs:
        by_rules = sign_scores(_rules_of(knowledge), signs)
        scores |= {(_kind(knowledge, name), name): SIGN_WEIGHT * score for name, score in by_rules.items()}
    by_words = {(hit.kind, hit.id): hit for hit in knowledge.search(text)}
    found = []
    for key in {**by_words, **scores}:
        title = by_words[key].title if key in by_words else _title(knowledge, *key)
        score = scores.get(key, 0.0) + (by_words[key].score if key in by_words else 0.0)
        found.append(Hit(*key, title, round(score, 3)))
    return sorted(found, key=lambda h: (-h.score, h.kind, h.id))


@lru_cache(maxsize=1)
def _rules_of(knowledge: Knowledge) -> dict[str, Weighted]:
    """The rules of all incidents: the same for every search in one knowledge base."""
    return rules_by_id(map(knowledge.incident, knowledge.incident_ids))


def _title(knowledge: Knowledge, kind: str, name: str) -> str:
    if kind in (INCIDENT, KNOWN_ISSUE):
        return knowledge.incident(name).title
    return knowledge.vocabulary.spec(name).title


def _kind(knowledge: Knowledge, incident: str) -> str:
    return KNOWN_ISSUE if incident in knowledge.issue_ids else INCIDENT
