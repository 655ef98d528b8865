"""What is said of an entry of the knowledge base: one content, printed in the terminal and on the site."""

from __future__ import annotations

import difflib

from gpudoctor.engine.tuples import NamedTuple

from ...engine import EngineError, FactError, Knowledge
from ...engine.knowledge.affected import span
from ...engine.knowledge.markdown import Page, read_page
from ...engine.model import Condition, EnvVar, FactSpec, Incident, Pitfall, Product, Remedy, Source
from ...engine.rules import words
from ..errors import UsageError
from .grades import GRADES


class WordedRule(NamedTuple):
    """One rule of an entry: its slot, the word for it, the condition, and the whole in words."""

    slot: str
    label: str
    condition: Condition
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
    """Everything that is said of an incident, a known issue, a remedy, a fact or a product, in this order."""

    kind: str
    id: str
    title: str
    about: tuple[str, ...]
    rules: tuple[WordedRule, ...]
    remedies: tuple[tuple[str, str], ...]
    notes: tuple[Note, ...]
    page: Page
    sources: tuple[Source, ...]


Record = Incident | Remedy | FactSpec | Product | Pitfall


def find(knowledge: Knowledge, name: str) -> Record:
    """An entry by id. Raises UsageError that suggests the nearest."""
    if name in knowledge.incident_ids:
        return knowledge.incident(name)
    if name in knowledge.remedy_ids:
        return knowledge.remedy(name)
    if name in knowledge.product_ids:
        return knowledge.product(name)
    if name in knowledge.pitfall_ids:
        return knowledge.pitfall(name)
    for known in knowledge.fault_ids:
        if name in knowledge.incident(known).aliases:
            return knowledge.incident(known)
    try:
        return knowledge.vocabulary.spec(name)
    except FactError:
        every = [*knowledge.incident_ids, *knowledge.remedy_ids, *knowledge.vocabulary.names]
        near = difflib.get_close_matches(name, every, 3, cutoff=0.5)
        hint = f"; near to it: {', '.join(near)}" if near else "; try gpudoctor search"
        raise UsageError(
            f'there is no incident, known issue, remedy, fact or product "{name}"{hint}'
        ) from None


def describe(knowledge: Knowledge, entry: Record) -> Entry:
    """What is said of an entry. Raises UsageError if its file cannot be read."""
    page = _page(knowledge, entry.path)
    if isinstance(entry, Incident):
        return _incident(knowledge, entry, page)
    if isinstance(entry, Pitfall):
        return _pitfall(knowledge, entry, page)
    if isinstance(entry, Product):
        return _product(knowledge, entry, page)
    return _remedy(entry, page) if isinstance(entry, Remedy) else _fact(entry, page)


def _page(knowledge: Knowledge, path: str) -> Page:
    if not path:  # a fact of a road, which no file describes
        return Page("", 0, (), ())
    try:
        place = knowledge.file(path)
        with open(place, encoding="utf-8") as file:
            return read_page(file.read(), path)
    except (OSError, UnicodeDecodeError, EngineError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def _incident(knowledge: Knowledge, incident: Incident, page: Page) -> Entry:
    return Entry(
        kind=incident.kind,
        id=incident.id,
        title=incident.title,
        about=(
            *affected(knowledge, incident),
            *([incident.severity] if incident.severity else [incident.family]),
            ", ".join(incident.vendors),
            incident.frequency,
            GRADES[incident.grade],
            *([f"sources read on {incident.checked}"] if incident.checked else []),
        ),
        rules=tuple(rules_of(incident)),
        remedies=tuple((name, knowledge.remedy(name).title) for name in incident.remedies),
        notes=tuple(Note(look.id, f"told apart by {', '.join(look.by)}") for look in incident.lookalikes),
        page=page,
        sources=incident.sources,
    )


def affected(knowledge: Knowledge, incident: Incident) -> list[str]:
    """The releases that have a known issue, in words; empty for other incidents."""
    return [span(one, knowledge.product(one.product)) for one in incident.affects]


def rules_of(incident: Incident) -> list[WordedRule]:
    """The rules of an incident, in the order in which a person checks them."""
    labels = {"requires": "required", "confirms": "proof", "excludes": "ruled out by"}
    return [
        WordedRule(c.slot, labels.get(c.slot) or f"{c.weight} sign", c.when, words(c.when), c.weight)
        for c in incident.conditions()
    ]


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
        about=(
            remedy.kind,
            *([f"needs {', '.join(remedy.needs)}"] if remedy.needs else []),
            *([f"sources read on {remedy.checked}"] if remedy.checked else []),
        ),
        rules=tuple(
            WordedRule("applies", "applies if", a.when, f"{words(a.when)}; otherwise: {a.why}")
            for a in remedy.applies
        )
        + tuple(WordedRule("after", "has worked if", c, words(c)) for c in remedy.after),
        remedies=(),
        notes=tuple(notes),
        page=page,
        sources=remedy.sources,
    )


def _pitfall(knowledge: Knowledge, pitfall: Pitfall, page: Page) -> Entry:
    notes = [Note(f"Instead, {kind}" if kind else "Instead", text) for kind, text in pitfall.fix]
    notes.append(Note("Leads to", f"{knowledge.incident(pitfall.leads_to).title} ({pitfall.leads_to})"))
    return Entry(
        kind="pitfall",
        id=pitfall.id,
        title=pitfall.title,
        about=(pitfall.subject, pitfall.severity),
        rules=(WordedRule("found", "found where", pitfall.when, words(pitfall.when)),),
        remedies=tuple((name, knowledge.remedy(name).title) for name in pitfall.remedies),
        notes=tuple(notes),
        page=page,
        sources=pitfall.sources,
    )


def _product(knowledge: Knowledge, product: Product, page: Page) -> Entry:
    issues = [i for i in map(knowledge.incident, sorted(knowledge.issue_ids)) if i.product == product.id]
    newest = f", the newest {product.releases[-1].version}" if product.releases else ""
    notes = [
        Note("Version in", " or ".join(filter(None, (product.loaded, product.fact)))),
        Note("Packages", ", ".join(product.packages) or "none"),
    ]
    notes += [Note(i.id, f"{'; '.join(affected(knowledge, i))}. {i.title}") for i in issues]
    return Entry(
        kind="product",
        id=product.id,
        title=product.title,
        about=(f"{len(product.releases)} releases{newest}", f"{len(issues)} known issues"),
        rules=(),
        remedies=(),
        notes=tuple(notes),
        page=page,
        sources=product.sources,
    )


def _fact(fact: FactSpec, page: Page) -> Entry:
    notes = [Note("Asked as", fact.question)] if fact.question else []
    notes.append(Note("Measured by", _measured_by(fact)))
    notes += _variable(fact.env) if fact.env else []
    rules = []
    for derivation in fact.derived:
        value = derivation.value
        if derivation.items_of or derivation.copy_of:
            how = "number of items of" if derivation.items_of else "the value of"
            value = f"{how} {derivation.items_of or derivation.copy_of}"
        text = words(derivation.when)
        rules.append(WordedRule("derived", f"{value} if", derivation.when, text))
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
    from ...probes.machine.catalogue import PROBES

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
