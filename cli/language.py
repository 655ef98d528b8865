"""The language of questions, headings and messages: English, or Chinese where a translation exists."""

from __future__ import annotations

import os
from collections.abc import Mapping

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "locale")
LANGUAGES = ("en", "zh")


class Language:
    """Translates messages and the texts of the knowledge base; what has no translation stays English."""

    def __init__(self, code: str = "en") -> None:
        self.code = code
        self._messages: dict[str, str] = {}
        self._choices: dict[str, str] = {}
        if code != "en":
            from .pofiles import table_of

            self._messages, self._choices = table_of(os.path.join(FOLDER, code))

    def say(self, message: str, **values: object) -> str:
        """A message in this language, with its ``{names}`` filled in."""
        text = self._messages.get(message, message)
        return text.format(**values) if values else text

    def count(self, one: str, many: str, count: int) -> str:
        """A message about so many things; a translation has the form for many only."""
        return self.say(one if count == 1 and many not in self._messages else many, count=count)

    def choice(self, value: str) -> str:
        """What a value of a choice means, where the word itself does not tell."""
        return self._choices.get(value, value)


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the locale asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


ENGLISH = Language()
