"""What speaks for and against one incident, counted by kind; and what the kinds are worth together."""

from collections.abc import Callable, Mapping
from math import log2
from typing import Protocol

from ..knowledge.concerns import ROAD, Concerns
from ..knowledge.resemblance import Resembling
from ..model import KNOWN_ISSUE, Condition, Incident, Test
from ..rules import DENIED, MISSING, RULED_OUT, Conclusion, Truth, denial_of, evaluate, leaves
from ..rules.effects import is_of_others
from ..rules.scale import DENIAL, FREQUENCIES, PROOF_BITS, WEIGHTS
from ..tuples import NamedTuple
from .table import WORTH

FEW_WORDS = 5.0
"""The score of resemblance that is the first doubling: a few words in common."""
MOST_ALIKE = 0.9999
"""The share of the page that resembles a text most."""


class Consulted(Protocol):
    """What belief asks of a consultation."""

    def truth(self, leaf: Test) -> Truth:
        """Whether a test holds now."""

    def roads(self) -> frozenset[str]:
        """What the person comes with: the roads that are known."""

    def vendor(self) -> str:
        """The vendor of the GPUs, or nothing."""

    def holds_sign(self, fact: str) -> bool:
        """Whether a sign is known to be there."""


class Seen(NamedTuple):
    """What was seen altogether: the signs that hold and those that were read with doubt, each with its rarity in
    bits; the products that are named; and those that are shown to be in use, each with its rarity."""

    signs: Mapping[str, float]
    doubts: Mapping[str, float]
    products: frozenset[str]
    shown: Mapping[str, float]


class Denials:
    """Of each entry of ``suggests`` when it counts as absent. Made when it is asked for: it can hold only where the
    entry is known not to, which few are."""

    def __init__(self, incident: Incident, is_sign: Callable[[str], bool]) -> None:
        self._suggests, self._is_sign = incident.suggests, is_sign
        self._made: dict[int, Condition | None] = {}

    def __getitem__(self, index: int) -> Condition | None:
        if index not in self._made:
            self._made[index] = denial_of(self._suggests[index].when, self._is_sign)
        return self._made[index]

    def holds(self, index: int, truth: Callable[[Test], Truth]) -> bool:
        """Whether the entry, which does not hold, counts as absent."""
        denial = self[index]
        return denial is not None and evaluate(denial, truth) is True


class Traits(NamedTuple):
    """An incident with what belief needs of its record, worked out once."""

    incident: Incident
    roads: frozenset[str]
    denials: "Denials"
    circumstances: tuple[Test, ...]
    signs: frozenset[str]  # every sign that it reads
    about: frozenset[str]  # the products of its page
    told: frozenset[str]  # the facts of its rules that people or logs tell, harmless ones too


def traits_of(incident: Incident, concerns: Concerns) -> Traits:
    """The record as belief needs it."""
    page = concerns.page(incident.id)
    told = page.signs | page.harmless
    tests: list[Test] = []
    for when in (*[entry.when for entry in incident.suggests], *incident.confirms):
        tests += leaves(when)
    facts = {test.fact for test in tests}
    signs = frozenset([fact for fact in facts & page.signs if not fact.startswith(ROAD)])
    for when in incident.requires:
        tests += leaves(when)
    beside = dict.fromkeys([test for test in tests if test.fact not in page.signs])
    return Traits(
        incident,
        page.roads,
        Denials(incident, told.__contains__),
        tuple(beside),
        signs,
        page.products,
        told,
    )


