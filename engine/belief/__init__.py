"""What it is worth: from what holds to where each incident stands.

``signs`` scores the signs in a piece of text without a session.
"""

from ..model import CONFIRMED_STANDING, EXCLUDED, LIKELY, POSSIBLE, STANDINGS
from .standing import Standing, by_owner, evidence_bits, ranked, stand

__all__ = [
    "CONFIRMED_STANDING",
    "EXCLUDED",
    "LIKELY",
    "POSSIBLE",
    "STANDINGS",
    "Standing",
    "by_owner",
    "evidence_bits",
    "ranked",
    "stand",
]
