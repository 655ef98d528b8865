"""What a person may write behind an option: numbers, times and addresses, checked."""

from __future__ import annotations

import argparse


def hang_after(text: str) -> float:
    """Seconds of silence that are a hang."""
    return _between(1, 86400, text)


def seconds(text: str) -> float:
    """A time limit in seconds."""
    return _between(0.001, 600, text)


def budget(text: str) -> float:
    """Seconds for a whole test."""
    return _between(5, 3600, text)


def process(text: str) -> int:
    """The number of a process."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be the number of a process, not {text}")
    return int(text)


def _between(least: float, most: float, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"must be between {least:g} and {most:g} seconds, not {text}")
    return value


def site_address(text: str) -> str:
    """The address of a docs site. Raises UsageError."""
    from ..content.addresses import checked

    return checked(text)
