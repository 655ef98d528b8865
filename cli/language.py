"""The language of questions, headings and messages: English, or Chinese where a translation exists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "locale")
LANGUAGES = ("en", "zh")


class _Entries(NamedTuple):
    messages: dict[str, str]
    choices: dict[str, str]


class Language:
    """Translates messages and the texts of the knowledge base; what has no translation stays English."""

    def __init__(self, code: str = "en") -> None:
        self.code = code
        self._entries = _Entries({}, {}) if code == "en" else _read(os.path.join(FOLDER, code))

    def say(self, message: str, **values: object) -> str:
        """A message in this language, with its ``{names}`` filled in."""
        text = self._entries.messages.get(message, message)
        return text.format(**values) if values else text

    def count(self, one: str, many: str, count: int) -> str:
        """A message about so many things; a translation has the form for many only."""
        return self.say(one if count == 1 and many not in self._entries.messages else many, count=count)

    def choice(self, value: str) -> str:
        """What a value of a choice means, where the word itself does not tell."""
        return self._entries.choices.get(value, value)


def _read(folder: str) -> _Entries:
    """The entries of gettext's PO files: read as they are written, without a compiled form beside them."""
    import polib  # only who wants another language pays for it

    found = _Entries({}, {})
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if name.endswith(".po"):
            for entry in polib.pofile(os.path.join(folder, name)):
                if entry.msgstr and not entry.obsolete and not entry.fuzzy:
                    (found.choices if entry.msgctxt == "choice" else found.messages)[entry.msgid] = (
                        entry.msgstr
                    )
    return found


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the locale asks for."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


ENGLISH = Language()
