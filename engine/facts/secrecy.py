"""The door through which everything comes that is said: what looks like a secret stays outside."""

from __future__ import annotations

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
    return redact(value)


def without_secrets(statement: Statement) -> Statement:
    """A statement as it may be shown and kept."""
    kind, where, text, trust = statement.origin
    origin = Origin(kind, redact(where), redact(text), trust)
    if isinstance(statement, CannotTell):
        return statement._replace(reason=redact(statement.reason), origin=origin)
    return statement._replace(value=shown(statement.name, statement.value), origin=origin)
