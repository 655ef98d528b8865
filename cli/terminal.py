"""How wide the terminal is. Asked without ``shutil``, whose import costs more than a short command."""

from __future__ import annotations

import os

WIDTH = 80
"""Columns where nobody says how many."""


def columns(number: int = 1) -> int:
    """What COLUMNS says, else the width of the terminal behind the file of this number, else 80."""
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isdecimal() and len(said) < 6 and int(said) else width_of(number)


def width_of(number: int) -> int:
    """The width of the terminal behind the file of this number; 80 where it is none."""
    try:
        return os.get_terminal_size(number).columns or WIDTH
    except OSError:
        return WIDTH
