"""Everything that turns the world into facts: live probes, readers of pasted text, the collective test."""

from .report import read_report, read_reports

__all__ = ["read_report", "read_reports"]