def count(
    traits: Traits, known: Consulted, rarity: Callable[[str], float], near: Resembling | None, seen: Seen
) -> dict[str, float]:
    """How much of each kind of evidence there is; see ``table`` for what the kinds are worth."""
    incident, truth = traits.incident, known.truth
    held: list[float] = []
    part = denied = 0.0
    for index, evidence in enumerate(incident.suggests):
        now = evaluate(evidence.when, truth)
        if now is True:
            held.append(WEIGHTS[evidence.weight])
        elif now is False and traits.denials.holds(index, truth):
            denied += DENIAL[evidence.weight]
        elif now is None and _begun(evidence.when, traits, known):
            part = max(part, WEIGHTS[evidence.weight])
    proofs = [(evaluate(c, truth), c) for c in incident.confirms]
    if any(now is None and _begun(c, traits, known) for now, c in proofs):
        part = PROOF_BITS
    required = [evaluate(c, truth) for c in incident.requires]
    circumstances = [(test, truth(test)) for test in traits.circumstances]
    fitting = [test for test, now in circumstances if now is True]
    rare = [rarity(name) for name in traits.signs if known.holds_sign(name)]
    # A product says little by itself: of many there are dozens of pages, and few of them have the sign.
    shown = [bits for name, bits in seen.shown.items() if name in traits.about]
    vendor, roads = known.vendor(), known.roads()
    covered = [bits for name, bits in seen.signs.items() if name in traits.signs or name in incident.explains]
    explained = sum(bits for name, bits in seen.signs.items() if name in incident.explains)
    return {
        "proof": float(any(now is True for now, _ in proofs) and all(r is True for r in required)),
        "best": max(held, default=0.0),
        "more": log2(max(len(held), 1)),
        "part": 0.0 if held else part,
        "rare": max(rare, default=0.0),
        "accounts": log2(1 + explained),
        "covers": sum(covered) / sum(seen.signs.values()) if any(covered) else 0.0,
        "rare_rest": log2(1 + sum(covered) - max(covered)) if covered else 0.0,
        "doubt": max((bits for name, bits in seen.doubts.items() if name in traits.signs), default=0.0),
        "absent": float(bool(traits.about) and not traits.about & seen.products),
        "shown": max(shown, default=0.0) if rare else 0.0,
        "issue": float(incident.kind == KNOWN_ISSUE),
        "fits": log2(1 + len(fitting)),
        "fits_rare": log2(1 + sum(rarity(test.fact) for test in fitting)),
        "clashes": float(sum(now is False for _, now in circumstances)),
        "met": float(required.count(True)),
        "open": float(required.count(None)),
        "frequency": FREQUENCIES[incident.frequency],
        "denied": denied,
        "vendor": float(is_of_others(vendor, incident.vendors)),
        "road": float(bool(roads & traits.roads)),
        "other_road": float(bool(roads and traits.roads and not roads & traits.roads)),
        "resembles": log2(1 + near.rest / FEW_WORDS) if near else 0.0,
        "rest_alike": near.rest_share**2 if near else 0.0,
        "rest_nearest": float(near is not None and near.rest_share > MOST_ALIKE),
        "alike": near.share**2 if near else 0.0,
        "nearest": float(near is not None and near.share > MOST_ALIKE),
    }


def against(traits: Traits, truth: Callable[[Test], Truth]) -> list[Conclusion]:
    """What speaks against an incident, in the order of its page: exclusions, failed requirements, missed signs."""
    incident = traits.incident
    found = [
        (RULED_OUT, incident.id, i) for i, c in enumerate(incident.excludes) if evaluate(c, truth) is True
    ]
    found += [
        (MISSING, incident.id, i) for i, c in enumerate(incident.requires) if evaluate(c, truth) is False
    ]
    return found + [
        (DENIED, incident.id, i)
        for i, entry in enumerate(incident.suggests)
        if evaluate(entry.when, truth) is False and traits.denials.holds(i, truth)
    ]


def _begun(condition: Condition, traits: Traits, known: Consulted) -> bool:
    """Whether a sign of the condition holds already."""
    return any(leaf.fact in traits.signs and known.truth(leaf) is True for leaf in leaves(condition))


def worth(counted: Mapping[str, float]) -> float:
    """The bits of all evidence together."""
    return sum(WORTH[kind] * amount for kind, amount in counted.items())
