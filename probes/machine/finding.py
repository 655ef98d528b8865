"""What a probe reports: a fact, that it cannot be told, or text for the readers of reports."""

from __future__ import annotations

from gpudoctor.engine.tuples import NamedTuple


class Known(NamedTuple):
    """A fact, where it was read, and the text that stood there."""

    fact: str
    value: str | int | bool
    source: str
    text: str = ""


class Unknown(NamedTuple):
    """A fact that cannot be told here, and why: absent, refused, not applicable ..."""

    fact: str
    reason: str
    source: str


class Text(NamedTuple):
    """Text that the readers of pasted reports understand."""

    source: str
    text: str


Finding = Known | Unknown | Text
