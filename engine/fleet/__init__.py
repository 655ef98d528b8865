"""Many nodes: their facts put together, compared, and diagnosed as one."""

from .assembly import BROKEN, SILENT, Fleet, NodeProblem, assemble
from .diagnosing import diagnose_fleet

__all__ = [
    "BROKEN",
    "SILENT",
    "Fleet",
    "NodeProblem",
    "assemble",
    "diagnose_fleet",
]
