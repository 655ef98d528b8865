"""``--kb``: the knowledge base with the folders laid over it."""

from __future__ import annotations

from ...engine import EngineError, Knowledge
from ..errors import UsageError


def load_knowledge(overlays: list[str]) -> Knowledge:
    """The knowledge base with its overlays. An overlay that the linter refuses is refused whole."""
    try:
        knowledge = Knowledge.load(*overlays)
        if overlays:
            from ...engine.knowledge.lint import lint

            problems = lint(*overlays)
            if problems:
                more = (
                    f" (and {len(problems) - 1} more; gpudoctor kb lint lists them)"
                    if len(problems) > 1
                    else ""
                )
                raise UsageError(f"{problems[0]}{more}")
    except EngineError as error:
        raise UsageError(str(error)) from None
    return knowledge
