"""Everything that turns the world into facts: live probes, readers of pasted text, the collective test.

What is public is loaded when it is asked for: facts that were measured already need neither reader nor probe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .report import read_report, read_reports

__all__ = ["read_report", "read_reports"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import report

    return getattr(report, name)
