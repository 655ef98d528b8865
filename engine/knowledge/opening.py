"""The index of a folder of knowledge: the one that is there, or one that is made and kept."""

from __future__ import annotations

import os

from ..errors import KnowledgeError
from .index import Index, cached_index, stamp

BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "kb")


def open_index(folder: str) -> Index:
    """The up-to-date index of a folder; compiled, and kept for the next run, if there is none."""
    if not os.path.isdir(folder):
        raise KnowledgeError("there is no such folder", folder)
    index = cached_index(folder)
    if index is None:
        from .indexing import current_package, keep

        index = current_package(folder)
    if index is None:
        from .compiler import build_index

        before = stamp(folder)  # what is edited meanwhile is seen by the next run
        data = build_index(folder)
        keep(folder, data, before)
        index = Index(data)
    return index
