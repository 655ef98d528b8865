"""Where an incident stands, from what the rules concluded about it and from who said so.

Weights of evidence are bits: ``weak`` 1 (the sign is twice as likely with this incident as without), ``strong``
3, ``decisive`` 6; half of that where signs are only read from sentences. Evidence that is known to be absent takes
a part back; an exclusion or a requirement that fails takes away as much as its fact can be trusted. Evidence of 6
bits or more makes an incident ``likely``; ``confirmed`` needs one of its ``confirms`` with every ``requires`` met,
by facts that nobody contests.
Resemblance and circumstances order what stands; they make nothing likely.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from ..model import CONFIRMED_STANDING, EXCLUDED, LIKELY, POSSIBLE, STANDINGS, Condition, Incident, Test
from ..rules import CONFIRMED, DENIED, MISSING, RULED_OUT, SUGGESTED, Conclusion, Truth, witnesses
from ..rules.effects import VENDOR, is_of_others
from ..rules.scale import DENIAL, LIKELY_BITS, WEIGHTS
from ..tuples import NamedTuple
from .trust import AGAINST, PRINTED, READ


class Witness(Protocol):
    """What is asked about the facts under a conclusion."""

    def truth(self, leaf: Test) -> Truth:
        """Whether a test holds now."""

    def trust(self, fact: str) -> int:
        """How far what holds of a fact is trusted (see ``trust``)."""

    def holds_sign(self, fact: str) -> bool:
        """Whether a fact is a sign of trouble that is there."""

    def is_contested(self, fact: str) -> bool:
        """Whether somebody says otherwise of a fact."""

    def vendor(self) -> str:
        """The maker of the GPUs; empty where it is not known."""


class Standing(NamedTuple):
    """One incident as it stands: ``evidence`` in bits, ``score`` with all that orders it, and the entries (slot,
    index) of its head on which this rests. ``contested``: facts that have to be settled first, because they
    speak against a sign that is at least as good, or because a proof rests on them and somebody says otherwise."""

    id: str
    standing: str
    evidence: float
    score: float
    entries: tuple[tuple[str, int], ...]
    contested: tuple[str, ...] = ()


def evidence_bits(incident: Incident, concluded: Iterable[Conclusion], witness: Witness) -> float:
    """The sum of the weights that hold, less what absent evidence takes back. Signs that are only read from sentences
    count by half: one such entry makes nothing likely, several may."""
    bits = 0.0
    for kind, _, index in concluded:
        if kind == SUGGESTED:
            weight = WEIGHTS[incident.suggests[index].weight]
            bits += weight if _is_shown(_under(incident, kind, index, witness), witness) else weight / 2
        elif kind == DENIED:
            bits -= DENIAL[incident.suggests[index].weight]
    return bits


def stand(incident: Incident, concluded: Iterable[Conclusion], score: float, witness: Witness) -> Standing:
    """The standing of an incident. ``score``: what everything that orders it is worth, without exclusions."""
    ordered = sorted(concluded)
    entries = tuple((kind, index) for kind, _, index in ordered)
    bits = evidence_bits(incident, ordered, witness)
    against = [_under(incident, k, i, witness) for k, i in entries if k in (RULED_OUT, MISSING)]
    proofs = [_under(incident, k, i, witness) for k, i in entries if k == CONFIRMED]
    proven = [facts for facts in proofs if _proves(facts, witness)] if not incident.collective else []
    if proven:
        bits = max(bits, LIKELY_BITS)
    standing = LIKELY if bits >= LIKELY_BITS else POSSIBLE
    disputed = min((_disputed(facts, witness) for facts in proven), key=len, default=())
    # Of another maker: a second GPU in the machine, or somebody else's log.
    if is_of_others(witness.vendor(), incident.vendors):
        disputed = (*disputed, VENDOR)
    if proven and not disputed:
        standing = CONFIRMED_STANDING
    if not against:
        return Standing(incident.id, standing, bits, score, entries, disputed)
    decisive = [
        _under(incident, k, i, witness)
        for k, i in entries
        if k == CONFIRMED or (k == SUGGESTED and incident.suggests[i].weight == "decisive")
    ]
    best = max((_trust(facts, witness) for facts in decisive), default=READ)
    weaker = [facts for facts in against if _trust(facts, witness) < min(best, PRINTED)]
    contested = tuple(sorted({fact for facts in (against if decisive else []) for fact in facts}))
    taken = sum(AGAINST[_trust(facts, witness)] for facts in against)
    if len(weaker) == len(against):  # a decisive sign is not silenced by what is trusted less
        standing = min(standing, LIKELY, key=lambda s: -STANDINGS.index(s))
        return Standing(incident.id, standing, bits, score - taken, entries, contested)
    left = bits - taken
    if decisive and left >= LIKELY_BITS:  # too much speaks for it to be silenced by this
        return Standing(incident.id, POSSIBLE, left, score - taken, entries, contested)
    return Standing(incident.id, EXCLUDED, bits, score - taken, entries, contested)


def _under(incident: Incident, kind: str, index: int, witness: Witness) -> tuple[str, ...]:
    """The facts under an entry that holds."""
    condition, wanted = entry_of(incident, kind, index)
    conditions = [condition, *incident.requires] if kind == CONFIRMED else [condition]
    return tuple(leaf.fact for c in conditions for leaf in witnesses(c, witness.truth, wanted))


def entry_of(incident: Incident, kind: str, index: int) -> tuple[Condition, bool]:
    """The condition of an entry, and whether it counts because it holds or because it fails."""
    if kind == CONFIRMED:
        return incident.confirms[index], True
    if kind in (SUGGESTED, DENIED):
        return incident.suggests[index].when, kind == SUGGESTED
    if kind == RULED_OUT:
        return incident.excludes[index], True
    return incident.requires[index], False


def _trust(facts: Iterable[str], witness: Witness) -> int:
    """A condition is trusted as far as the least trusted of its facts."""
    return min((witness.trust(fact) for fact in facts), default=READ)


def _proves(facts: Iterable[str], witness: Witness) -> bool:
    """Whether the signs of a proof are more than read from a sentence; its circumstances may be."""
    signs = [fact for fact in facts if witness.holds_sign(fact)]
    return _trust(signs or facts, witness) > READ


def _is_shown(facts: Iterable[str], witness: Witness) -> bool:
    """Whether one of the signs is more than read from a sentence; true where there are none."""
    signs = [witness.trust(fact) for fact in facts if witness.holds_sign(fact)]
    return not signs or max(signs) > READ


def _disputed(facts: Iterable[str], witness: Witness) -> tuple[str, ...]:
    return tuple(sorted({fact for fact in facts if witness.is_contested(fact)}))


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """Best first: by standing, then by score, then by id."""
    return sorted(standings, key=lambda s: (STANDINGS.index(s.standing), -s.score, s.id))


def by_owner(conclusions: Iterable[Conclusion]) -> Mapping[str, list[Conclusion]]:
    """Conclusions grouped by incident or remedy."""
    grouped: dict[str, list[Conclusion]] = {}
    for conclusion in conclusions:
        grouped.setdefault(conclusion[1], []).append(conclusion)
    return grouped
