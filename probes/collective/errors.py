"""The error of the collective test's boundary."""

from __future__ import annotations


class CollectiveError(Exception):
    """The test cannot be made here, and why: one sentence for a person."""
