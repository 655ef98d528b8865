"""The vocabulary: every fact name that may be used, with its type; families such as ``env.<NAME>``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .errors import FactError
from .model import FactSpec

_WORD = {"package": r"[a-z][a-z0-9_]*", "NAME": r"[A-Za-z_][A-Za-z0-9_]*", "NUMBER": r"\d{1,6}"}


class Vocabulary:
    """Looks fact names up; ``read`` fetches one entry of ``names``."""

    def __init__(self, names: Iterable[str], read: Callable[[str], FactSpec]) -> None:
        self._read = read
        self._known: dict[str, FactSpec] = {}
        self._families: list[tuple[re.Pattern[str], str]] = []
        self.names: list[str] = []
        for name in names:
            if "<" in name:
                self._families.append((_family(name), name))
            else:
                self.names.append(name)
        self._plain = frozenset(self.names)

    def __contains__(self, name: str) -> bool:
        return name in self._plain or any(pattern.fullmatch(name) for pattern, _ in self._families)

    def spec(self, name: str) -> FactSpec:
        """The entry for ``name``. Raises FactError that suggests the nearest name."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._find(name)
        return found

    def _find(self, name: str) -> FactSpec:
        if name in self._plain:
            return self._read(name)
        for pattern, family in self._families:
            if pattern.fullmatch(name):
                return self._read(family)._replace(name=name)
        import difflib

        near = difflib.get_close_matches(name, self.names, 1, cutoff=0.6)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise FactError(f'there is no fact "{name}"{hint}')


def _family(name: str) -> re.Pattern[str]:
    parts = re.split(r"<([^>]+)>", name)
    return re.compile(
        "".join(re.escape(p) if i % 2 == 0 else _WORD.get(p, r"[\w.-]+") for i, p in enumerate(parts))
    )
