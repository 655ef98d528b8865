"""A knowledge base, ready for sessions: vocabulary, incidents, remedies, rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import thaw
from .errors import KnowledgeError
from .index import Index, cached_index
from .model import FactSpec, Incident, Remedy, Signature
from .program import Program, compile_program
from .vocabulary import Vocabulary
from .workingmemory import Layout

if TYPE_CHECKING:
    from .durable import DurableRulesets
    from .reference import Ruleset
    from .search import Hit

BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "kb")


class Knowledge:
    """Read-only and shared by any number of sessions. Records are read when they are first asked for."""

    def __init__(self, index: Index | None, overlays: dict[str, dict[str, Any]] | None = None) -> None:
        self._index = index
        self._overlays = overlays or {"fact": {}, "incident": {}, "remedy": {}}
        self._records: dict[tuple[str, str], Any] = {}
        self.version = index.version if index else ""
        self.digest = index.digest if index else ""
        self.vocabulary = Vocabulary(self._names("fact"), self._fact)
        self._program: Program | None = None
        self._layout: Layout | None = None
        self._rulesets: DurableRulesets | None = None
        self._reference: Ruleset | None = None
        self._searchable: list[Any] = []
        self._folders: list[str] = []

    @classmethod
    def load(cls, *overlays: str | os.PathLike[str], built_in: bool = True) -> Knowledge:
        """The built-in knowledge base with folders laid over it; a later folder wins.

        Without ``built_in`` the first folder is the knowledge base. Raises KnowledgeError.
        """
        folders = [os.fspath(folder) for folder in overlays]
        if built_in:
            folders.insert(0, BUILT_IN)
        if not folders:
            raise KnowledgeError("no knowledge base is named")
        base = cls(open_index(folders[0]))
        base._folders = folders[:1]
        return base._with(folders[1:]) if folders[1:] else base

    def _with(self, folders: list[str]) -> Knowledge:
        from .compiler import (
            read_folder,
            search_documents,
        )  # Markdown is parsed only where there is an overlay
        from .indexing import content_digests, digest

        laid: dict[str, dict[str, Any]] = {"fact": {}, "incident": {}, "remedy": {}}
        current = self
        searchable: list[Any] = []
        for folder in folders:
            records = read_folder(folder, current.vocabulary)
            searchable += search_documents(records)
            laid["fact"].update(records.facts)
            laid["incident"].update(records.incidents)
            laid["remedy"].update(records.remedies)
            before, current = current.digest, Knowledge(self._index, laid)
            mark = "".join(content_digests(folder).values())
            current.digest = f"{before}+{digest(mark)[:8]}"
        current._searchable, current._folders = searchable, [*self._folders, *folders]
        return current

    def _names(self, kind: str) -> list[str]:
        names = self._index.names(kind) if self._index else []
        return sorted({*names, *self._overlays[kind]}) if self._overlays[kind] else names

    def _record(self, kind: str, name: str) -> Any:
        key = (kind, name)
        if key not in self._records:
            found = self._overlays[kind].get(name)
            if found is None:
                data = self._index.part(f"{kind}:{name}") if self._index else None
                if data is None:
                    raise KnowledgeError(f'there is no {kind} "{name}"')
                found = _THAW[kind](data)
            self._records[key] = found
        return self._records[key]

    def _fact(self, name: str) -> FactSpec:
        spec: FactSpec = self._record("fact", name)
        return spec

    @property
    def incident_ids(self) -> list[str]:
        """Every incident, sorted."""
        return self._names("incident")

    @property
    def remedy_ids(self) -> list[str]:
        """Every remedy, sorted."""
        return self._names("remedy")

    def incident(self, name: str) -> Incident:
        """An incident by id. Raises KnowledgeError."""
        found: Incident = self._record("incident", name)
        return found

    def remedy(self, name: str) -> Remedy:
        """A remedy by id. Raises KnowledgeError."""
        found: Remedy = self._record("remedy", name)
        return found

    def facts(self) -> Iterator[FactSpec]:
        """Every entry of the vocabulary, families included."""
        for name in self._names("fact"):
            yield self._fact(name)

    def search(self, query: str, kinds: Iterable[str] = ("incident", "remedy", "fact")) -> list[Hit]:
        """Entries that hold words of the query, best first."""
        from .search import search

        return search(self.searchable(), query, kinds)

    def searchable(self) -> list[Any]:
        """What search looks through: kind, id, title and counted tokens of every entry."""
        listed: dict[tuple[str, str], Any] = {}
        for document in [*self._searchable, *(self._index.part("search") if self._index else [])]:
            listed.setdefault((document[0], document[1]), document)
        return list(listed.values())

    def file(self, path: str) -> str:
        """The Markdown file of an entry, from its ``path``; the last folder that has it wins."""
        for folder in reversed(self._folders):
            if os.path.isfile(os.path.join(folder, path)):
                return os.path.join(folder, path)
        raise KnowledgeError(f"the file {path} is gone")

    def signatures(self) -> dict[str, tuple[Signature, ...]]:
        """The log signatures of every fact that has some."""
        if self._index and not self._overlays["fact"]:
            listed = self._index.part("signatures")
            return {name: tuple(thaw.signature(s) for s in found) for name, found in listed}
        return {spec.name: spec.signatures for spec in self.facts() if spec.signatures}

    @property
    def program(self) -> Program:
        """The rules."""
        if self._program is None:
            if self._index and not any(self._overlays.values()):
                self._program = Program.from_json(self._index.part("program"))
            else:
                self._program = compile_program(
                    self.facts(),
                    map(self.incident, self.incident_ids),
                    map(self.remedy, self.remedy_ids),
                    lambda name: self.vocabulary.spec(name).sign,
                )
        return self._program

    @property
    def layout(self) -> Layout:
        """Where the program uses each token."""
        if self._layout is None:
            self._layout = Layout(self.program)
        return self._layout

    def rulesets(self) -> DurableRulesets:
        """The rules compiled for durable-rules, shared by sessions. Raises MatcherError without it."""
        if self._rulesets is None:
            from .durable import DurableRulesets

            self._rulesets = DurableRulesets()
        return self._rulesets

    def reference_ruleset(self) -> Ruleset:
        """The rules for the reference matcher, shared by sessions."""
        if self._reference is None:
            from .reference import Ruleset

            incidents, remedies = map(self.incident, self.incident_ids), map(self.remedy, self.remedy_ids)
            self._reference = Ruleset(self.facts(), incidents, remedies, self.vocabulary.spec)
        return self._reference


_THAW = {"fact": thaw.fact_spec, "incident": thaw.incident, "remedy": thaw.remedy}


def open_index(folder: str) -> Index:
    """The up-to-date index of a folder; compiled, and kept for the next run, if there is none."""
    if not os.path.isdir(folder):
        raise KnowledgeError("there is no such folder", folder)
    index = cached_index(folder)
    if index is None:
        from . import indexing

        index = indexing.open_index(folder)
    return index
