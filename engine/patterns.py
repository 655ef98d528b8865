"""Regular expressions that are compiled when they are first used: a run needs a few of the many."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def lazy_pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` would return; an expression that is none fails at its first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(expression, flags))


class _Pattern:
    """Stands for a compiled expression, whose methods it takes over one by one."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._expression = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(re.compile(self._expression, self._flags), name)
        setattr(self, name, found)  # the next use goes straight to the compiled expression
        return found
