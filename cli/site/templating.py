"""Jinja2 as this site uses it: everything escaped, a name that is missing is an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..content.addresses import page_folder
from .prose import code_block, slug


def environment(wording: Callable[[str], str]) -> Environment:
    """The templates of this folder, with the words that they take."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).resolve().parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["_"] = wording
    made.filters["slug"] = slug
    made.filters["code_block"] = lambda text: Markup(code_block(text))
    made.filters["html"] = Markup
    made.filters["folder"] = lambda incident: page_folder(incident.kind, incident.id)
    made.filters["ticks"] = ticks
    return made


def ticks(text: str) -> Markup:
    """A sentence whose code stands between backticks."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(pieces)
    )
