"""A folder of Markdown becomes records, and records become the index. Only done when something changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .conditions import facts_of
from .errors import KnowledgeError
from .indexing import content_digests, serialise
from .loader import (
    LoadedFile,
    fact_from,
    incident_from,
    kb_version,
    knowledge_files,
    read_files,
    remedy_from,
    with_derivations,
)
from .markdown import plain
from .model import FactSpec, Incident, Remedy
from .program import compile_program
from .search import documents
from .thaw import freeze
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class Records:
    """Everything that one folder holds, with the parsed files for the linter."""

    folder: str
    facts: dict[str, FactSpec]
    incidents: dict[str, Incident]
    remedies: dict[str, Remedy]
    files: dict[str, LoadedFile]


def read_folder(folder: str, base: Vocabulary | None = None) -> Records:
    """Read a knowledge base, or an overlay that may use the vocabulary of ``base``.

    Raises KnowledgeError at the first file that breaks the format.
    """
    paths = knowledge_files(Path(folder))
    files = {kind: read_files(Path(folder), kind, found) for kind, found in paths.items()}
    facts = {spec.name: spec for spec in map(fact_from, files["facts"].values())}
    vocabulary = Vocabulary(facts, facts.__getitem__)

    def type_of(name: str) -> FactSpec:
        return vocabulary.spec(name) if name in vocabulary or base is None else base.spec(name)

    by_path = {f"facts/{f.path.name}": f for f in files["facts"].values()}
    facts = {n: with_derivations(spec, by_path[spec.path], type_of) for n, spec in facts.items()}
    refuse_cycles(facts)
    incidents = {n: incident_from(f, type_of) for n, f in files["incidents"].items()}
    remedies = {n: remedy_from(f, type_of) for n, f in files["remedies"].items()}
    every = {f"{kind}/{f.path.name}": f for kind, found in files.items() for f in found.values()}
    return Records(folder, facts, incidents, remedies, every)


def refuse_cycles(facts: dict[str, FactSpec]) -> None:
    """Derived facts must not depend on themselves: conclusions could hold each other up."""
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circle = " -> ".join((*path[path.index(name) :], name))
            raise KnowledgeError(f"derived facts go in a circle: {circle}", facts[name].path)
        if name in done or name not in facts:
            return
        for derivation in facts[name].derived:
            for read in (*facts_of(derivation.when), derivation.items_of):
                visit(read, (*path, name))
        done.add(name)

    for name in facts:
        visit(name, ())


def build_index(folder: str) -> bytes:
    """The index of a self-contained knowledge base."""
    records = read_folder(folder)
    parts: dict[str, Any] = {
        "program": program_of(records, Vocabulary(records.facts, records.facts.__getitem__).spec)
    }
    parts["signatures"] = [
        [name, freeze(spec)["signatures"]] for name, spec in sorted(records.facts.items()) if spec.signatures
    ]
    parts["search"] = search_documents(records)
    for kind, found in _kinds(records).items():
        for name, record in found.items():
            parts[f"{kind}:{name}"] = freeze(record)
    names = {kind: sorted(found) for kind, found in _kinds(records).items()}
    return serialise(kb_version(Path(folder)), content_digests(folder), names, parts)


def search_documents(records: Records) -> list[Any]:
    """What ``gpudoctor search`` looks through."""
    bodies = {
        path: " ".join(plain(t.content) for t in file.page.tokens if t.type == "inline")
        for path, file in records.files.items()
    }
    incidents = [records.incidents[n] for n in sorted(records.incidents)]
    remedies = [records.remedies[n] for n in sorted(records.remedies)]
    return documents(incidents, remedies, dict(sorted(records.facts.items())), bodies)


def _kinds(records: Records) -> dict[str, dict[str, Any]]:
    return {"fact": records.facts, "incident": records.incidents, "remedy": records.remedies}


def program_of(records: Records, type_of: Callable[[str], FactSpec]) -> dict[str, Any]:
    """The rules of a folder as JSON."""
    return compile_program(
        (records.facts[n] for n in sorted(records.facts)),
        (records.incidents[n] for n in sorted(records.incidents)),
        (records.remedies[n] for n in sorted(records.remedies)),
        lambda name: type_of(name).sign,
    ).to_json()
