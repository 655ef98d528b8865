"""What was understood of somebody's words or log, numbered, so that a wrong reading can be taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...engine.facts import REPORT, Settled, show_value
from ...engine.redaction import redact
from .talk import Talk, shortened

MOST = 12
MOST_PERHAPS = 3
_LONGEST = 40


def show_readings(chat: Talk, facts: Sequence[Settled], said: str = "", perhaps: Sequence[str] = ()) -> None:
    """The facts as sentences with their numbers, under the words from which they were read.

    What these words may mean as well is named, and asked next: it is not taken for granted.
    """
    chat.readings = [fact.name for fact in facts]
    quoted = f' "{shortened(" ".join(redact(said).split()), 60)}"' if said else ""
    nothing = f" {chat.say('nothing certain yet')}" if not facts else ""
    if facts or said:
        chat.screen.paragraph(f"{chat.say('Understood')}{quoted}:{nothing}", 0, "dim")
    for number, fact in enumerate(facts[:MOST], start=1):
        chat.screen.paragraph(in_words(chat, fact), 2, "dim", f"{number}) ")
    if len(facts) > MOST:
        more = chat.say("and {count} more (/facts)", count=len(facts) - MOST)
        chat.screen.paragraph(more, 2, "dim")
    for name in perhaps[:MOST_PERHAPS]:
        title = chat.say(chat.session.knowledge.vocabulary.spec(name).title)
        chat.screen.paragraph(title, 2, "dim", f"? {chat.say('perhaps: ')}")
    if facts:
        chat.screen.paragraph(chat.say("/wrong N takes back reading N"), 2, "dim")


def in_words(chat: Talk, fact: Settled) -> str:
    """A fact as a person says it: a symptom by its title, another with its value."""
    spec = chat.session.knowledge.vocabulary.spec(fact.name)
    title = chat.say(spec.title)
    if fact.value is None:
        return title
    if spec.type == "bool" and spec.sign:
        return title if fact.value is True else f"{chat.say('not seen: ')}{title}"
    name = _EXAMPLES.split(title, maxsplit=1)[0]
    return f"{name}: {shortened(show_value(spec, fact.value), _LONGEST)}"


_EXAMPLES = re.compile("[:：] ?")
"""Between the name of a fact and what it may be."""


def take_back(chat: Talk, argument: str) -> None:
    """``/wrong N``: what was read under that number is withdrawn, and the next best question is asked."""
    numbers = [int(word) for word in argument.replace(",", " ").split() if word.isdecimal()]
    chosen = [chat.readings[n - 1] for n in numbers if 0 < n <= len(chat.readings)]
    if not chosen:
        chat.screen.paragraph(chat.say("Give the number of the wrong reading: /wrong 2"), 0, "yellow")
        return
    for name in chosen:
        chat.history.withdraw(name, (REPORT,), chat.say("misread: {fact}", fact=name))
        chat.screen.paragraph(name, 0, "dim", chat.say("taken back: "))
    chat.history.merge(len(chosen), chat.say("misread: {fact}", fact=", ".join(chosen)))
    chat.advance()
