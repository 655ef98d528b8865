"""Everything said so far, and what follows from it: facts come and go, standings follow.

``advisories`` are remarks on single environment variables, imported where there are some.
"""

from .consultation import Consultation

__all__ = [
    "Consultation",
]
