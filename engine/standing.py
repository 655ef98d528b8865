"""Where an incident stands, from what the rules concluded about it.

Weights of evidence are bits: ``weak`` 1 (the sign is twice as likely with this incident as without),
``strong`` 3, ``decisive`` 6. Evidence that is known to be absent takes a part back. Evidence of 6 bits or
more makes an incident ``likely``; ``confirmed`` needs one of its ``confirms`` with every ``requires`` met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .model import DENIAL, FREQUENCIES, WEIGHTS, Incident
from .program import CONFIRMED, DENIED, MISSING, RULED_OUT, SUGGESTED, Conclusion

CONFIRMED_STANDING, LIKELY, POSSIBLE, EXCLUDED = "confirmed", "likely", "possible", "ruled out"
STANDINGS = (CONFIRMED_STANDING, LIKELY, POSSIBLE, EXCLUDED)

LIKELY_BITS = 6.0


class Standing(NamedTuple):
    """One incident as it stands: ``evidence`` in bits, ``score`` with its frequency, and the entries
    (slot, index) of its head on which this rests."""

    id: str
    standing: str
    evidence: float
    score: float
    entries: tuple[tuple[str, int], ...]


def evidence_bits(incident: Incident, concluded: Iterable[Conclusion]) -> float:
    """The sum of the weights that hold, less what absent evidence takes back."""
    bits = 0.0
    for kind, _, index in concluded:
        if kind == SUGGESTED:
            bits += WEIGHTS[incident.suggests[index].weight]
        elif kind == DENIED:
            bits -= DENIAL[incident.suggests[index].weight]
    return bits


def stand(incident: Incident, concluded: list[Conclusion]) -> Standing:
    """The standing of an incident for which something speaks."""
    ordered = sorted(concluded)
    bits = evidence_bits(incident, ordered)
    kinds = {kind for kind, _, _ in ordered}
    if kinds & {RULED_OUT, MISSING}:
        standing = EXCLUDED
    elif CONFIRMED in kinds and not incident.collective:
        standing = CONFIRMED_STANDING
        bits = max(bits, LIKELY_BITS)
    elif bits >= LIKELY_BITS:
        standing = LIKELY
    else:
        standing = POSSIBLE
    entries = tuple((kind, index) for kind, _, index in ordered)
    return Standing(incident.id, standing, bits, bits + FREQUENCIES[incident.frequency], entries)


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """Best first: by standing, then by score, then by id."""
    return sorted(standings, key=lambda s: (STANDINGS.index(s.standing), -s.score, s.id))


def by_owner(conclusions: Iterable[Conclusion]) -> Mapping[str, list[Conclusion]]:
    """Conclusions grouped by incident or remedy."""
    grouped: dict[str, list[Conclusion]] = {}
    for conclusion in conclusions:
        grouped.setdefault(conclusion[1], []).append(conclusion)
    return grouped
