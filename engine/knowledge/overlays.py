"""Folders that are laid over a knowledge base: read, compiled, and put over what is below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from ..model import FactSpec, Remedy
from .compiler import (
    Below,
    FolderRecords,
    concerns_table,
    read_folder,
    resemblance_index,
    search_documents,
    wordings_table,
)
from .indexing import content_digests, digest
from .records import Laid
from .search import Searchable


class Base(Below, Protocol):
    """The knowledge base that is laid over."""

    @property
    def remedy_ids(self) -> list[str]:
        """Every remedy, sorted."""

    def remedy(self, name: str) -> Remedy:
        """A remedy by id. Raises KnowledgeError."""

    def facts(self) -> Iterator[FactSpec]:
        """Every entry of the vocabulary."""

    def searchable(self) -> Searchable:
        """What search looks through."""


def read_overlays(
    base: Base, folders: Sequence[str], under: Callable[[Laid], Base]
) -> tuple[Laid, Searchable]:
    """What the folders bring along, a later one in the place of an earlier one, and what search looks through.

    ``under`` makes of the base what it is under them. Raises KnowledgeError.
    """
    laid: dict[str, dict[str, Any]] = {
        kind: {} for kind in ("fact", "incident", "remedy", "product", "pitfall")
    }
    current, searchable, mark = base, base.searchable(), ""
    read: list[tuple[FolderRecords, dict[str, Any]]] = []
    for folder in folders:
        records = read_folder(folder, current)
        facts = {spec.name: spec for spec in current.facts()}
        searchable = searchable.under(Searchable.of(search_documents(records, facts)))
        beside = {name: current.remedy(name) for name in current.remedy_ids}
        read.append((records, resemblance_index(records, beside, facts)))
        laid["fact"].update(records.facts)
        laid["incident"].update(records.incidents)
        laid["remedy"].update(records.remedies)
        laid["product"].update(records.products)
        laid["pitfall"].update(records.pitfalls)
        mark += f"+{digest(''.join(content_digests(folder).values()))[:8]}"
        current = under(Laid(laid, mark=mark))
    type_of = current.vocabulary.spec
    tables = tuple(
        {
            "resemblance": near,
            "concerns": concerns_table(records, type_of, map(current.product, current.product_ids)),
            "said": wordings_table(records),
        }
        for records, near in read
    )
    return Laid(laid, tables, mark, tuple(folders)), searchable
