"""Pages in other languages: entries whose translation lies in the knowledge base, and the words around them.

The translation of ``incidents/x.md`` is ``zh/incidents/x.md``: a head with ``title``, and the same headings as the
original with the same footnotes, since rules, sources and links stay those of the original. What is not
translated is shown in English and marked as such.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from ...engine import EngineError, Knowledge
from ...engine.facts.yamltext import read_yaml
from ...engine.knowledge.markdown import Page, read_page
from ..content.entries import Entry
from ..language import Language

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "zh": "中文"}
_TEXTS = Path(__file__).resolve().parent / "texts"


class TranslationError(Exception):
    """A translation does not fit its original."""


class PageWording:
    """The words of the templates in the language of the page that is being made."""

    def __init__(self) -> None:
        self.language = ENGLISH

    def __call__(self, text: str) -> str:
        """The text in that language, also if it is one of the program; else as it stands, in English."""
        if self.language == ENGLISH:
            return text
        return table(self.language).get(text) or program(self.language).say(text)


@cache
def program(code: str) -> Language:
    """The translations of the program itself."""
    return Language(code)


@cache
def table(language: str) -> dict[str, str]:
    """What the words of the templates are in a language."""
    with open(_TEXTS / f"{language}.yaml", encoding="utf-8") as file:
        found: dict[str, str] = yaml.safe_load(file)
    return found


def languages_of(knowledge: Knowledge, path: str) -> list[str]:
    """The languages in which an entry is there, English first."""
    return [ENGLISH, *(name for name in LANGUAGES if name != ENGLISH and _place(knowledge, path, name))]


def in_language(knowledge: Knowledge, entry: Entry, path: str, language: str) -> Entry | None:
    """An entry with title and text of its translation; None if there is none. Raises TranslationError."""
    place = _place(knowledge, path, language)
    if language == ENGLISH or not place:
        return None
    where = f"{language}/{path}"
    try:
        with open(place, encoding="utf-8") as file:
            page = read_page(file.read(), where)
        head = read_yaml(page.head, where, page.head_line).data
    except (OSError, UnicodeDecodeError, EngineError) as error:
        raise TranslationError(f"{where}: {error}") from None
    if not isinstance(head, dict) or set(head) != {"title"} or not isinstance(head["title"], str):
        raise TranslationError(f"{where}: the head of a translation holds the title and nothing else")
    if _headings(page) != _headings(entry.page):
        raise TranslationError(f"{where}: the headings must be those of the original, in English")
    return entry._replace(title=head["title"], page=page)


def _place(knowledge: Knowledge, path: str, language: str) -> str:
    try:
        return knowledge.file(f"{language}/{path}")
    except EngineError:
        return ""


def _headings(page: Page) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in page.sections]
