"""The rules of an incident for a reader: in words with links, and as a small decision diagram.

Every rule carries its canonical form in ``data-rule``, so that a test can hold what is shown against what runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from gpudoctor.engine.tuples import NamedTuple

from ...engine.rules import as_json, facts_of
from ...engine.rules.scale import LIKELY_BITS, WEIGHTS
from ..content.entries import WordedRule
from .prose import linked_words


class ShownRule(NamedTuple):
    """A rule as the page has it."""

    label: str
    html: str
    data: str
    bits: float


class Gate(NamedTuple):
    """One question of the diagram: what is asked, of which rules, and where a yes or a no leads."""

    slot: str
    question: str
    rules: tuple[ShownRule, ...]
    outcome: str
    standing: str
    onward: str


_ORDER = ("excludes", "requires", "confirms", "suggests")


def shown(rule: WordedRule, addresses: Mapping[str, str]) -> ShownRule:
    """A rule with its facts as links."""
    data = json.dumps(
        [rule.slot, rule.weight, as_json(rule.condition)], ensure_ascii=False, separators=(",", ":")
    )
    return ShownRule(
        rule.label,
        linked_words(rule.text, {f: addresses[f] for f in facts_of(rule.condition)}),
        data,
        WEIGHTS.get(rule.weight, 0.0),
    )


def gates(rules: Sequence[WordedRule], addresses: Mapping[str, str], collective: bool = False) -> list[Gate]:
    """The questions in the order in which they decide; those without a rule are left out."""
    found = []
    for slot in _ORDER:
        chosen = tuple(shown(rule, addresses) for rule in rules if rule.slot == slot)
        if chosen:
            found.append(Gate(slot, *_texts(slot, len(chosen), collective, chosen)))
    return found


def _texts(
    slot: str, count: int, collective: bool, chosen: tuple[ShownRule, ...]
) -> tuple[str, tuple[ShownRule, ...], str, str, str]:
    any_of = "Does this hold" if count == 1 else f"Does one of these {count} hold"
    if slot == "excludes":
        return f"{any_of}?", chosen, "yes: ruled out", "ruled-out", "no, or not known"
    if slot == "requires":
        every = "Is this known to be false" if count == 1 else f"Is one of these {count} known to be false"
        return f"{every}?", chosen, "yes: ruled out", "ruled-out", "no, or not known"
    if slot == "confirms":
        named = (
            "likely: it stands for several causes"
            if collective
            else "confirmed, if all that is required holds"
        )
        return (
            f"{any_of}?",
            chosen,
            f"yes: {named}",
            "likely" if collective else "confirmed",
            "no, or not known",
        )
    question = f"How much evidence is there? {LIKELY_BITS:g} bits make it likely."
    return (
        question,
        chosen,
        f"{LIKELY_BITS:g} bits or more: likely",
        "likely",
        "less: possible; none: not considered",
    )
