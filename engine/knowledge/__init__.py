"""Markdown to records to index: ``Knowledge`` reads an index, ``compiler`` makes one, ``lint`` judges a folder.

Other rooms import by name what only some runs need: ``search``, ``markdown``, ``casefile``, ``compiler``, ``lint``.
"""

from .base import Knowledge
from .opening import BUILT_IN, open_index

__all__ = [
    "BUILT_IN",
    "Knowledge",
    "open_index",
]
