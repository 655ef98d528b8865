"""A folder of Markdown becomes records, and records become the index. Only done when something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..errors import KnowledgeError
from ..facts import TypeOf, Vocabulary
from ..language.terms import tables as concept_tables
from ..model import KNOWN_ISSUE, FactSpec, Incident, Pitfall, Product, Remedy
from ..rules import Program, as_json, compile_program, facts_of
from ..rules.layout import rule_rows
from .affected import fix_id
from .concerns import table_of
from .factrecords import fact_from, with_derivations
from .files import LoadedFile, kb_version, knowledge_files, read_files
from .indexing import content_digests, serialise
from .issuerecords import issue_incident, issue_remedy, sign_facts
from .issues import issue_from
from .literals import literal_rows
from .loader import incident_from, needs_of, remedy_from
from .markdown import plain
from .pitfalls import pitfall_from
from .postings import build
from .products import in_use_fact, packages_of, product_from, version_fact
from .prospects import commonest_first, prospect_rows
from .recordjson import freeze, pack
from .relations import refuse_circles, with_relations
from .roads import road_facts
from .search import documents, index_of
from .wordings import KIND as SAYINGS
from .wordings import build as build_wordings


class Below(Protocol):
    """What an overlay may use of the knowledge base under it."""

    vocabulary: Vocabulary

    @property
    def product_ids(self) -> list[str]:
        """Every product that has a table."""

    def product(self, name: str) -> Product:
        """A product by id. Raises KnowledgeError."""


@dataclass(frozen=True)
class FolderRecords:
    """Everything that one folder holds, with the parsed files for the linter."""

    folder: str
    facts: dict[str, FactSpec]
    incidents: dict[str, Incident]
    remedies: dict[str, Remedy]
    products: dict[str, Product]
    pitfalls: dict[str, Pitfall]
    files: dict[str, LoadedFile]


def read_folder(folder: str, base: Below | None = None) -> FolderRecords:
    """Read a knowledge base, or an overlay that may use the vocabulary and the products of ``base``.

    Raises KnowledgeError at the first file that breaks the format.
    """
    paths = knowledge_files(Path(folder))
    files = {kind: read_files(Path(folder), kind, found) for kind, found in paths.items()}
    facts = {spec.name: spec for spec in map(fact_from, files["facts"].values())}
    products = {n: product_from(f) for n, f in files["products"].items()}
    issues = [
        issue_from(f, {*products, *(base.product_ids if base else ())})
        for f in files["known-issues"].values()
    ]
    told = {*facts, *(base.vocabulary.names if base else ())}
    facts.update((p.fact, version_fact(p)) for p in products.values() if p.fact not in told)
    facts.update((spec.name, spec) for issue in issues for spec in sign_facts(issue))
    type_of = _types(facts, base)
    facts.update((p.in_use, in_use_fact(p, files["products"][p.id], type_of)) for p in products.values())
    if base is None and issues and "road.hang" not in facts:
        facts.update(road_facts())
    type_of = _types(facts, base)
    by_path = {f.entry: f for f in files["facts"].values()}
    for spec in [spec for spec in facts.values() if spec.path in by_path]:
        facts[spec.name] = with_derivations(spec, by_path[spec.path], type_of)
    below = {name: base.vocabulary.spec(name) for name in base.vocabulary.names} if base else {}
    facts = with_relations(facts, below)
    refuse_circles(facts)
    type_of = _types(facts, base)

    def product_of(name: str) -> Product:
        return products[name] if name in products or base is None else base.product(name)

    incidents = {n: incident_from(f, type_of) for n, f in files["incidents"].items()}
    remedies = {n: remedy_from(f, type_of) for n, f in files["remedies"].items()}
    for issue in issues:
        for kind, name in (("incidents", issue.id), ("remedies", fix_id(issue.id))):
            if name in files[kind]:
                raise KnowledgeError(f"{files[kind][name].entry} has the same name", issue.file.where)
        incidents[issue.id] = issue_incident(issue, type_of)
        remedies[fix_id(issue.id)] = issue_remedy(issue, product_of, type_of)
    pitfalls = {n: pitfall_from(f, type_of) for n, f in files["pitfalls"].items()}
    every = {f.entry: f for found in files.values() for f in found.values()}
    return FolderRecords(folder, facts, incidents, remedies, products, pitfalls, every)


def _types(facts: dict[str, FactSpec], base: Below | None) -> TypeOf:
    vocabulary = Vocabulary(facts, facts.__getitem__)
    known = base.vocabulary if base else None

    def type_of(name: str) -> FactSpec:
        return known.spec(name) if known and name not in vocabulary else vocabulary.spec(name)

    return type_of


def build_index(folder: str) -> bytes:
    """The index of a self-contained knowledge base."""
    records = read_folder(folder)
    return serialise(kb_version(Path(folder)), content_digests(folder), _parts(records))


def _parts(records: FolderRecords) -> Iterator[tuple[str, Any]]:
    """Every row of the index."""
    vocabulary = Vocabulary(records.facts, records.facts.__getitem__)
    program = program_of(records, vocabulary.spec)
    yield from rule_rows(program).items()
    yield "tested", sorted({fact for test in program.tests for fact in test.reads})
    yield "exact", sorted(exact_facts(program, records.facts.values()))
    yield (
        "signatures",
        [
            [name, [pack(signature) for signature in spec.signatures]]
            for name, spec in sorted(records.facts.items())
            if spec.signatures
        ],
    )
    yield from literal_rows((name, spec.signatures) for name, spec in sorted(records.facts.items())).items()
    listed, postings = index_of(search_documents(records, {}))
    yield "documents", listed
    yield from ((f"word:{token}", found) for token, found in postings.items())
    tables = {
        "resemblance": resemblance_index(records, {}, {}),
        "concerns": concerns_table(records, vocabulary.spec, records.products.values()),
        "said": wordings_table(records),
    }
    yield "concepts", concept_tables()
    yield "said", tables["said"]["ids"]  # the other two number all incidents
    for name, table in tables.items():
        yield from ((f"{name}:{key}", row) for key, row in table["rows"].items())
    faults = [i for i in records.incidents.values() if i.kind != KNOWN_ISSUE]
    yield from ((f"prospect:{name}", row) for name, row in prospect_rows(faults, vocabulary.spec))
    yield "commonest", commonest_first(faults)
    needs = needs_of(Path(records.folder), vocabulary.spec)
    yield "clean", [[as_json(need.when), list(need.facts)] for need in needs]
    for kind, found in _kinds(records).items():
        yield f"names:{kind}", sorted(found)
        yield from ((f"{kind}:{name}", freeze(record)) for name, record in found.items())
    yield f"names:{KNOWN_ISSUE}", sorted(i.id for i in records.incidents.values() if i.kind == KNOWN_ISSUE)
    yield "counts", [len(faults), len(records.incidents) - len(faults)]
    yield "packages", packages_of(records.products)
    yield from ((f"issues:{product}", found) for product, found in issues_of(records.incidents).items())
    yield from ((f"cost:{name}", spec.cost if spec.question else 0) for name, spec in records.facts.items())
    yield "families", sorted(name for name in records.facts if "<" in name)


def exact_facts(program: Program, facts: Iterable[FactSpec]) -> set[str]:
    """Facts of which rules see more than which tests hold: those compared with another, counted or copied."""
    compared = {fact for test in program.tests if len(test.reads) > 1 for fact in test.reads}
    read = {name for spec in facts for d in spec.derived for name in (d.items_of, d.copy_of) if name}
    return compared | read


def search_documents(records: FolderRecords, below: Mapping[str, FactSpec]) -> list[Any]:
    """What ``gpudoctor search`` looks through; ``below`` are the facts of the knowledge base under the folder."""
    bodies = {
        path: " ".join(plain(t.content) for t in file.page.tokens if t.type == "inline")
        for path, file in records.files.items()
    }
    incidents = [records.incidents[n] for n in sorted(records.incidents)]
    for incident in incidents:
        bodies[incident.path] += " " + " ".join(records.files[incident.path].head().texts("said"))
    remedies = [records.remedies[n] for n in sorted(records.remedies)]
    facts = dict(sorted(records.facts.items()))
    return documents(incidents, remedies, facts, records.products, bodies, below)


def concerns_table(
    records: FolderRecords, type_of: Callable[[str], FactSpec], products: Iterable[Product]
) -> dict[str, Any]:
    """Which incidents of a folder a fact concerns, and of which products they are."""
    return table_of((records.incidents[n] for n in sorted(records.incidents)), type_of, products)


def wordings_table(records: FolderRecords) -> dict[str, Any]:
    """The wordings of the facts of a folder."""
    return build_wordings((records.facts[n] for n in sorted(records.facts)), concept_tables())


def resemblance_index(
    records: FolderRecords, remedies: Mapping[str, Remedy], facts: Mapping[str, FactSpec]
) -> dict[str, Any]:
    """The words of the incidents of a folder; ``remedies`` and ``facts`` are those of the knowledge base under it."""
    remedies, facts = {**remedies, **records.remedies}, {**facts, **records.facts}
    return build(
        {n: _fields(records, records.incidents[n], remedies, facts) for n in sorted(records.incidents)}
    )


def _fields(
    records: FolderRecords,
    incident: Incident,
    remedies: Mapping[str, Remedy],
    known: Mapping[str, FactSpec],
) -> dict[str, str]:
    facts = {f for c in incident.conditions("suggests", "confirms") for f in facts_of(c.when)}
    specs = [known[f] for f in sorted(facts) if f in known]
    file = records.files[incident.path]
    page = file.page
    told = {
        s.title: " ".join(plain(t.content) for t in s.tokens if t.type == "inline") for s in page.sections
    }
    cures = [remedies[name] for name in incident.remedies if name in remedies]
    return {
        "title": incident.title,
        "id": f"{incident.id} {incident.id.replace('-', ' ')} {' '.join(incident.aliases)}",
        "signs": " ".join(" ".join((*s.literals, *s.matches)) for f in specs for s in f.signatures),
        "said": " ".join(
            " ".join(
                (f.title, *(f.said if not f.name.startswith(SAYINGS) and f.path != incident.path else ()))
            )
            for f in specs
        ),
        "reports": " ".join(file.head().texts("said")),
        "symptom": told.get("Symptom", "") or told.get("What happens", ""),
        "cause": told.get("Cause", "") or told.get("Affected", ""),
        "other": f"{told.get('Tell it apart', '')} {told.get('Limits', '')}",
        "sources": " ".join(s.supports for s in incident.sources),
        "remedies": " ".join(f"{r.title} {' '.join(name for name, _ in r.sets)}" for r in cures),
    }


def _kinds(records: FolderRecords) -> dict[str, dict[str, Any]]:
    return {
        "fact": records.facts,
        "incident": records.incidents,
        "remedy": records.remedies,
        "product": records.products,
        "pitfall": records.pitfalls,
    }


def issues_of(incidents: Mapping[str, Incident]) -> dict[str, list[str]]:
    """The known issues that affect each product, sorted."""
    found: dict[str, list[str]] = {}
    for name, incident in sorted(incidents.items()):
        for product in dict.fromkeys(one.product for one in incident.affects):
            found.setdefault(product, []).append(name)
    return found


def program_of(records: FolderRecords, type_of: Callable[[str], FactSpec]) -> Program:
    """The rules of a folder."""
    return compile_program(
        (records.facts[n] for n in sorted(records.facts)),
        (records.incidents[n] for n in sorted(records.incidents)),
        lambda name: type_of(name).sign,
    )
