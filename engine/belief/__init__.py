"""What it is worth: from what holds to where each incident stands.

``signs`` scores the signs in a piece of text without a session.
"""

from ..model import CONFIRMED_STANDING, EXCLUDED, LIKELY, POSSIBLE, STANDINGS
from .standing import DROPPED_BITS, LIKELY_BITS, Standing, by_owner, evidence_bits, ranked, stand

__all__ = [
    "CONFIRMED_STANDING",
    "DROPPED_BITS",
    "EXCLUDED",
    "LIKELY",
    "LIKELY_BITS",
    "POSSIBLE",
    "STANDINGS",
    "Standing",
    "by_owner",
    "evidence_bits",
    "ranked",
    "stand",
]
