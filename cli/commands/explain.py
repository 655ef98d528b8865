"""``gpudoctor explain``: an entry of the knowledge base on the terminal."""

from __future__ import annotations

import argparse
import sys

from ..errors import OK
from ..inputs.knowledge import load_knowledge
from ..render.kbpage import explain_entry
from ..render.screen import Screen, paint, terminal_width, wants_color


def explain(arguments: argparse.Namespace) -> int:
    """Print one entry."""
    knowledge = load_knowledge(arguments.kb)
    screen = Screen(terminal_width(sys.stdout))
    explain_entry(screen, knowledge, arguments.id)
    paint(screen, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK
