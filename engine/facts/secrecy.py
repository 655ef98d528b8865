"""The door through which everything comes that is said: secrets stay outside, and what nobody can see."""

from __future__ import annotations

from ..characters import seen
from ..redaction import HIDDEN, is_secret, redact
from .statements import CannotTell, Origin, Statement
from .values import SET, UNSET, Value

_VARIABLE = "env."


def shown(name: str, value: Value) -> Value:
    """The value of a fact as it may be shown and kept; of a variable that holds a secret, that it is hidden."""
    if not isinstance(value, str) or not value:
        return value
    if name.startswith(_VARIABLE) and is_secret(name.removeprefix(_VARIABLE)):
        return value if value in (SET, UNSET) else HIDDEN
    return _clean(value)


def without_secrets(statement: Statement) -> Statement:
    """A statement as it may be shown and kept."""
    kind, where, text, trust = statement.origin
    origin = Origin(kind, _clean(where), _clean(text), trust)
    if isinstance(statement, CannotTell):
        return statement._replace(reason=_clean(statement.reason), origin=origin)
    return statement._replace(value=shown(statement.name, statement.value), origin=origin)


def _clean(text: str) -> str:
    """Without invisible characters first: one of them inside of a secret would hide it."""
    return redact(seen(text))
