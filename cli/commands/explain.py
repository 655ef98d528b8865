"""``gpudoctor explain``: an entry of the knowledge base on the terminal."""

from __future__ import annotations

import argparse
import sys

from ..errors import OK
from ..inputs.knowledge import load_knowledge
from ..language import Language, preferred
from ..render.kbpage import explain_entry
from ..render.screen import Screen, paint, terminal_width, wants_color


def explain(arguments: argparse.Namespace) -> int:
    """Print one entry; of an error line the one that it is a sign of, with the others by name."""
    from ..content.naming import meant

    knowledge = load_knowledge(arguments.kb)
    name, others = meant(knowledge, " ".join(arguments.id))
    screen = Screen(terminal_width(sys.stdout), Language(arguments.lang or preferred()))
    explain_entry(screen, knowledge, name)
    if others:
        screen.heading(screen.say("It may also be about"))
        for other in others:
            screen.line(f"gpudoctor explain {other}", indent=2)
    paint(screen, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK
