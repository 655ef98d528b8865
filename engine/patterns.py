"""Regular expressions: compiled when they are first used, and once on a machine.

Compiling is a third of what reading a short log costs, and the same few hundred expressions come up in every run.
What Python makes of one, its code, is kept in the user's cache, like the bytecode of a module; from there an expression
is ready at once. A code is only good for the Python that made it, whose mark is in the file's name. Wherever
anything is not as expected, the expression is compiled as usual.
"""

from __future__ import annotations

import importlib
import marshal
import os
import re
import sys
from array import array
from functools import lru_cache
from typing import Any, AnyStr, cast

from .caching import cache_folder, is_own

MOST = 2000
"""Expressions that are kept; a file with more is begun anew."""
WORTH = 4
"""New expressions that make it worth writing the file again."""


def lazy_pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` would return; an expression that is none fails at its first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(expression, flags))


@lru_cache(maxsize=8192)
def compiled(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` returns, from the cache where it is there. Raises re.error."""
    return cast("re.Pattern[AnyStr]", _CODES.pattern(expression, int(flags)))


def learned() -> tuple[str, bytes] | None:
    """The file of the cache and what it should hold now, if enough is new."""
    return _CODES.learned()


def keep_no_more() -> None:
    """What is compiled from here on is not kept: a linter tries every expression of a knowledge base, and each start
    would read them all."""
    _CODES.keeps = False


class _Pattern:
    """Stands for a compiled expression, whose methods it takes over one by one."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._expression = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(compiled(self._expression, self._flags), name)
        setattr(self, name, found)  # the next use goes straight to the compiled expression
        return found


class _Codes:
    """The code of expressions that this Python has compiled before, from one file."""

    def __init__(self) -> None:
        self._old: dict[tuple[Any, int], Any] | None = None
        self._new: dict[tuple[Any, int], Any] = {}
        self.keeps = True

    def pattern(self, expression: Any, flags: int) -> Any:
        if self._old is None:
            self._old = _read(_file())
        code = self._old.get((expression, flags))
        try:
            if code is not None:
                return _assembled(expression, code)
            made = _code(expression, flags)
            if self.keeps:
                self._new[expression, flags] = made
            return _assembled(expression, made)
        except re.error:
            raise
        except Exception:  # another Python than any that was tried: its own way is right
            self._new.pop((expression, flags), None)
            return re.compile(expression, flags)

    def learned(self) -> tuple[str, bytes] | None:
        file = _file()
        if file is None or len(self._new) < WORTH:
            return None
        old = self._old or {}
        both = {**old, **self._new} if len(old) + len(self._new) <= MOST else self._new
        return file, marshal.dumps(both)


_CODES = _Codes()


def _file() -> str | None:
    folder = cache_folder()
    if folder is None or sys.implementation.name != "cpython":
        return None
    return os.path.join(folder, f"patterns-{sys.hexversion:x}-{_sre().MAGIC}.codes")


def _read(path: str | None) -> dict[tuple[Any, int], Any]:
    try:
        with open(path or "", "rb") as file:
            found = marshal.loads(file.read()) if is_own(file.fileno()) else {}
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _code(expression: Any, flags: int) -> Any:
    """What the standard library's own ``compile`` does, up to its last step."""
    parser, compiler = _machinery()
    parsed = parser.parse(expression, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    code = array("I", compiler._code(parsed, flags)).tobytes()
    return int(flags | state.flags), code, state.groups - 1, dict(state.groupdict), tuple(names)


def _assembled(expression: Any, code: Any) -> Any:
    """The last step, which checks the code before it takes it."""
    flags, words, groups, numbers, names = code
    return _sre().compile(expression, flags, array("I", words).tolist(), groups, numbers, names)


def _sre() -> Any:
    return importlib.import_module("_sre")  # it has no types


def _machinery() -> tuple[Any, Any]:
    if sys.version_info >= (3, 11):
        return importlib.import_module("re._parser"), importlib.import_module("re._compiler")
    import sre_compile
    import sre_parse

    return sre_parse, sre_compile
