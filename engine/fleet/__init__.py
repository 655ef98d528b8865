"""Many nodes: their facts put together, compared, and diagnosed as one."""

from .assembly import BROKEN, SILENT, Finding, Fleet, assemble
from .diagnosing import diagnose_fleet

__all__ = [
    "BROKEN",
    "SILENT",
    "Finding",
    "Fleet",
    "assemble",
    "diagnose_fleet",
]
