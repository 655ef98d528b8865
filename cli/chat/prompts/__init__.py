"""What the conversation waits for: a complaint, a choice of symptoms, an answer, a decision, news of a remedy."""

from .asking import Asking, Contradiction
from .looking import Looking
from .opening import Offer, Opening
from .remedying import Idle, Remedies

__all__ = ["Asking", "Contradiction", "Idle", "Looking", "Offer", "Opening", "Remedies"]
