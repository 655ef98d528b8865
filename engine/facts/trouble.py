"""Which values of a fact are signs of trouble: ``trouble`` of its page.

``yes`` or ``no``, a list of values, or ``>N`` for a number. A page that says nothing: a symptom and any other true fact
with ``sign`` is trouble, what is marked ``harmless`` is not.
"""

from __future__ import annotations

from ..model import FactSpec
from .values import Value

ANY = "any"
"""Every value is a sign of trouble; of a fact that is yes or no, yes is."""


def trouble_of(kind: str, words: tuple[str, ...], sign: bool, harmless: bool) -> tuple[str, ...]:
    """The values that are signs of trouble, from what the page says."""
    if words in (("yes",), ("true",)):
        return ("true",) if kind == "bool" else (ANY,)
    if words in (("no",),):
        return ()
    if words:
        return words
    return ("true",) if sign and not harmless and kind == "bool" else ()


def problem_of(spec: FactSpec) -> str:
    """What is wrong with the ``trouble`` of a page, in one sentence; nothing if it can be read."""
    if spec.trouble in ((), (ANY,)):
        return ""
    if spec.type == "bool":
        allowed: tuple[str, ...] = ("true", "false")
    elif spec.type == "choice":
        allowed = spec.values
    elif spec.type == "int":
        return "" if _above(spec) is not None else '"trouble" of a number is >N'
    else:
        allowed = ()
    wrong = [word for word in spec.trouble if word not in allowed]
    return f'"trouble" is yes, no or a list of {", ".join(allowed) or "nothing else"}' if wrong else ""


def is_trouble(spec: FactSpec, value: Value | None) -> bool:
    """Whether this value of the fact is a sign of trouble."""
    if not spec.trouble or value is None:
        return False
    if spec.trouble == (ANY,):
        return True
    if isinstance(value, bool):
        return str(value).lower() in spec.trouble
    if isinstance(value, int):
        above = _above(spec)
        return above is not None and value > above
    return value in spec.trouble


def _above(spec: FactSpec) -> int | None:
    word = spec.trouble[0] if len(spec.trouble) == 1 else ""
    number = word.removeprefix(">")
    return int(number) if number != word and number.isascii() and number.isdecimal() else None
