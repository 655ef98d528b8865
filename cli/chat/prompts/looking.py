"""One look that tells several facts at once: the variables in the environment of the job."""

from __future__ import annotations

import re

from ....engine import EngineError
from ....engine.facts import UNSET, parse_value, show_value
from ....engine.questions import Question
from ...render.screen import Screen
from ..replies import SKIP, UNKNOWN, VALUE, read_reply
from ..talk import Talk

_SETTING = re.compile(r"\s*(?:export\s+)?([A-Za-z_]\w{0,80})=(.{0,400})")


class Looking:
    """The variables of one screen: what is pasted is set, what is not among it is unset."""

    def __init__(self, chat: Talk, question: Question) -> None:
        self._chat = chat
        self.question = question
        self._facts = (question.fact, *question.together)

    def show(self, screen: Screen) -> None:
        """What to run, and the keys that always work."""
        chat = self._chat
        prefixes = dict.fromkeys(name.removeprefix("env.").partition("_")[0] for name in self._facts)
        screen.line()
        screen.line(chat.progress(), "dim")
        screen.paragraph(
            chat.say("Which of these variables are set in the job? Paste what this prints there:"), 0, "bold"
        )
        screen.line(f"env | grep -E '^({'|'.join(prefixes)})_'", "", 4)
        screen.paragraph(" ".join(name.removeprefix("env.") for name in self._facts), 2, "dim")
        screen.paragraph(
            chat.say("none none of them is set · d don't know · s skip · /why · /back"), 2, "dim"
        )

    def takes(self, text: str) -> bool:
        """Whether all of the text is settings."""
        lines = [line for line in text.splitlines() if line.strip()]
        return bool(lines) and all(_SETTING.fullmatch(line) for line in lines)

    def reply(self, text: str) -> None:
        """Settings, none, or something else that was typed here."""
        chat = self._chat
        spec = chat.session.knowledge.vocabulary.spec(self.question.fact)
        kind, value, _ = read_reply(text, spec)
        if self.takes(text):
            lines = filter(None, map(_SETTING.fullmatch, text.splitlines()))
            self._take({found[1]: found[2] for found in lines})
        elif kind == VALUE and value == UNSET:
            self._take({})
        elif kind == UNKNOWN:
            chat.tell(self.question.fact, None)
            chat.advance()
        elif kind == SKIP:
            for fact in self._facts:
                chat.history.skip(fact, chat.say("skipped {fact}", fact=fact))
            chat.advance()
        else:
            chat.take_words(text)

    def _take(self, settings: dict[str, str]) -> None:
        """All variables of the screen, or none where a value is wrong."""
        chat = self._chat
        spec_of = chat.session.knowledge.vocabulary.spec
        given = {f"env.{name}": value.strip("'\" ") for name, value in settings.items()}
        known = {fact: value for fact, value in given.items() if fact in chat.session.knowledge.vocabulary}
        told = {**dict.fromkeys(self._facts, UNSET), **known}
        try:
            for fact, value in told.items():
                if value != UNSET:
                    parse_value(spec_of(fact), value)
        except EngineError as error:
            chat.error(error)
            return
        for fact, value in told.items():
            chat.history.tell(fact, value, "")
        chat.history.merge(len(told), "")
        shown = [
            f"{n} = {show_value(spec_of(n), v)}"
            for n in told
            if (v := chat.session.value(n)) not in (None, UNSET)
        ]
        label = "; ".join(shown) or chat.say("none of the variables is set")
        chat.history.relabel(label)
        chat.screen.paragraph(label, 0, "dim", chat.say("noted: "))
        chat.advance()

    def completions(self) -> list[str]:
        """The keys."""
        return ["none", "don't know", "skip"]

    def asks(self) -> list[str]:
        """All of them."""
        return list(self._facts)
