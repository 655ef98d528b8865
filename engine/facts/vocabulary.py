"""The vocabulary: every fact name that may be used, with its type; families such as ``env.<NAME>``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cached_property

from ..errors import FactError
from ..model import FactSpec
from ..patterns import lazy_pattern

_WORD = {"package": r"[a-z][a-z0-9_]*", "NAME": r"[A-Za-z_][A-Za-z0-9_]*", "NUMBER": r"\d{1,6}"}


class Vocabulary:
    """Looks fact names up; ``read`` fetches one entry of ``names``.

    ``families`` are the names with a ``<...>`` in them, where they are known: then the others are only looked up.
    """

    def __init__(
        self,
        names: Collection[str],
        read: Callable[[str], FactSpec],
        families: Collection[str] | None = None,
    ) -> None:
        self._read = read
        self._every = names
        self._known: dict[str, FactSpec] = {}
        self._family_names = families

    @cached_property
    def names(self) -> list[str]:
        """Every name that is not a family."""
        return [name for name in self._every if "<" not in name]

    @cached_property
    def _families(self) -> list[tuple[str, re.Pattern[str], str]]:
        names = self._every if self._family_names is None else self._family_names
        return [(name.partition("<")[0], _family(name), name) for name in names if "<" in name]

    def __contains__(self, name: str) -> bool:
        return self._is_plain(name) or self._family_of(name) != ""

    def _family_of(self, name: str) -> str:
        """The family to which a name belongs, or nothing."""
        for start, pattern, family in self._families:
            if name.startswith(start) and pattern.fullmatch(name):
                return family
        return ""

    def _is_plain(self, name: str) -> bool:
        return name in self._known or (name in self._every and "<" not in name)

    def spec(self, name: str) -> FactSpec:
        """The entry for ``name``. Raises FactError that suggests the nearest name."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._find(name)
        return found

    def _find(self, name: str) -> FactSpec:
        if self._is_plain(name):
            return self._read(name)
        if family := self._family_of(name):
            return self._read(family)._replace(name=name)
        import difflib

        near = difflib.get_close_matches(name, self.names, 1, cutoff=0.6)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise FactError(f'there is no fact "{name}"{hint}')


def _family(name: str) -> re.Pattern[str]:
    parts = name.replace(">", "<").split("<")
    return lazy_pattern(
        "".join(re.escape(p) if i % 2 == 0 else _WORD.get(p, r"[\w.-]+") for i, p in enumerate(parts))
    )
