"""A knowledge base, ready for sessions: vocabulary, incidents, remedies, rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..errors import KnowledgeError
from ..facts import Vocabulary
from ..model import KNOWN_ISSUE, FactSpec, Incident, Need, Pitfall, Product, Remedy, Signature
from ..rules import Program, compile_program, from_json
from ..rules.layout import Layout
from . import recordjson
from .index import Index
from .layers import Layer
from .opening import BUILT_IN, open_index
from .records import NOTHING, Laid, Records

if TYPE_CHECKING:
    from ..rules.durable import DurableRulesets
    from ..rules.reference import Ruleset
    from .concerns import Concerns
    from .literals import Literals
    from .prospects import Prospect
    from .resemblance import Resemblance
    from .search import Hit, Searchable
    from .wordings import Wordings


class Knowledge:
    """Read-only and shared by any number of sessions. Records are read when they are first asked for."""

    def __init__(
        self,
        index: Index | None,
        laid: Laid = NOTHING,
        *,
        folders: tuple[str, ...] = (),
        searchable: Searchable | None = None,
    ) -> None:
        self._index = index
        self._laid = laid
        self._records = Records(index, laid)
        self.version = index.version if index else ""
        self.digest = (index.digest if index else "") + laid.mark
        families = None if self._records.laid("fact") else index.part("families") if index else ()
        self.vocabulary = Vocabulary(self._records.names("fact"), self._fact, families)
        self._issue_ids: frozenset[str] | None = None
        self._commonest: list[str] | None = None
        self._layout: Layout | None = None
        self._rulesets: DurableRulesets | None = None
        self._reference: Ruleset | None = None
        self._searchable = searchable
        self._resemblance: Resemblance | None = None
        self._concerns: Concerns | None = None
        self._wordings: Wordings | None = None
        self._literals: dict[str, Any] | None = None  # their rows, where no index has them
        self._folders = (*folders, *laid.folders)

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
        return _under(cls(open_index(folders[0]), folders=tuple(folders[:1])), folders[1:])

    @classmethod
    def from_index(cls, rows: bytes, *overlays: str) -> Knowledge:
        """The knowledge base of an index, which is taken as it is, with folders laid over it. Raises KnowledgeError."""
        try:
            base = cls(Index(rows))
        except (ValueError, KeyError) as error:
            raise KnowledgeError(f"this is no index: {error}", "") from None
        return _under(base, list(overlays))

    def under(self, laid: Laid, searchable: Searchable | None = None) -> Knowledge:
        """The same index with other records over it."""
        return Knowledge(self._index, laid, folders=self._folders, searchable=searchable)

    def index_bytes(self) -> bytes:
        """The index of the first folder, as ``from_index`` takes it."""
        return self._index.content() if self._index else b""

    def _fact(self, name: str) -> FactSpec:
        spec: FactSpec = self._records.record("fact", name)
        return spec

    @property
    def incident_ids(self) -> list[str]:
        """Every incident and known issue, sorted."""
        return list(self._records.names("incident"))

    def counts(self) -> tuple[int, int]:
        """How many incidents there are beside the known issues, and how many known issues."""
        if self._index and self._records.is_indexed:
            faults, issues = self._index.part("counts")
            return faults, issues
        return len(self.fault_ids), len(self.issue_ids)

    @property
    def issue_ids(self) -> frozenset[str]:
        """Those of the incidents that are known issues."""
        if self._issue_ids is None:
            listed = set(self._index.part(f"names:{KNOWN_ISSUE}") if self._index else ())
            laid = self._records.laid("incident")
            listed.difference_update(laid)
            self._issue_ids = frozenset(listed | {n for n, i in laid.items() if i.kind == KNOWN_ISSUE})
        return self._issue_ids

    @property
    def fault_ids(self) -> list[str]:
        """The incidents that are no known issues, sorted."""
        issues = self.issue_ids
        return [name for name in self.incident_ids if name not in issues]

    def commonest_faults(self) -> list[str]:
        """The incidents that are no known issues, in the order in which they are met."""
        if self._commonest is None:
            if self._index and self._records.is_indexed:
                self._commonest = self._index.part("commonest")
            else:
                from .prospects import commonest_first

                self._commonest = commonest_first(map(self.incident, self.fault_ids))
        return self._commonest

    def prospect(self, name: str) -> Prospect | None:
        """The short form of a fault of which nothing is known, if the index keeps one."""
        if self._index is None or not self._records.is_indexed:
            return None
        from .prospects import prospect

        row = self._index.part(f"prospect:{name}")
        return None if row is None else prospect(row)

    @property
    def product_ids(self) -> list[str]:
        """Every product that has a table, sorted."""
        return list(self._records.names("product"))

    def product(self, name: str) -> Product:
        """A product by id. Raises KnowledgeError."""
        found: Product = self._records.record("product", name)
        return found

    def packages(self) -> dict[str, str]:
        """The fact that the version of a package establishes, by the name of the package in lower case."""
        found: dict[str, str] = dict(self._index.part("packages")) if self._index else {}
        for product in self._records.laid("product").values():
            found.update((package.lower(), product.fact) for package in product.packages)
        return found

    @property
    def pitfall_ids(self) -> list[str]:
        """Every pitfall, sorted."""
        return list(self._records.names("pitfall"))

    def pitfall(self, name: str) -> Pitfall:
        """A pitfall by id. Raises KnowledgeError."""
        found: Pitfall = self._records.record("pitfall", name)
        return found

    def issues_of(self, product: str) -> list[Incident]:
        """The known issues that affect a product."""
        listed: list[str] = (self._index.part(f"issues:{product}") if self._index else None) or []
        laid = self._records.laid("incident")
        listed = [name for name in listed if name not in laid]
        listed += [n for n, i in laid.items() if any(one.product == product for one in i.affects)]
        return [self.incident(name) for name in sorted(listed)]

    @property
    def remedy_ids(self) -> list[str]:
        """Every remedy, sorted."""
        return list(self._records.names("remedy"))

    def incident(self, name: str) -> Incident:
        """An incident by id. Raises KnowledgeError."""
        found: Incident = self._records.record("incident", name)
        return found

    def remedy(self, name: str) -> Remedy:
        """A remedy by id. Raises KnowledgeError."""
        found: Remedy = self._records.record("remedy", name)
        return found

    def cost(self, fact: str) -> int | None:
        """What it costs to be asked for a fact, 0 where nobody is; None where its record must be read to tell."""
        return self._index.part(f"cost:{fact}") if self._index and self._records.is_indexed else None

    def facts(self) -> Iterator[FactSpec]:
        """Every entry of the vocabulary, families included."""
        for name in list(self._records.names("fact")):
            yield self._fact(name)

    def search(self, query: str, kinds: Iterable[str] = ()) -> list[Hit]:
        """Entries that hold words of the query, best first; without ``kinds`` of every kind."""
        from .search import KINDS, search

        return search(self.searchable(), query, kinds or KINDS)

    def searchable(self) -> Searchable:
        """What search looks through."""
        from .search import Searchable

        if self._searchable is None:
            index = self._index
            if index is None:
                return Searchable.of(())
            self._searchable = Searchable(
                index.part("documents"),
                lambda token: index.part(f"word:{token}") or [],
                lambda: index.parts("word"),
            )
        return self._searchable

    @property
    def resemblance(self) -> Resemblance:
        """Looks up which incidents resemble a text."""
        if self._resemblance is None:
            from .resemblance import Resemblance

            self._resemblance = Resemblance(self._layers("resemblance"))
        return self._resemblance

    @property
    def concerns(self) -> Concerns:
        """Tells which incidents a fact concerns."""
        if self._concerns is None:
            from .concerns import Concerns

            self._concerns = Concerns(self._layers("concerns"))
        return self._concerns

    @property
    def wordings(self) -> Wordings:
        """Finds the wordings of facts by the concepts in them."""
        if self._wordings is None:
            from ..language.terms import Tables, tables
            from .wordings import Wordings

            made = self._index.part("concepts") if self._index else None
            self._wordings = Wordings(self._layers("said"), Tables(*made) if made else tables())
        return self._wordings

    def _layers(self, name: str) -> list[Layer]:
        """A table of the index and of each overlay, without the incidents that a later folder replaces."""
        index = self._index
        found = [Layer(self._listed(name), lambda key: index.part(f"{name}:{key}"))] if index else []
        found += [Layer(laid[name]["ids"], laid[name]["rows"].get) for laid in self._laid.tables]
        seen: set[str] = set()
        kept = []
        for layer in reversed(found):
            kept.append(layer._replace(ids=["" if i in seen else i for i in layer.ids]) if seen else layer)
            if len(found) > 1:
                seen.update(layer.ids)
        return kept[::-1]

    def _listed(self, table: str) -> list[str]:
        """What the numbers in a table of the index stand for: incidents, or the facts that have wordings."""
        if self._index and table == "said":
            found: list[str] = self._index.part(table)
            return found
        return self._records.indexed("incident")

    def file(self, path: str) -> str:
        """The Markdown file of an entry, from its ``path``; the last folder that has it wins."""
        for folder in reversed(self._folders):
            if os.path.isfile(os.path.join(folder, path)):
                return os.path.join(folder, path)
        raise KnowledgeError(f"the file {path} is gone")

    def signatures(self) -> dict[str, tuple[Signature, ...]]:
        """The signatures of every fact that has some, as they are matched: their examples stand in the facts."""
        if self._index and not self._records.laid("fact"):
            listed = self._index.part("signatures")
            return {name: tuple(map(recordjson.unpack, found)) for name, found in listed}
        return {spec.name: spec.signatures for spec in self.facts() if spec.signatures}

    def literals(self, table: str) -> Literals:
        """The literals of signatures: ``literals.LOGS`` or ``literals.SAID``."""
        from .literals import Literals, literal_rows

        if self._index and not self._records.laid("fact"):
            return Literals(table, self._index.part)
        if self._literals is None:
            self._literals = literal_rows(self.signatures().items())
        return Literals(table, self._literals.get)

    def needs(self) -> tuple[Need, ...]:
        """What must be known before a machine may be called clean."""
        listed = self._index.part("clean") if self._index else None
        return tuple(Need(from_json(when), tuple(facts)) for when, facts in listed or ())

    @property
    def program(self) -> Program:
        """All rules at once, compiled anew. A session reads those that it needs from ``layout``."""
        return compile_program(
            self.facts(),
            map(self.incident, self.incident_ids),
            lambda name: self.vocabulary.spec(name).sign,
        )

    @property
    def layout(self) -> Layout:
        """The rules, read as they are needed; shared by sessions."""
        if self._layout is None:
            if self._index and self._records.is_indexed:
                self._layout = Layout(self._index.part)
            else:
                self._layout = Layout.of(self.program)
        return self._layout

    def tested_facts(self) -> list[str]:
        """Every fact that a rule reads, sorted."""
        if self._index and self._records.is_indexed:
            found: list[str] = self._index.part("tested")
            return found
        return sorted({fact for test in self.program.tests for fact in test.reads})

    def exact_facts(self) -> set[str]:
        """Facts of which rules see more than which of their tests hold."""
        if self._index and self._records.is_indexed:
            return set(self._index.part("exact"))
        from .compiler import exact_facts

        return exact_facts(self.program, self.facts())

    def rulesets(self) -> DurableRulesets:
        """The rules compiled for durable-rules, shared by sessions. Raises MatcherError without it."""
        if self._rulesets is None:
            from ..rules.durable import DurableRulesets

            self._rulesets = DurableRulesets()
        return self._rulesets

    def reference_ruleset(self) -> Ruleset:
        """The rules for the reference matcher, shared by sessions."""
        if self._reference is None:
            from ..rules.reference import Ruleset

            incidents = map(self.incident, self.incident_ids)
            self._reference = Ruleset(self.facts(), incidents, self.vocabulary.spec)
        return self._reference


def _under(base: Knowledge, folders: list[str]) -> Knowledge:
    """A knowledge base with folders laid over it."""
    if not folders:
        return base
    from .overlays import read_overlays

    return base.under(*read_overlays(base, folders, base.under))
