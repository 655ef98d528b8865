"""What will go wrong before it does: known issues of what is installed, and pitfalls of what starts the job."""

from .auditing import Audit, audit
from .findings import SEVERITY_ORDER, AuditFinding
from .known import Subject

__all__ = [
    "SEVERITY_ORDER",
    "Audit",
    "AuditFinding",
    "Subject",
    "audit",
]
