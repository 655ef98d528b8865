"""``gpudoctor search``: entries for words or an error line."""

from __future__ import annotations

import argparse
import sys

from ..errors import NOTHING, OK
from ..inputs.knowledge import load_knowledge
from ..language import Language, preferred
from ..render.screen import Screen, paint, terminal_width, wants_color


def search(arguments: argparse.Namespace) -> int:
    """Print entries that match the words or the error line; exit 1 when nothing does."""
    from ..content.search import find_entries

    knowledge = load_knowledge(arguments.kb)
    hits = find_entries(knowledge, " ".join(arguments.words))[:12]
    screen = Screen(terminal_width(sys.stdout), Language(arguments.lang or preferred()))
    if not hits:
        screen.paragraph(
            screen.say(
                "Nothing in the knowledge base holds these words. Try fewer of them, or let the whole log be read: "
                "gpudoctor --report LOG. gpudoctor kb list names every incident."
            )
        )
    for hit in hits:
        screen.spans((f"{hit.kind:12}", "cyan"), (hit.id, "bold"))
        screen.paragraph(screen.say(hit.title), 12)
    if hits:
        screen.line()
        screen.line(screen.say("gpudoctor explain {id} shows the first in full.", id=hits[0].id), "dim")
    paint(screen, sys.stdout, wants_color(arguments.color, sys.stdout))
    return OK if hits else NOTHING
