"""The public session, its file (``sessionfile``), and whether a remedy has worked (``cure``)."""

from .session import Session

__all__ = [
    "Session",
]
