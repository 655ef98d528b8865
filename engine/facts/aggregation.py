"""One fact in several places: which of them counts, by the ``keep`` of its page.

A machine has several bridges, ports and GPUs, and a fact speaks of all of them: ``any`` is true where one place
says so, ``worst`` is the value that the page puts first. Places of one source that say less are no contradiction;
two sources that differ are.
"""

from __future__ import annotations

from ..model import HIGHEST, LOWEST, FactSpec
from ..patterns import lazy_pattern
from .values import Value, magnitude

_LINE = lazy_pattern(r"(?::|\bline )\d+\Z")


def badness(spec: FactSpec, value: Value) -> int:
    """The smaller, the more a value counts among places of one source; 0 for all where the first place does."""
    if spec.keep == "any":
        return 0 if value is True else 1
    if spec.keep != "worst":
        return 0
    if isinstance(value, int) and not isinstance(value, bool):
        number = magnitude(spec, value)
        return number if LOWEST in spec.worst_first else -number
    shown = str(value).lower()
    order = [word.lower() for word in spec.worst_first]
    return order.index(shown) if shown in order else len(order)


def folds(spec: FactSpec) -> bool:
    """Whether several places of one source make one value."""
    return spec.keep in ("any", "worst")


def source_of(kind: str, where: str) -> str:
    """What speaks: a text without the line, a probe without the file that it read."""
    return where.partition(": ")[0] if kind == "probe" else _LINE.sub("", where)


def problem_of(spec: FactSpec) -> str:
    """Why ``keep`` and ``worst_first`` do not fit the type, or an empty text."""
    order = spec.worst_first
    if spec.keep == "any" and spec.type != "bool":
        return 'keep: any is for true and false; give an order with "worst"'
    if bool(order) is not (spec.keep == "worst"):
        return '"worst_first" goes with keep: worst, and only with it'
    if not order:
        return ""
    allowed = {"bool": ("true", "false"), "int": (LOWEST, HIGHEST)}.get(spec.type, spec.values)
    if spec.type == "int":
        fits = len(order) == 1 and order[0] in allowed
    else:
        fits = bool(allowed) and sorted(order) == sorted(allowed)
    if fits:
        return ""
    if spec.type == "int":
        return f'"worst_first" of a number is {LOWEST} or {HIGHEST}'
    return f'"worst_first" must name each of {", ".join(allowed) or "the values"} once'
