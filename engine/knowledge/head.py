"""Reading a YAML head key by key: every wrong key, type or word is one sentence with its line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ..errors import EngineError, KnowledgeError
from ..facts import TypeOf
from ..facts.yamltext import Document, Path
from ..model import Condition


class Head:
    """A mapping of a head (or inside one) that knows which keys were asked for."""

    def __init__(self, document: Document, path: Path = ()) -> None:
        self._document = document
        self._path = path
        data = document.data
        for part in path:
            data = data[part]
        if not isinstance(data, dict):
            self.fail("this must be a mapping")
        self._data: dict[str, Any] = data
        self._asked: set[str] = set()

    def fail(self, message: str, *path: str | int) -> NoReturn:
        """Raise KnowledgeError at the place of ``path``."""
        raise KnowledgeError(message, self._document.place(*self._path, *path))

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def raw(self, key: str) -> Any:
        """The value of ``key`` as it stands, or None."""
        self._asked.add(key)
        return self._data.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        """One word or sentence; without a default the key must be there."""
        value = self.raw(key)
        if value is None:
            if default is None:
                self.fail(f'"{key}" is missing')
            return default
        if not isinstance(value, str):
            self.fail(f'"{key}" must be one text', key)
        return value.strip()

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; a single text counts as a list of one."""
        value = self.raw(key)
        if value is None:
            return ()
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(i, str) for i in items):
            self.fail(f'"{key}" must be a list of texts', key)
        return tuple(item.strip() for item in items)

    def word(self, key: str, allowed: Iterable[str], default: str | None = None) -> str:
        """One of the allowed words."""
        return self._allowed(self.text(key, default), tuple(allowed), key)

    def words(self, key: str, allowed: Iterable[str]) -> tuple[str, ...]:
        """A list of allowed words."""
        choices = tuple(allowed)
        return tuple(self._allowed(item, choices, key) for item in self.texts(key))

    def _allowed(self, word: str, allowed: tuple[str, ...], key: str) -> str:
        if word not in allowed:
            self.fail(f'"{key}" must be one of {", ".join(allowed)}, not "{word}"', key)
        return word

    def flag(self, key: str) -> bool:
        """``true`` or ``false``; absent means false."""
        return self.word(key, ("true", "false"), "false") == "true"

    def number(self, key: str, default: int) -> int:
        """A whole number."""
        text = self.text(key, str(default))
        if not text.isdecimal():
            self.fail(f'"{key}" must be a whole number, not "{text}"', key)
        return int(text)

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A mapping of texts to texts."""
        value = self.raw(key)
        if value is None:
            return ()
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            self.fail(f'"{key}" must be a mapping of texts', key)
        return tuple((str(name), str(text)) for name, text in value.items())

    def parts(self, key: str) -> list[Head]:
        """A list of mappings, each to be read in turn."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(f'"{key}" must be a list', key)
        return [Head(self._document, (*self._path, key, index)) for index in range(len(value))]

    def part(self, key: str) -> Head | None:
        """A mapping under ``key``."""
        return None if self.raw(key) is None else Head(self._document, (*self._path, key))

    def condition(self, key: str, type_of: TypeOf, bare: bool = False) -> Condition:
        """One condition; ``bare``: the key is the fact and its value the matcher."""
        raw = self.raw(key)
        return self.parse({key: raw} if bare else raw, type_of, (key,))

    def conditions(self, key: str, type_of: TypeOf) -> tuple[Condition, ...]:
        """A list of conditions."""
        value = self.raw(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.fail(f'"{key}" must be a list of conditions', key)
        return tuple(self.parse(item, type_of, (key, index)) for index, item in enumerate(value))

    def parse(self, raw: Any, type_of: TypeOf, path: Path = ()) -> Condition:
        """A condition as it stands in a head, or as it would; ``path`` is the place to name if it is wrong."""
        from ..rules.conditions import parse  # heads without conditions do not need it

        try:
            return parse(raw, type_of)
        except EngineError as error:
            self.fail(error.message, *path)

    def single(self) -> tuple[str, Any]:
        """The only entry of a mapping such as ``strong: {...}``."""
        if len(self._data) != 1:
            self.fail("this must have exactly one key")
        ((key, value),) = self._data.items()
        self._asked.add(key)
        return key, value

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._data:
            if key not in self._asked:
                import difflib

                near = difflib.get_close_matches(key, self._asked, 1)
                hint = f'; did you mean "{near[0]}"?' if near else ""
                self.fail(f'"{key}" is not a key of this format{hint}', key)
