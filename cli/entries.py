"""What is said of an entry of the knowledge base: one content, printed in the terminal and on the site."""

from __future__ import annotations

import difflib
from typing import NamedTuple

from ..engine import EngineError, FactError, Knowledge
from ..engine.conditions import words
from ..engine.markdown import Page, read_page
from ..engine.model import Cond, EnvVar, FactSpec, Incident, Remedy, Source
from .errors import UsageError

GRADES = {
    "confirmed": "confirmed by a reporter",
    "stated": "stated by maintainers or documentation",
    "inferred": "inferred from sources",
    "hearsay": "hearsay",
}


class Rule(NamedTuple):
    """One rule of an entry: its slot, the word for it, the condition, and the whole in words."""

    slot: str
    label: str
    condition: Cond
    text: str
    weight: str = ""

    @property
    def sentence(self) -> str:
        """The rule as one line."""
        return f"{self.label}: {self.text}"


class Note(NamedTuple):
    """A labelled sentence; ``danger`` marks what must not be overlooked."""

    label: str
    text: str
    danger: bool = False


class Entry(NamedTuple):
    """Everything that is said of an incident, a remedy or a fact, in the order in which it is said."""

    kind: str
    id: str
    title: str
    about: tuple[str, ...]
    rules: tuple[Rule, ...]
    remedies: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    page: Page
    sources: tuple[Source, ...]


def find(knowledge: Knowledge, name: str) -> Incident | Remedy | FactSpec:
    """An entry by id. Raises UsageError that suggests the nearest."""
    if name in knowledge.incident_ids:
        return knowledge.incident(name)
    if name in knowledge.remedy_ids:
        return knowledge.remedy(name)
    for known in knowledge.incident_ids:
        if name in knowledge.incident(known).aliases:
            return knowledge.incident(known)
    try:
        return knowledge.vocabulary.spec(name)
    except FactError:
        every = [*knowledge.incident_ids, *knowledge.remedy_ids, *knowledge.vocabulary.names]
        near = difflib.get_close_matches(name, every, 3, cutoff=0.5)
        hint = f"; near to it: {', '.join(near)}" if near else "; try gpudoctor search"
        raise UsageError(f'there is no incident, remedy or fact "{name}"{hint}') from None


def describe(knowledge: Knowledge, entry: Incident | Remedy | FactSpec) -> Entry:
    """What is said of an entry. Raises UsageError if its file cannot be read."""
    page = _page(knowledge, entry.path)
    if isinstance(entry, Incident):
        return _incident(knowledge, entry, page)
    return _remedy(entry, page) if isinstance(entry, Remedy) else _fact(entry, page)


def _page(knowledge: Knowledge, path: str) -> Page:
    try:
        place = knowledge.file(path)
        with open(place, encoding="utf-8") as file:
            return read_page(file.read(), path)
    except (OSError, UnicodeDecodeError, EngineError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def _incident(knowledge: Knowledge, incident: Incident, page: Page) -> Entry:
    return Entry(
        kind="incident",
        id=incident.id,
        title=incident.title,
        about=(incident.family, ", ".join(incident.vendors), incident.frequency, GRADES[incident.grade]),
        rules=tuple(rules_of(incident)),
        remedies=tuple((name, knowledge.remedy(name).title) for name in incident.remedies),
        notes=tuple(Note(look.id, f"told apart by {', '.join(look.by)}") for look in incident.lookalikes),
        page=page,
        sources=incident.sources,
    )


def rules_of(incident: Incident) -> list[Rule]:
    """The rules of an incident, in the order in which a person checks them."""
    rules = [Rule("requires", "required", c, words(c)) for c in incident.requires]
    rules += [Rule("confirms", "proof", c, words(c)) for c in incident.confirms]
    rules += [
        Rule("suggests", f"{e.weight} sign", e.when, words(e.when), e.weight) for e in incident.suggests
    ]
    rules += [Rule("excludes", "ruled out by", c, words(c)) for c in incident.excludes]
    return rules


def _remedy(remedy: Remedy, page: Page) -> Entry:
    notes = [Note("Risk", remedy.risk), Note("Cost", remedy.cost or "none known")]
    if remedy.danger:
        notes.append(Note("DANGER", remedy.danger, danger=True))
    notes += [Note("Exists in", f"{name} {found}") for name, found in remedy.versions]
    notes += [Note("Sets", f"{name}={value}") for name, value in remedy.sets]
    notes += [Note("Unsets", name) for name in remedy.unsets]
    return Entry(
        kind="remedy",
        id=remedy.id,
        title=remedy.title,
        about=(remedy.kind, *([f"needs {', '.join(remedy.needs)}"] if remedy.needs else [])),
        rules=tuple(
            Rule("applies", "applies if", a.when, f"{words(a.when)}; otherwise: {a.why}")
            for a in remedy.applies
        )
        + tuple(Rule("after", "has worked if", c, words(c)) for c in remedy.after),
        remedies=(),
        notes=tuple(notes),
        page=page,
        sources=remedy.sources,
    )


def _fact(fact: FactSpec, page: Page) -> Entry:
    notes = [Note("Asked as", fact.question)] if fact.question else []
    notes.append(Note("Measured by", _measured_by(fact)))
    notes += _variable(fact.env) if fact.env else []
    rules = []
    for derivation in fact.derived:
        value = f"number of items of {derivation.items_of}" if derivation.items_of else derivation.value
        text = words(derivation.when)
        rules.append(Rule("derived", f"{value} if", derivation.when, text))
    notes += [Note("Seen as", line) for s in fact.signatures for line in s.matches[:1]]
    values = f": {', '.join(fact.values)}" if fact.values else ""
    return Entry(
        kind="fact",
        id=fact.name,
        title=fact.title,
        about=(f"{fact.type}{values}", *([fact.unit] if fact.unit else [])),
        rules=tuple(rules),
        remedies=(),
        notes=tuple(notes),
        page=page,
        sources=fact.sources,
    )


def _measured_by(fact: FactSpec) -> str:
    """Which command establishes a fact, from what the probes say of themselves."""
    from ..probes.machine.catalogue import PROBES

    if fact.name.startswith("collective."):
        return "gpudoctor collective"
    probes = [probe.name for probe in PROBES if fact.name in probe.facts]
    if fact.name.startswith("env."):
        probes = ["environment"]
    if probes:
        return f"gpudoctor probe (its probe {' or '.join(probes)})"
    if fact.derived:
        return "nothing: concluded from other facts, read from logs or asked"
    return "gpudoctor probe" if fact.probe else "nothing: read from logs or asked"


def _variable(env: EnvVar) -> list[Note]:
    """What is documented of an environment variable."""
    ended = "Renamed in" if env.alias else "Not read any more since"
    still = "; the old name is still read where this one is unset" if env.alias and env.renamed else ""
    named = (
        ("Documented values", ", ".join(env.allowed)),
        ("Default", env.default),
        ("Read since", env.since),
        (ended, env.until),
        ("Takes its place", env.renamed + still),
        ("Role", env.role),
        *((f"Harm with {value}", why) for value, why in env.hurts),
    )
    return [Note(label, text) for label, text in named if text]
