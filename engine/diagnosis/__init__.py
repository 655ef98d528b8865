"""The conclusions of a consultation as one document; how, why, why not and what if (``explanation``)."""

from .document import Diagnosis, diagnose

__all__ = [
    "Diagnosis",
    "diagnose",
]
