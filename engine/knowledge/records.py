"""Records by kind and name: read from the index when they are first asked for, unless a folder lies over it."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from ..errors import KnowledgeError
from ..tuples import NamedTuple
from . import recordjson
from .index import Index

_FROM_JSON = {
    "fact": recordjson.fact_spec,
    "incident": recordjson.incident,
    "remedy": recordjson.remedy,
    "product": recordjson.product,
    "pitfall": recordjson.pitfall,
}


class Laid(NamedTuple):
    """What folders that lie over an index bring along."""

    records: Mapping[str, Mapping[str, Any]] = {}
    """By kind and name; a later folder has replaced those of an earlier one."""
    tables: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
    """Of each folder its tables of incidents by key, by the name of the table (``layers``)."""
    mark: str = ""
    """Stands for their content, behind the digest of the index."""
    folders: tuple[str, ...] = ()


NOTHING = Laid()


class Records:
    """All records: of the index, and of what lies over it."""

    def __init__(self, index: Index | None, laid: Laid = NOTHING) -> None:
        self._index = index
        self._laid = laid.records
        self._read: dict[tuple[str, str], Any] = {}
        self._listed: dict[str, list[str]] = {}
        self.is_indexed = index is not None and not any(laid.records.values())
        """Whether all there is stands in the index, and with it all that was worked out of it."""

    def laid(self, kind: str) -> Mapping[str, Any]:
        """The records of a kind that lie over the index."""
        return self._laid.get(kind, {})

    def names(self, kind: str) -> "Names":
        """The names of all records of a kind."""
        return Names(self._index, self.laid(kind), lambda: self.indexed(kind), kind)

    def indexed(self, kind: str) -> list[str]:
        """The names of a kind that stand in the index, sorted; not to be changed."""
        found = self._listed.get(kind)
        if found is None:
            found = self._listed[kind] = self._index.part(f"names:{kind}") if self._index else []
        return found

    def record(self, kind: str, name: str) -> Any:
        """A record. Raises KnowledgeError."""
        found = self._read.get((kind, name))
        if found is None:
            found = self.laid(kind).get(name)
            if found is None:
                data = self._index.part(f"{kind}:{name}") if self._index else None
                if data is None:
                    raise KnowledgeError(f'there is no {kind} "{name}"')
                found = _FROM_JSON[kind](data)
            self._read[kind, name] = found
        return found


class Names(Collection[str]):
    """The names of one kind: looked up one by one, and listed only when somebody asks for all."""

    def __init__(
        self, index: Index | None, over: Collection[str], indexed: Callable[[], list[str]], kind: str
    ) -> None:
        self._index = index
        self._over = over
        self._indexed = indexed
        self._kind = kind

    def __contains__(self, name: object) -> bool:
        return name in self._over or (self._index is not None and f"{self._kind}:{name}" in self._index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> list[str]:
        below = self._indexed()
        return sorted({*below, *self._over}) if self._over else below
