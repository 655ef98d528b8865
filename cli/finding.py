"""Search as a person means it: an error line finds its incident, words find their pages.

The site's script does the same with the same tables (``site/searchindex.py``); a test compares the two.
"""

from __future__ import annotations

from ..engine import Knowledge
from ..engine.search import Hit
from ..engine.signs import rules_by_id, sign_scores
from ..probes.signatures import signs_in

SIGN_WEIGHT = 1.0
"""What a point of the rules counts against a point of the words."""

LONG = 800
"""Characters; of a longer text only the lines with a sign are searched for words."""


def find_entries(knowledge: Knowledge, text: str) -> list[Hit]:
    """Entries for an error line, a pasted log or words, best first."""
    seen = signs_in(knowledge.signatures(), text)
    signs = {name: sign.value for name, sign in seen.items()}
    if len(text) > LONG and seen:  # the words of a whole log would drown what it says
        text = "\n".join(dict.fromkeys(sign.line for sign in seen.values()))
    scores = {("fact", name): SIGN_WEIGHT for name in signs}
    if signs:
        rules = rules_by_id(map(knowledge.incident, knowledge.incident_ids))
        by_rules = sign_scores(rules, signs)
        scores |= {("incident", name): SIGN_WEIGHT * score for name, score in by_rules.items()}
    by_words = {(hit.kind, hit.id): hit for hit in knowledge.search(text)}
    found = []
    for key in {**by_words, **scores}:
        title = by_words[key].title if key in by_words else _title(knowledge, *key)
        score = scores.get(key, 0.0) + (by_words[key].score if key in by_words else 0.0)
        found.append(Hit(*key, title, round(score, 3)))
    return sorted(found, key=lambda h: (-h.score, h.kind, h.id))


def _title(knowledge: Knowledge, kind: str, name: str) -> str:
    return knowledge.incident(name).title if kind == "incident" else knowledge.vocabulary.spec(name).title
